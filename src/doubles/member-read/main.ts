import http from 'node:http';
import https from 'node:https';
import { flag, numberFlag } from '../../engines/argv.ts';
import { retirement } from '../../requirements/retirement.ts';
import { startProgram } from '../program.ts';

/**
 * What the operator runs in a member's `main` to read its work, in place of `python3 -c SCRIPT`: fetches `/metrics` over
 * loopback and prints the body. Where no page came (refused, an HTTP error, a certificate that is not trusted, no
 * answer in time) it prints nothing; the exit code is 0 in either case, since the read itself did not fail.
 * The body ends one byte above the bound, so that the reader sees that there was more.
 */
const { podIP, scale } = startProgram();
const argv = process.argv.slice(2);
const secure = flag(argv, '--scheme') === 'https';
const port = numberFlag(argv, '--port', 8000);
const seconds = numberFlag(argv, '--timeout', retirement.answerSeconds);
const most = numberFlag(argv, '--max-bytes', retirement.readBytes) + 1;

/** Shortest wait on the wall, in milliseconds: below it a healthy engine on a busy machine would look hung. */
const FLOOR_MS = 150;

const parts: Buffer[] = [];
let size = 0;
const end = (body: boolean): void => {
  const page = body ? Buffer.concat(parts).subarray(0, most) : Buffer.alloc(0);
  process.stdout.write(page, () => process.exit(0));
};
setTimeout(() => end(false), Math.max(scale.toMs(seconds), FLOOR_MS));
const request = (secure ? https : http).get({ host: podIP, port, path: '/metrics', agent: false, localAddress: podIP });
request.on('error', () => end(false));
request.on('response', (response) => {
  if (response.statusCode !== 200) return end(false);
  response.on('error', () => end(false));
  response.on('data', (part: Buffer) => {
    parts.push(part);
    size += part.length;
    if (size >= most) end(true);
  });
  response.on('end', () => (response.complete ? end(true) : end(false)));
});
