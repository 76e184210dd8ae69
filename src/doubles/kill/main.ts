import { inmates, signalName } from './container.ts';

/** Stands for `kill -SIGNAL 1` inside a container: process 1 is the oldest one there. */
const [signal = '', target = ''] = process.argv.slice(2);
const main = target === '1' ? inmates()[0] : undefined;
if (main === undefined) {
  console.error(`kill ${signal} ${target}: expected -SIGNAL 1 in a container that runs`);
  process.exit(1);
}
process.kill(main.pid, signalName(signal));
