import { flag, numberFlag } from '../../engines/argv.ts';
import { drainWindow, gauges, grace } from '../../requirements/drain-window.ts';
import type { Seconds } from '../../time/scale.ts';

/** What the hook does; all times but the grace are constants of the document. */
export interface HookOptions {
  scheme: 'http' | 'https';
  port: number;
  /** The Pod's grace G. */
  grace: Seconds;
  gauges: readonly string[];
  /** Nothing is read for this long. */
  settle: Seconds;
  poll: Seconds;
  readTimeout: Seconds;
  /** No read starts at this age or later. */
  lastRead: Seconds;
  idleReads: number;
}

/** How a fault bends the options; a name that is not here bends nothing. */
const optionFaults: Record<string, (options: HookOptions) => Partial<HookOptions>> = {
  'hook-one-idle-read': () => ({ idleReads: 1 }),
  'hook-settle-short': () => ({ settle: 0 }),
  'hook-settle-long': () => ({ settle: 2 * drainWindow.settle }),
  'hook-slow-poll': () => ({ poll: 5 * drainWindow.poll }),
  'hook-late-bound': ({ grace }) => ({ lastRead: grace }),
  'hook-long-timeout': () => ({ readTimeout: 5 * drainWindow.readTimeout }),
  'hook-reserve-proportional': ({ grace }) => ({ lastRead: grace - grace / 3 }),
  'hook-reads-default-port': () => ({ port: 8000 }),
  'hook-ignores-running': ({ gauges }) => ({ gauges: gauges.filter((name) => !name.includes('running')) }),
  'hook-ignores-waiting': ({ gauges }) => ({ gauges: gauges.filter((name) => !name.includes('waiting')) }),
  'hook-ignores-queue': without('num_queue_reqs'),
  'hook-ignores-prefill-bootstrap': without('num_prefill_bootstrap_queue_reqs'),
  'hook-ignores-prefill-inflight': without('num_prefill_inflight_queue_reqs'),
  'hook-ignores-decode-prealloc': without('num_decode_prealloc_queue_reqs'),
  'hook-ignores-decode-transfer': without('num_decode_transfer_queue_reqs'),
};

function without(gauge: string) {
  return ({ gauges }: HookOptions) => ({ gauges: gauges.filter((name) => name !== `sglang:${gauge}`) });
}

/** Reads the command line and bends it by the faults that are on. */
export function readOptions(argv: readonly string[], faults: ReadonlySet<string>): HookOptions {
  const named = flag(argv, '--gauges');
  const G = numberFlag(argv, '--grace', grace.unset);
  let options: HookOptions = {
    scheme: flag(argv, '--scheme') === 'https' ? 'https' : 'http',
    port: numberFlag(argv, '--port', 8000),
    grace: G,
    gauges: typeof named === 'string' ? named.split(',').filter(Boolean) : gauges.vllm,
    settle: drainWindow.settle,
    poll: drainWindow.poll,
    readTimeout: drainWindow.readTimeout,
    lastRead: G - drainWindow.exitReserve,
    idleReads: drainWindow.idleReads,
  };
  for (const name of faults) options = { ...options, ...optionFaults[name]?.(options) };
  return options;
}
