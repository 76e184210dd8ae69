// Stands for `busybox httpd -f -p PORT -h FOLDER` in the embedded cluster: serves the files of a folder on the Pod's address.
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, normalize } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { f: { type: 'boolean', short: 'f' }, p: { type: 'string', short: 'p' }, h: { type: 'string', short: 'h' } },
});

// As pid 1 of a container, busybox's does not hear it.
process.on('SIGTERM', () => undefined);

createServer((request, response) => {
  const file = join(values.h, normalize(new URL(request.url, 'http://pod').pathname));
  const found = statSync(file, { throwIfNoEntry: false })?.isFile();
  response.writeHead(found ? 200 : 404, { connection: 'close' });
  if (found) createReadStream(file).pipe(response);
  else response.end('not found\n');
}).listen(Number(values.p), process.env.QUIESCE_POD_IP);
