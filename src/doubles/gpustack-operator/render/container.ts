import { numberFlag } from '../../../engines/argv.ts';
import { grace as documented } from '../../../requirements/drain-window.ts';
import type { Seconds } from '../../../time/scale.ts';
import type { Container } from '../../../systems/gpustack/readers.ts';
import { defaults, labels, replicaService } from '../../../systems/gpustack/names.ts';
import type { ModelDeployment, Role } from '../../../systems/gpustack/types.ts';
import type { Faults } from '../faults.ts';
import { engineCommand, gaugesOf } from './command.ts';
import { enginePortOf, isDirectDecoder, listenerOf, type Listener } from './port.ts';

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

/** Which member of which replica a Pod is. */
export interface Place {
  ordinal: number;
  seat: number;
}

/** The container `main` of a replica. `drains`: whether this release renders the drain window at all. */
export function engineContainer(
  { metadata, spec }: ModelDeployment,
  role: Role,
  place: Place,
  drains: boolean,
  faults: Faults,
): Container {
  const listener = listenerOf(role);
  const port = enginePortOf(spec, role);
  const takeOver = isTakeOver(role);
  const direct = isDirectDecoder(spec, role);
  const hook = drains && hookOf(spec, role, place, faults);
  const accelerators = role.resources?.accelerator ?? 0;
  const resources = { 'nvidia.com/gpu': String(accelerators) };
  const env = [...(role.env ?? []), ...groupEnvironment(metadata.name, role, place)];
  return {
    name: defaults.engineContainer,
    image: role.image ?? spec.engine.image ?? '',
    command: takeOver ? [...(role.command ?? [])] : engineCommand(spec, role, port),
    ...(env.length > 0 ? { env } : {}),
    ports: [
      { name: direct ? 'engine' : 'http', containerPort: port, protocol: role.ports?.[0]?.protocol ?? 'TCP' },
      ...(role.ports ?? []).slice(1).map(({ port: more, protocol = 'TCP' }) => ({ containerPort: more, protocol })),
    ],
    ...(accelerators > 0 ? { resources: { limits: resources, requests: resources } } : {}),
    ...(takeOver || listener.moved || listener.asksForCertificate || place.seat > 0 ? {} : probes(listener, direct)),
    ...(hook ? { lifecycle: { preStop: { exec: { command: hook } } } } : {}),
  };
}

/** What a member of a replica of several Pods is told of the others. */
function groupEnvironment(deployment: string, role: Role, { ordinal }: Place): NonNullable<Container['env']> {
  const { size = 1 } = role;
  if (size === 1) return [];
  const service = replicaService(deployment, role.name, ordinal);
  return [
    { name: 'GPUSTACK_REPLICA_LEADER_ADDRESS', value: `${service}-m0.${service}` },
    { name: 'GPUSTACK_REPLICA_SIZE', value: String(size) },
    {
      name: 'GPUSTACK_MEMBER_INDEX',
      valueFrom: { fieldRef: { fieldPath: `metadata.labels['${labels.memberIndex}']` } },
    },
  ];
}

/**
 * The hook that drains a replica before its engine is signalled. `drain-hook` stands for the operator's
 * `python3 -c SCRIPT`; everything that the script has built in is said in its arguments.
 */
function hookOf(spec: ModelDeployment['spec'], role: Role, { seat }: Place, faults: Faults): string[] | undefined {
  if (faults.has('hook-missing')) return undefined;
  if (faults.has('split-without-hook') && (role.kind ?? 'Server') !== 'Server') return undefined;
  if (isTakeOver(role) && !faults.has('takeover-gets-hook')) return undefined;
  if (seat > 0 && faults.has('follower-waits-for-grace')) return ['sleep', String(effectiveGrace(role, faults))];
  const { scheme } = listenerOf(role);
  const port = enginePortOf(spec, role);
  const own = numberFlag(role.extraArgs ?? [], '--port', port);
  return [
    'drain-hook',
    ...['--scheme', scheme],
    ...['--port', String(faults.has('moved-port-followed') ? own : port)],
    ...['--grace', String(effectiveGrace(role, faults))],
    ...['--gauges', gaugesOf(spec).join(',')],
  ];
}

/** Startup allows 180 periods of 10 s: a large model takes that long to load. A direct decoder is asked through its proxy. */
function probes({ scheme, port }: Listener, direct: boolean): Record<string, unknown> {
  const httpGet = direct
    ? { path: '/v1/models', port, scheme: 'HTTP' }
    : { path: '/health', port: 'http', scheme: scheme.toUpperCase() };
  const probe = (failureThreshold: number) => ({ httpGet, periodSeconds: 10, timeoutSeconds: 3, failureThreshold });
  return { startupProbe: probe(180), readinessProbe: probe(3), livenessProbe: probe(6) };
}
