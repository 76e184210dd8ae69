import type { Case } from '../../../src/history/manifest.ts';
import type { GpustackDeploy, RoleSpec, Scenario } from '../../../src/scenario/scenario.ts';

/** A scenario of this section; fills in what all of them share. */
export const scenario = (s: Omit<Scenario, 'document' | 'section'>): Scenario => ({
  document: 'gpustack',
  section: 'Drain window',
  ...s,
});

/** One deployment, `chat`, behind a vllm-router that chooses in turn, so that copies of a request spread evenly. */
export const behindRouter = (...roles: RoleSpec[]): GpustackDeploy => ({
  kind: 'gpustack',
  deployments: [{ name: 'chat', roles, router: { extraArgs: ['--policy', 'round_robin'] } }],
});

/** One deployment, `chat`, without a router. */
export const alone = (...roles: RoleSpec[]): GpustackDeploy => ({
  kind: 'gpustack',
  deployments: [{ name: 'chat', roles }],
});

/** A Pod of role `role` of the deployment `chat`; `null` as last work: it outlasts the grace. */
export const pod = (role: string, index: number, lastWorkEnds?: number | null): Case => ({
  deployment: 'chat',
  role,
  index,
  ...(lastWorkEnds === undefined ? {} : { lastWorkEnds }),
});

/** Every Pod of role `role` that leaves. */
export const leaving = (role: string, lastWorkEnds?: number | null): Case => ({
  deployment: 'chat',
  role,
  ...(lastWorkEnds === undefined ? {} : { lastWorkEnds }),
});

export const toRouter = { router: 'chat' } as const;

/** Several requirements on the same cases. */
export const decide = (requirements: string[], cases: string[]) =>
  requirements.map((requirement) => ({ requirement, cases }));
