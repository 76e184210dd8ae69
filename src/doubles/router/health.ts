import type { Program } from '../program.ts';
import type { HealthOptions } from './options.ts';
import { askStatus } from './probe.ts';
import type { Worker } from './worker.ts';

/** Checks a worker for as long as it is known: so many failures in a row make it unhealthy, so many successes healthy. */
export function watchHealth(program: Program, options: HealthOptions, worker: Worker): { stop(): void } {
  let failures = 0;
  let successes = 0;
  let over = false;
  const { scale, podIP: from } = program;
  const { address: host, port } = worker;
  const check = async () => {
    const status = await askStatus({ host, port, path: options.path, from }, scale.toMs(options.timeout));
    if (over) return;
    const good = status >= 200 && status < 300;
    failures = good ? 0 : failures + 1;
    successes = good ? successes + 1 : 0;
    const was = worker.healthy;
    if (failures >= options.failures) worker.healthy = false;
    if (successes >= options.successes) worker.healthy = true;
    if (was !== worker.healthy) program.log(`INFO Worker ${worker.url} is ${worker.healthy ? 'healthy' : 'unhealthy'}`);
    timer = setTimeout(() => void check(), scale.toMs(options.every));
  };
  let timer = setTimeout(() => void check(), scale.toMs(options.every));
  return {
    stop: () => {
      over = true;
      clearTimeout(timer);
    },
  };
}
