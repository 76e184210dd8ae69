import type { KubeObject } from '../cluster/rest.ts';
import { OPERATOR, operatorPath, upgradePatch } from '../systems/gpustack/operator.ts';
import { modelDeployment } from '../systems/gpustack/model-deployment.ts';
import { api } from '../systems/gpustack/names.ts';
import { DeadlineError } from './live.ts';
import { deployedRole } from './deploy.ts';
import { killEngine, listFiles, signalCase } from './commands.ts';
import { controlEngine } from './control.ts';
import type { Acting } from './acting.ts';
import { instanceOf, isLeaving, isReady } from './pods.ts';
import { killOperator, operatorPods } from './operator.ts';
import { waitingPod, URGENT } from './waiting-pod.ts';
import type { Step } from './scenario.ts';

/** Documented seconds within which an action must be seen to have taken effect. */
const PROOF_SECONDS = 20;

/** The id under which a step's action stands in the history. */
export const actionId = (step: Step, index: number): string =>
  'name' in step && step.name ? step.name : step.do === 'upgrade-operator' ? step.do : `${step.do}-${index + 1}`;

/** Does one step now, and waits for the proof that it took effect. */
export async function doStep(step: Step, index: number, acting: Acting): Promise<void> {
  const id = actionId(step, index);
  switch (step.do) {
    case 'delete':
    case 'evict':
      await Promise.all(step.cases.map((name) => removeCase(step.do, `${id}-${name}`, name, acting)));
      return;
    case 'signal':
      await Promise.all(step.cases.map((name) => signalCase(`${id}-${name}`, name, step.signal, acting)));
      return;
    case 'kill-engine':
      await Promise.all(step.cases.map((name) => killEngine(`${id}-${name}`, name, acting)));
      return;
    case 'list-files':
      await Promise.all(
        step.cases.map((name) => listFiles(`${id}-${name}`, name, step.folder, step.restarted ?? false, acting)),
      );
      return;
    case 'preempt':
      await acting.actions.create(id, waitingPod(step.name, step.accelerators, acting, URGENT));
      await proven(id, acting, `a Pod is preempted for ${step.name}`, () =>
        acting.live.of('Pod').find((pod) => disruptionReason(pod) === 'PreemptionByScheduler'),
      );
      return;
    case 'create-waiting-pod':
      await acting.actions.create(id, waitingPod(step.name, step.accelerators, acting));
      await proven(id, acting, `${step.name} is there`, () =>
        acting.live.of('Pod').find((p) => p.metadata.name === step.name),
      );
      return;
    case 'edit':
      return edit(step, id, acting);
    case 'submit':
      return submit(step, id, acting);
    case 'control-engine':
      await Promise.all(step.cases.map((name) => controlEngine(`${id}-${name}`, name, step.control, acting)));
      return;
    case 'look':
      await Promise.all(step.deployments.map((name) => look(id, name, acting)));
      return;
    case 'patch-pod':
      await Promise.all(step.cases.map((name) => patchPod(`${id}-${name}`, name, step.patch, acting)));
      return;
    case 'upgrade-operator': {
      const former = operatorPods(acting).map((p) => p.metadata.uid);
      await acting.actions.patch(
        id,
        `Deployment/${acting.env.namespace}/${OPERATOR}`,
        operatorPath(acting.env.namespace),
        upgradePatch(acting.env.namespace, acting.env.profile.release),
      );
      await proven(id, acting, 'an operator of the new release is ready', () =>
        operatorPods(acting).find((p) => isReady(p) && !isLeaving(p) && !former.includes(p.metadata.uid)),
      );
      return;
    }
    case 'kill-operator':
      return killOperator(step, id, acting);
    case 'restart-operator': {
      const [pod] = operatorPods(acting).filter((p) => !isLeaving(p));
      if (!pod) throw new Error('no operator Pod to restart');
      await acting.actions.remove(id, pod);
      await proven(id, acting, 'another operator is ready', () =>
        operatorPods(acting).find((p) => isReady(p) && !isLeaving(p) && p.metadata.uid !== pod.metadata.uid),
      );
    }
  }
}

async function removeCase(verb: 'delete' | 'evict', id: string, name: string, acting: Acting): Promise<void> {
  const pod = await acting.podOf(name);
  await (verb === 'delete' ? acting.actions.remove(id, pod) : acting.actions.evict(id, pod));
  await proven(
    id,
    acting,
    verb === 'delete' ? 'the Pod has a deletion timestamp' : 'the Pod is marked as evicted',
    () => {
      const seen = acting.live.objects.get(`Pod/${acting.env.namespace}/${pod.metadata.name}`);
      if (!seen || seen.metadata.uid !== pod.metadata.uid) return pod; // gone already
      return isLeaving(seen) && (verb === 'delete' || disruptionReason(seen) === 'EvictionByEvictionAPI')
        ? seen
        : undefined;
    },
  );
}

