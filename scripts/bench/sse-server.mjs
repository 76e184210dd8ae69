/* global performance, setInterval, clearInterval */
// A server of token streams for the benchmark of the load driver, in a process of its own: all streams share one timer.
import { createServer } from 'node:http';

const open = new Set();
let timer;

function tick() {
  const at = performance.now();
  for (const stream of open) {
    while (stream.sent < stream.tokens && at >= stream.start + (stream.sent + 1) * stream.tokenMs) {
      stream.sent += 1;
      const finish = stream.sent === stream.tokens ? '"length"' : 'null';
      stream.response.write(`data: {"choices":[{"text":" t${stream.sent}","finish_reason":${finish}}]}\n\n`);
    }
    if (stream.sent < stream.tokens) continue;
    open.delete(stream);
    stream.response.end('data: [DONE]\n\n');
  }
  if (open.size === 0) timer = clearInterval(timer);
}

const server = createServer((request, response) => {
  let body = '';
  request.on('data', (part) => (body += part));
  request.on('end', () => {
    const { max_tokens: tokens, quiesce } = JSON.parse(body);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    open.add({ response, tokens, tokenMs: quiesce.token_seconds * 1000, start: performance.now(), sent: 0 });
    timer ??= setInterval(tick, 5);
  });
});
server.listen(0, '127.0.0.1', 2048, () => process.send({ port: server.address().port }));
process.on('disconnect', () => process.exit());
