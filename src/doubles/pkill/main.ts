import { inmates, signalName } from '../kill/container.ts';

/** Stands for `pkill -SIGNAL -f PATTERN` inside a container; the container's first process is left out. */
const [signal = '', option = '', pattern = ''] = process.argv.slice(2);
if (option !== '-f' || pattern === '') {
  console.error(`pkill ${signal} ${option} ${pattern}: expected -SIGNAL -f PATTERN`);
  process.exit(2);
}
const found = inmates()
  .slice(1)
  .filter(({ command }) => new RegExp(pattern).test(command));
for (const { pid } of found) process.kill(pid, signalName(signal));
process.exit(found.length > 0 ? 0 : 1);