function disruptionReason(pod: KubeObject): string | undefined {
  const { conditions = [] } = (pod['status'] ?? {}) as { conditions?: { type: string; reason?: string }[] };
  return conditions.find((c) => c.type === 'DisruptionTarget')?.reason;
}

const deploymentPath = (namespace: string, name = '') =>
  `/apis/${api.version}/namespaces/${namespace}/modeldeployments${name ? `/${name}` : ''}`;

async function edit(step: Extract<Step, { do: 'edit' }>, id: string, acting: Acting): Promise<void> {
  const path = deploymentPath(acting.env.namespace, step.deployment);
  const target = `ModelDeployment/${acting.env.namespace}/${step.deployment}`;
  const refused = step.expect === 'refused';
  let generation = 0;
  const write = () => {
    generation = acting.live.objects.get(target)?.metadata.generation ?? 0;
    return acting.actions.patch(id, target, path, step.patch);
  };
  // What a write changed is told by a read before and one after it: no other write of ours may come between them.
  const { before, answer } = step.expect
    ? await acting.inTurn(target, async () => {
        const before = await acting.actions.read(`${id}-before`, target, path);
        const answer = await write();
        await acting.actions.read(`${id}-after`, target, path);
        return { before, answer };
      })
    : { before: undefined, answer: await write() };
  if (refused || answer.status >= 400) return;
  const changed = answer.object?.metadata.resourceVersion !== before?.object?.metadata.resourceVersion;
  if (!changed) return;
  await proven(id, acting, 'the generation of the ModelDeployment rose', () => {
    const seen = acting.live.objects.get(target);
    return (seen?.metadata.generation ?? 0) > generation ? seen : undefined;
  });
}

/** Reads a deployment and its Pods once; the answers are the facts. */
async function look(id: string, deployment: string, { actions, live, env: { namespace } }: Acting): Promise<void> {
  const pods = live.of('Pod').filter((pod) => instanceOf(pod) === deployment);
  await actions.read(
    `${id}-${deployment}`,
    `ModelDeployment/${namespace}/${deployment}`,
    deploymentPath(namespace, deployment),
  );
  for (const {
    metadata: { name },
  } of pods)
    await actions.read(`${id}-${name}`, `Pod/${namespace}/${name}`, `/api/v1/namespaces/${namespace}/pods/${name}`);
}

async function patchPod(id: string, name: string, patch: object[], acting: Acting): Promise<void> {
  const pod = acting.bound.get(name);
  if (!pod) throw new Error(`case "${name}" has no Pod`);
  const { name: podName, namespace } = pod.metadata;
  const path = `/api/v1/namespaces/${namespace}/pods/${podName}`;
  const answer = await acting.actions.patch(id, `Pod/${namespace}/${podName}`, path, patch);
  if (answer.status < 400) acting.actions.prove(id, 'the API server took the change');
  else acting.problem(`action ${id}`, `the API server answered ${answer.status}: ${answer.message ?? ''}`);
}

async function submit(step: Extract<Step, { do: 'submit' }>, id: string, acting: Acting): Promise<void> {
  const { namespace } = acting.env;
  const object = modelDeployment(
    { name: step.name, namespace, roles: [deployedRole(step.role)], labels: acting.labels },
    acting.env.generation,
  );
  const [role] = object.spec.roles;
  if (role) (role as { terminationGracePeriodSeconds?: unknown }).terminationGracePeriodSeconds = step.grace;
  const target = `ModelDeployment/${namespace}/${step.name}`;
  const { status, object: created } = await acting.actions.create(id, object);
  await acting.actions.read(`${id}-after`, target, deploymentPath(namespace, step.name));
  if (status < 400 && created) await acting.actions.remove(`${id}-removed`, created);
}

/** Waits for the fact that proves an action; its absence is a problem of the harness, recorded as such. */
async function proven(id: string, acting: Acting, proof: string, fact: () => KubeObject | undefined): Promise<void> {
  try {
    await acting.live.until(proof, fact, acting.env.scale.toMs(PROOF_SECONDS));
    acting.actions.prove(id, proof);
  } catch (error) {
    if (!(error instanceof DeadlineError)) throw error;
    acting.problem(`action ${id}`, `it cannot be proved that it took effect: ${error.message}`);
  }
}
