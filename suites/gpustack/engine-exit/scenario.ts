import type { Case } from '../../../src/history/manifest.ts';
import type { GpustackDeploy, RoleSpec } from '../../../src/scenario/scenario.ts';

export { decide, scenario } from '../drain-window/scenario.ts';

type Deployment = GpustackDeploy['deployments'][number];

/** One deployment of SGLang. */
export const sglang = (name: string, ...roles: RoleSpec[]): Deployment => ({ name, engine: 'SGLang', roles });

/** A split pair of SGLang, each half with as many replicas and all with one grace. */
export const pair = (name: string, replicas: number, more: Partial<RoleSpec> = {}): Deployment =>
  sglang(
    name,
    { name: 'prefill', kind: 'Prefill', replicas, ...more },
    { name: 'decode', kind: 'Decode', replicas, ...more },
  );

/** Deployments without a router. */
export const alone = (...deployments: Deployment[]): GpustackDeploy => ({ kind: 'gpustack', deployments });

/** A Pod of a role; `null` as last work: it outlasts the grace. */
export const pod = (deployment: string, role: string, index: number, lastWorkEnds?: number | null): Case => ({
  deployment,
  role,
  index,
  ...(lastWorkEnds === undefined ? {} : { lastWorkEnds }),
});
