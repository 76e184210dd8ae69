import { Log, stamp } from '../openai/log.ts';

/** Writes lines in vLLM's and uvicorn's own wording. */
export class VllmLog extends Log {
  /** A line of vLLM's own logger. */
  info(file: string, message: string): void {
    const { day, time } = stamp();
    this.write(`INFO ${day} ${time} [${file}] ${message}`);
  }
}
