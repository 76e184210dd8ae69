import { receivedBySglang, sglang } from './sglang.ts';
import { parseAccess, withoutColours, type AccessLine } from './uvicorn.ts';
import { receivedByVllm, vllm } from './vllm.ts';

/** What one line of an engine's log says, as far as anybody here asks. */
export type EngineLine =
  /** SIGTERM or SIGINT arrived. */
  | { mark: 'signalled' }
  /** A request entered the engine; `request` is the id that the client gave it. Needs the engine's `logRequests`. */
  | { mark: 'received'; request: string }
  | AccessLine;

const signals = [vllm.signalledMark, sglang.signalledMark];

/** Reads one line of a vLLM or SGLang server's log; undefined where it says nothing of the above. */
export function parseEngineLine(line: string): EngineLine | undefined {
  const text = withoutColours(line);
  const access = parseAccess(text);
  if (access) return access;
  if (signals.some((mark) => text.includes(mark))) return { mark: 'signalled' };
  const request = receivedByVllm(text) ?? receivedBySglang(text);
  return request === undefined ? undefined : { mark: 'received', request };
}

/** Whether {@link parseEngineLine} may say anything of a line: much cheaper, since most say nothing. */
export const mayTell = (line: string): boolean =>
  line.includes('/metrics') ||
  line.includes('Receive') ||
  line.includes('[shutdown]') ||
  line.includes(sglang.signalledMark);
