import { Readable } from 'node:stream';
import type { LogOptions } from '../kubelet-api.ts';
import type { LogBuffer, LogLine } from './log-buffer.ts';

/** Bytes that may wait for a slow reader before it is dropped. */
const BEHIND = 32 * 2 ** 20;

/** What `kubectl logs` asks for, as a stream that ends with the container, or at once without `follow`. */
export function viewLog(log: LogBuffer, options: LogOptions): Readable {
  let left = options.limitBytes ?? Infinity;
  let stop = () => {};
  const out = new Readable({ read: () => {}, destroy: (error, done) => (stop(), done(error)) });

  const send = (lines: LogLine[]) => {
    if (left <= 0) return;
    let text = '';
    for (const line of lines)
      text += `${options.timestamps ? `${line.stamp} ` : ''}${line.text}${line.unfinished ? '' : '\n'}`;
    if (text === '') return;
    let bytes = Buffer.from(text);
    if (bytes.length > left) bytes = bytes.subarray(0, left);
    left -= bytes.length;
    out.push(bytes);
    if (out.readableLength > BEHIND) out.destroy(new Error('the reader of the log is too slow'));
    if (left <= 0) finish();
  };
  const finish = () => {
    stop();
    out.push(null);
  };

  let lines = log.lines();
  const { sinceSeconds, sinceTime } = options;
  const since = sinceSeconds === undefined ? sinceTime : Date.now() - sinceSeconds * 1000;
  if (since !== undefined) lines = lines.filter((line) => line.at >= since);
  if (options.tailLines !== undefined) lines = options.tailLines > 0 ? lines.slice(-options.tailLines) : [];
  send(lines);
  if (left > 0) {
    if (options.follow) stop = log.follow(send, () => out.push(null));
    else out.push(null);
  }
  return out;
}
