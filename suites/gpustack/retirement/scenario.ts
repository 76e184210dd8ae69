import type { Case } from '../../../src/history/manifest.ts';
import type { GpustackDeploy, RoleSpec, Scenario, Step } from '../../../src/scenario/scenario.ts';

type Deployment = GpustackDeploy['deployments'][number];

/** A scenario of this section; fills in what all of them share. */
export const scenario = (s: Omit<Scenario, 'document' | 'section'>): Scenario => ({
  document: 'gpustack',
  section: 'Retirement protocol',
  ...s,
});

/** Documented seconds of grace: the shortest that admission takes. */
export const grace = 15;

/** A deployment of one role `serve` of two replicas, without a router. */
export const unrouted = (name: string, role: Partial<RoleSpec> = {}): Deployment => ({
  name,
  roles: [{ name: 'serve', replicas: 2, terminationGracePeriodSeconds: grace, ...role }],
});

/** The same behind a vllm-router that chooses in turn. */
export const routed = (name: string, role: Partial<RoleSpec> = {}): Deployment => ({
  ...unrouted(name, role),
  router: { extraArgs: ['--policy', 'round_robin'] },
});

/** The replica of an ordinal of role `serve`: a scale-down takes the highest. */
export const replica = (deployment: string, ordinal: number, member = 0): Case => ({
  deployment,
  role: 'serve',
  ordinal,
  ...(member > 0 ? { member } : {}),
});

/** Replica 1 of each of these deployments, under the deployment's name. */
export const targets = (names: readonly string[]): Record<string, Case> =>
  Object.fromEntries(names.map((name) => [name, replica(name, 1)]));

/** Lowers `replicas` of role `serve` from 2 to 1, with whatever else stands in the same write. */
export const scaleDown = (deployment: string, at = 0, also: object[] = []): Step => ({
  at,
  do: 'edit',
  name: `scale-down-${deployment}`,
  deployment,
  patch: [{ op: 'replace', path: '/spec/roles/0/replicas', value: 1 }, ...also],
});

const pointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** Path of a label, and of an annotation, in a JSON patch. */
export const labelPath = (name: string): string => `/metadata/labels/${pointer(name)}`;
export const annotationPath = (name: string): string => `/metadata/annotations/${pointer(name)}`;
