import { measureOffset } from '../../src/cluster/clock-offset.ts';
import type { KubeClient, KubeObject } from '../../src/cluster/rest.ts';
import { missingRights, ruleText } from '../../src/cluster/rights.ts';
import { surveyCluster, type Survey } from '../../src/cluster/survey.ts';
import { profileNames, profiles } from '../../src/requirements/profiles.ts';
import { customResourceDefinitions } from '../../src/systems/gpustack/manifests.ts';
import { generationOfSchema } from '../../src/systems/gpustack/model-deployment.ts';
import { answer, no, unlessUnknown, yes, type Answer } from './answer.ts';
import { rulesOf } from './rules.ts';

/** Milliseconds by which clocks may differ before whole-second stamps of the API are of another second for certain. */
const SKEW_MS = 1000;

/** Images that the scenarios deploy, by what runs in them. */
const images = { engine: 'gpustack/runner', router: 'gpustack/llm-router' } as const;

/** The rights that are missing, one answer a rule; `needed` says whether no scenario runs without the role. */
export async function askRights(client: KubeClient, role: string, needed: boolean): Promise<Answer[]> {
  const missing = await missingRights(client, rulesOf(role));
  if (missing.length === 0) return [{ ...yes(`rights:${role}`, `every rule of ClusterRole ${role}`), needed }];
  const rules = [...new Set(missing.map(({ rule }) => rule))];
  return rules.map((rule) => {
    const verbs = missing.filter((m) => m.rule === rule).map((m) => `${m.verb} ${m.resource}`);
    const detail = `missing: ${verbs.join(', ')}; the rule "${ruleText(rule)}" of manifests/rbac.yaml grants it`;
    return { ...no(`rights:${role}`, detail), needed };
  });
}

/** What can be read without deploying anything. @throws TargetError where the cluster cannot be reached */
export async function askCluster(client: KubeClient): Promise<{ answers: Answer[]; survey: Survey }> {
  const names = customResourceDefinitions().map(({ metadata }) => metadata.name);
  const survey = await surveyCluster(client, names);
  const { version, nodes } = survey;
  const ready = nodes.filter((n) => n.ready);
  const processNodes = ready.filter((n) => n.process).length;
  const accelerators = ready.reduce((sum, n) => sum + n.accelerators, 0);
  const minor = Number(/^v1\.(\d+)/.exec(version)?.[1] ?? NaN);
  const answers: Answer[] = [
    yes('kubernetes', version),
    answer('kubernetes<1.29', minor < 29, version),
    { ...answer('nodes', ready.length > 0, `${ready.length} of ${nodes.length} ready`), needed: true },
    ...names.map((name) => ({
      ...answer(`crd:${name}`, survey.definitions.has(name), served(survey, name)),
      needed: true,
    })),
    generation(survey),
    answer('doubles', processNodes > 0, `${processNodes} nodes with a process kubelet`),
    answer('accelerator', accelerators > 0, `${accelerators} allocatable nvidia.com/gpu on ${ready.length} nodes`),
    answer(
      'clock:real',
      ready.every((n) => n.timeScale === 1),
      ready.map((n) => `${n.name} ${n.timeScale}`).join(', '),
    ),
    await unlessUnknown('operator', () => operator(client)),
    ...(await askImages(client, processNodes > 0)),
    await unlessUnknown('quota', () => servedKind(client, '/apis/kueue.x-k8s.io/v1beta1', 'clusterqueues', 'quota')),
    await unlessUnknown('storage', () => storage(client)),
    await unlessUnknown('clock:server', () => skew(client)),
  ];
  return { answers, survey };
}

const served = ({ definitions }: Survey, name: string) => (definitions.has(name) ? 'served' : 'not served');

function generation({ definitions }: Survey): Answer {
  const crd = definitions.get('modeldeployments.worker.gpustack.ai');
  const found = crd && generationOfSchema(crd);
  const fits = profileNames.filter((name) => profiles[name].generation === found);
  const detail = `generation ${found ?? 'none'}; ${fits.length > 0 ? `run with --profile ${fits.join(' or ')}` : `the profiles are ${profileNames.join(', ')}`}`;
  return { ...answer('api:generation', fits.length > 0, detail), needed: true };
}

async function operator(client: KubeClient): Promise<Answer> {
  type Deployment = KubeObject & { spec: { template: { spec: { containers: { image: string }[] } } } };
  const found = (await client.list<Deployment>('/apis/apps/v1/deployments')).flatMap(({ metadata, spec }) =>
    spec.template.spec.containers
      .filter(({ image }) => /(^|\/)gpustack-operator[:@]/.test(image))
      .map(({ image }) => `${image} in ${metadata.namespace}`),
  );
  return answer('operator', found.length > 0, found.join(', ') || 'no Deployment of gpustack-operator');
}

/** Whether each image is on some node already: pulling one of many GB takes longer than a scenario waits. */
async function askImages(client: KubeClient, processNodes: boolean): Promise<Answer[]> {
  if (processNodes) return Object.keys(images).map((what) => yes(`image:${what}`, 'a program of the process kubelet'));
  type Node = KubeObject & { status?: { images?: { names?: string[] }[] } };
  const nodes = await client.list<Node>('/api/v1/nodes');
  return Object.entries(images).map(([what, image]) => {
    const on = nodes.filter((n) => n.status?.images?.some((i) => i.names?.some((name) => name.includes(image))));
    return answer(`image:${what}`, on.length > 0, `${image} on ${on.length} of ${nodes.length} nodes`);
  });
}

async function servedKind(client: KubeClient, path: string, resource: string, feature: string): Promise<Answer> {
  const list = await client.get<{ resources?: { name: string }[] }>(path);
  const there = list.resources?.some(({ name }) => name === resource) ?? false;
  return answer(feature, there, `${path} serves ${there ? '' : 'no '}${resource}`);
}

async function storage(client: KubeClient): Promise<Answer> {
  const classes = await client.list('/apis/storage.k8s.io/v1/storageclasses');
  const names = classes.map(({ metadata }) => metadata.name);
  const standard = classes.some(
    (c) => c.metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true',
  );
  return answer('storage', standard, `${names.join(', ') || 'no StorageClass'}${standard ? '' : ', none by default'}`);
}

async function skew(client: KubeClient): Promise<Answer> {
  const [lo, hi] = await measureOffset(client);
  const detail = `the API server's clock is ${Math.round(lo)} to ${Math.round(hi)} ms ahead of this machine's`;
  return answer('clock:server', lo < SKEW_MS && hi > -SKEW_MS, detail);
}
