import { nodeProgram } from './scratch.ts';

/**
 * A program with the habits that a test asks for, as words `key=value`: `port` to answer on (`/ready` fails after SIGTERM),
 * `term` milliseconds from SIGTERM to the end (`never`: ignored), `code`, `exit` milliseconds to the end by itself.
 */
const source = `
import { writeSync } from 'node:fs';
import { createServer } from 'node:http';
const o = Object.fromEntries(process.argv.slice(2).map((w) => w.split('=')));
const say = (text) => process.stdout.write(text + '\\n');
writeSync(Number(process.env.QUIESCE_ALIVE_FD), '.');
let leaving = false;
process.on('SIGTERM', () => {
  say('TERM');
  leaving = true;
  if (o.term !== 'never') setTimeout(() => process.exit(Number(o.code ?? 0)), Number(o.term ?? 0));
});
if (o.port) createServer((request, response) => {
  response.writeHead(leaving || (o.sick && request.url === '/live') ? 500 : 200).end('ok');
}).listen(Number(o.port), process.env.QUIESCE_POD_IP);
if (o.exit) setTimeout(() => process.exit(Number(o.code ?? 0)), Number(o.exit));
say('up');
setInterval(() => {}, 1000);
`;

export const actor = (folder: string) => nodeProgram(folder, 'actor', source);
