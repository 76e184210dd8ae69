import { Log, stamp } from '../openai/log.ts';

const prefix = () => {
  const { year, day, time } = stamp();
  return `[${year}-${day} ${time}] `;
};

/** Writes lines in SGLang's wording; it puts the time before uvicorn's lines too. */
export class SglangLog extends Log {
  constructor(write: (line: string) => void) {
    super(write, prefix);
  }

  say(message: string): void {
    this.write(`${prefix()}${message}`);
  }
}
