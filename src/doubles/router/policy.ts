import type { RouterPolicy } from '../../routers/vllm-router.ts';
import type { Worker } from './worker.ts';

/** Chooses among the workers there are, of which there is at least one. */
export type Choose = (workers: readonly Worker[], prompt: string) => Worker;

// Defaults of --balance-abs-threshold and --balance-rel-threshold.
const UNBALANCED = { by: 64, times: 1.5 } as const;
/** So much of a prompt says that two share their cache. */
const PREFIX = 128;

export function chooser(policy: RouterPolicy): Choose {
  switch (policy) {
    case 'round_robin': {
      let next = 0;
      return (workers) => pick(workers, next++ % workers.length);
    }
    case 'random':
      return (workers) => pick(workers, Math.floor(Math.random() * workers.length));
    case 'cache_aware': {
      // Equal prompts go to the worker that saw them last, unless the load is far out of balance.
      const seen = new Map<string, string>();
      return (workers, prompt) => {
        const least = workers.reduce((a, b) => (b.running < a.running ? b : a));
        const most = Math.max(...workers.map((worker) => worker.running));
        const prefix = prompt.slice(0, PREFIX);
        const warm = workers.find((worker) => worker.url === seen.get(prefix));
        const unbalanced = most - least.running > UNBALANCED.by && most > least.running * UNBALANCED.times;
        const chosen = unbalanced || !warm ? least : warm;
        seen.set(prefix, chosen.url);
        return chosen;
      };
    }
  }
}

const pick = (workers: readonly Worker[], index: number): Worker => {
  const worker = workers[index];
  if (!worker) throw new RangeError(`no worker ${index} of ${workers.length}`);
  return worker;
};
