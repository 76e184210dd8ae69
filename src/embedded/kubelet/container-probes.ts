import type { ContainerRecord } from './container-record.ts';
import type { PodContext } from './context.ts';
import { runToEnd } from './handler.ts';
import type { ContainerSpec, Probe } from './pod.ts';
import type { Probed } from './probe.ts';
import { keepProbing, type ProbeResult } from './prober.ts';
import { execProblem } from './sandbox.ts';
import type { Sandbox } from './sandbox.ts';

export interface ProbesOptions {
  context: PodContext;
  spec: ContainerSpec;
  record: ContainerRecord;
  sandbox: Sandbox;
  /** Ends all probes: the run is over. */
  over: AbortSignal;
  /** Ends the startup and liveness probes: the container is being stopped. Readiness goes on. */
  stopping: AbortSignal;
  /** The startup or liveness probe failed for good. */
  unhealthy: (kind: 'startup' | 'liveness', probe: Probe) => void;
}

/** Probes one run of a container: startup first, then liveness and readiness side by side. */
export function probeContainer({ context, spec, record, sandbox, over, stopping, unhealthy }: ProbesOptions): void {
  const { scale } = context.shared;
  const probed: Probed = {
    spec,
    place: context.place,
    run: (command, timeoutMs) => runToEnd(sandbox, command, undefined, timeoutMs),
  };
  const life = AbortSignal.any([over, stopping]);
  const keep = (kind: string, probe: Probe, signal: AbortSignal, changed: (result: ProbeResult) => void) =>
    void keepProbing({
      probe,
      probed,
      scale,
      signal,
      changed,
      failed: (problem) => void context.event('Warning', 'Unhealthy', `${kind} probe failed: ${problem}`, spec),
      errored: (problem) =>
        void context.event(
          'Warning',
          'Unhealthy',
          `${kind} probe errored and resulted in unknown state: rpc error: code = Unknown desc = ${execProblem(problem)}`,
          spec,
        ),
    });

  const started = () => {
    record.setStarted();
    const { livenessProbe, readinessProbe } = spec;
    if (readinessProbe) keep('Readiness', readinessProbe, over, ({ healthy }) => record.setReady(healthy));
    else record.setReady(true);
    if (livenessProbe) {
      keep('Liveness', livenessProbe, life, ({ healthy }) => {
        if (!healthy) unhealthy('liveness', livenessProbe);
      });
    }
  };

  const { startupProbe } = spec;
  if (!startupProbe) return started();
  const first = new AbortController();
  keep('Startup', startupProbe, AbortSignal.any([life, first.signal]), ({ healthy }) => {
    first.abort();
    if (healthy) started();
    else unhealthy('startup', startupProbe);
  });
}
