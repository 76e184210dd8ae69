import type { TimeScale } from '../../time/scale.ts';
import type { Probe } from './pod.ts';
import { probeOnce, type Probed } from './probe.ts';
import { pause } from './stamps.ts';

/**
 * The shortest timeout of a probe, in milliseconds of the wall: at a high time scale the documented second would be shorter
 * than a busy machine takes to answer.
 */
const SHORTEST_TIMEOUT_MS = 300;

export interface ProbeResult {
  healthy: boolean;
  /** Why the last probe failed. */
  problem?: string;
}

export interface ProberOptions {
  probe: Probe;
  probed: Probed;
  scale: TimeScale;
  /** Ends the probing. */
  signal: AbortSignal;
  /** A threshold was reached: called at each change of the result. */
  changed: (result: ProbeResult) => void;
  /** Each single failure. */
  failed: (problem: string) => void;
  /** Each probe that could not be made. */
  errored?: (problem: Error) => void;
}

/**
 * Probes for ever: once after the initial delay and then each period, as a kubelet does. All seconds of the spec are
 * documented seconds.
 */
export async function keepProbing({
  probe,
  probed,
  scale,
  signal,
  changed,
  failed,
  errored = () => {},
}: ProberOptions): Promise<void> {
  const {
    initialDelaySeconds = 0,
    periodSeconds = 10,
    timeoutSeconds = 1,
    successThreshold = 1,
    failureThreshold = 3,
  } = probe;
  const timeoutMs = Math.max(scale.toMs(timeoutSeconds || 1), SHORTEST_TIMEOUT_MS);
  const periodMs = scale.toMs(periodSeconds || 10);
  let last: boolean | undefined;
  let run = 0;
  let known: boolean | undefined;
  if (initialDelaySeconds > 0 && !(await pause(scale.toMs(initialDelaySeconds), signal))) return;
  let due = performance.now();
  // Ticks keep their beat; those that a slow probe missed are left out, as by a ticker.
  const beat = () => {
    due += periodMs;
    while (due < performance.now()) due += periodMs;
    return pause(due - performance.now(), signal);
  };
  while (!signal.aborted) {
    const problem = await probeOnce(probe, probed, timeoutMs).catch((error: Error) => error);
    if (signal.aborted) return;
    if (problem instanceof Error) {
      // A probe that could not be made says nothing of the container.
      errored(problem);
      if (!(await beat())) return;
      continue;
    }
    const healthy = problem === undefined;
    run = healthy === last ? run + 1 : 1;
    last = healthy;
    if (problem !== undefined) failed(problem);
    if (run >= (healthy ? successThreshold || 1 : failureThreshold || 3) && known !== healthy) {
      known = healthy;
      changed(problem === undefined ? { healthy } : { healthy, problem });
    }
    if (!(await beat())) return;
  }
}
