import { numberFlag } from '../../../engines/argv.ts';
import { grace as documented } from '../../../requirements/drain-window.ts';
import type { Seconds } from '../../../time/scale.ts';
import type { Container } from '../../../systems/gpustack/readers.ts';
import { defaults } from '../../../systems/gpustack/names.ts';
import type { ModelDeploymentSpec, Role } from '../../../systems/gpustack/types.ts';
import type { Faults } from '../faults.ts';
import { engineCommand, gaugesOf } from './command.ts';
import { listenerOf, type Listener } from './port.ts';

/** A role that sets `command`: the operator claims nothing of its container. */
export const isTakeOver = (role: Role): boolean => (role.command?.length ?? 0) > 0;

/**
 * `terminationGracePeriodSeconds` of a role's Pods; undefined leaves the field out.
 * Operator-built: the role's value, 30 when unset, always explicit. Take-over: as given, left out when unset.
 */
export function graceOfRole(role: Role, drains: boolean, faults: Faults): Seconds | undefined {
  const given = role.terminationGracePeriodSeconds;
  if (!drains) return undefined;
  if (isTakeOver(role)) {
    if (faults.has('takeover-drops-grace')) return undefined;
    return given ?? (faults.has('takeover-default-grace-written') ? 45 : undefined);
  }
  if (faults.has('grace-not-written')) return undefined;
  return effectiveGrace(role, faults);
}

/** The grace that an operator-built replica leaves by: G of the documents. */
const effectiveGrace = (role: Role, faults: Faults): Seconds =>
  role.terminationGracePeriodSeconds ?? (faults.has('unset-grace-is-15') ? documented.lowest : documented.unset);

/** The container `main` of a replica. `drains`: whether this release renders the drain window at all. */
export function engineContainer(spec: ModelDeploymentSpec, role: Role, drains: boolean, faults: Faults): Container {
  const listener = listenerOf(role);
  const takeOver = isTakeOver(role);
  const hook = drains && hookOf(spec, role, listener, faults);
  const accelerators = role.resources?.accelerator ?? 0;
  const resources = { 'nvidia.com/gpu': String(accelerators) };
  return {
    name: defaults.engineContainer,
    image: role.image ?? spec.engine.image ?? '',
    command: takeOver ? [...(role.command ?? [])] : engineCommand(spec, role, listener.port),
    ...(role.env ? { env: role.env } : {}),
    ports: [
      { name: 'http', containerPort: listener.port, protocol: role.ports?.[0]?.protocol ?? 'TCP' },
      ...(role.ports ?? []).slice(1).map(({ port, protocol = 'TCP' }) => ({ containerPort: port, protocol })),
    ],
    ...(accelerators > 0 ? { resources: { limits: resources, requests: resources } } : {}),
    ...(takeOver || listener.moved || listener.asksForCertificate ? {} : probes(listener)),
    ...(hook ? { lifecycle: { preStop: { exec: { command: hook } } } } : {}),
  };
}

/**
 * The hook that drains a replica before its engine is signalled. `drain-hook` stands for the operator's
 * `python3 -c SCRIPT`; everything that the script has built in is said in its arguments.
 */
function hookOf(spec: ModelDeploymentSpec, role: Role, listener: Listener, faults: Faults): string[] | undefined {
  if (faults.has('hook-missing')) return undefined;
  if (isTakeOver(role) && !faults.has('takeover-gets-hook')) return undefined;
  const own = numberFlag(role.extraArgs ?? [], '--port', listener.port);
  return [
    'drain-hook',
    ...['--scheme', listener.scheme],
    ...['--port', String(faults.has('moved-port-followed') ? own : listener.port)],
    ...['--grace', String(effectiveGrace(role, faults))],
    ...['--gauges', gaugesOf(spec).join(',')],
  ];
}

/** Startup allows 180 periods of 10 s: a large model takes that long to load. */
function probes({ scheme }: Listener): Record<string, unknown> {
  const httpGet = { path: '/health', port: 'http', scheme: scheme.toUpperCase() };
  const probe = (failureThreshold: number) => ({ httpGet, periodSeconds: 10, timeoutSeconds: 3, failureThreshold });
  return { startupProbe: probe(180), readinessProbe: probe(3), livenessProbe: probe(6) };
}
