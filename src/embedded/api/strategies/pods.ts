import type { KubeObject } from '../../../cluster/rest.ts';
import type { Api } from '../context.ts';
import { forbidden } from '../errors.ts';
import { at, fieldsOf, fill, isFields, listOf, specOf, stamp, textField } from '../objects.ts';
import type { Fields } from '../objects.ts';
import { labelPredicate } from '../selectors.ts';
import { podSpecDefaults, qosClass } from './pod-defaults.ts';
import { checkPodSpec, checkPodUpdate } from './pod-validation.ts';
import type { Strategy } from './strategy.ts';

const pods = { group: '', plural: 'pods', kind: 'Pod' };

/** Annotation of a Namespace by which admission steers its Pods to Nodes (PodNodeSelector). */
const NODE_SELECTOR_ANNOTATION = 'scheduler.alpha.kubernetes.io/node-selector';

function addNodeSelector(pod: KubeObject, spec: Fields, api: Api): void {
  const namespace = api.store.get('namespaces', '', pod.metadata.namespace ?? '');
  const text = namespace?.metadata.annotations?.[NODE_SELECTOR_ANNOTATION];
  if (!text) return;
  // Reading it as a label selector finds a text that is none, before it is taken apart.
  labelPredicate(text);
  const wanted = Object.fromEntries(
    text.split(',').map((term) => term.split('=').map((part) => part.trim())),
  ) as Fields;
  const own = fieldsOf(spec['nodeSelector']);
  if (Object.entries(wanted).some(([label, value]) => label in own && own[label] !== value)) {
    throw forbidden(
      pods,
      pod.metadata.name,
      'pod node label selector conflicts with its namespace node label selector',
    );
  }
  spec['nodeSelector'] = { ...own, ...wanted };
}

function resolvePriority(pod: KubeObject, spec: Fields, api: Api): void {
  const classes = api.store.list('priorityclasses.scheduling.k8s.io');
  const name = textField(spec['priorityClassName']);
  const found = name ? classes.find((c) => c.metadata.name === name) : classes.find((c) => c['globalDefault'] === true);
  if (name && !found) throw forbidden(pods, pod.metadata.name, `no PriorityClass with name ${name} was found`);
  if (found) spec['priorityClassName'] = found.metadata.name;
  const computed = found?.['value'] ?? 0;
  const asked = spec['priority'];
  if (asked !== undefined && asked !== null && asked !== computed) {
    const why = `the integer value of priority (${textField(asked)}) must not be provided in pod spec; priority admission controller computed ${textField(computed)} from the given PriorityClass name`;
    throw forbidden(pods, pod.metadata.name, why);
  }
  spec['priority'] = computed;
  spec['preemptionPolicy'] = found?.['preemptionPolicy'] ?? 'PreemptLowerPriority';
}

/** Seconds that a Pod stays on a Node that is lost (admission plugin DefaultTolerationSeconds). */
const LOST_NODE_SECONDS = 300;

function addTolerations(spec: Fields): void {
  const own = listOf(spec['tolerations']);
  const more = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']
    .filter((key) => !own.some((t) => (t['key'] === key || !t['key']) && (!t['effect'] || t['effect'] === 'NoExecute')))
    .map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: LOST_NODE_SECONDS }));
  if (more.length > 0) spec['tolerations'] = [...own, ...more];
}

/** The namespace's own account may still be on its way; any other must be there. @throws ApiError 403 */
function checkAccount(pod: KubeObject, account: string, api: Api): void {
  const { namespace = '', name, generateName = '' } = pod.metadata;
  if (account === 'default' || api.store.get('serviceaccounts', namespace, account)) return;
  const why = `error looking up service account ${namespace}/${account}: serviceaccount "${account}" not found`;
  throw forbidden(pods, pod.metadata.generateName ? generateName : name, why);
}

const GATED = {
  type: 'PodScheduled',
  status: 'False',
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
  lastProbeTime: null,
};

export const podStrategy: Strategy = {
  generation: true,
  defaults(pod) {
    if (!isFields(pod['spec'])) pod['spec'] = {};
    podSpecDefaults(specOf(pod));
    // Their times are written even where they are unknown.
    for (const condition of listOf(fieldsOf(pod['status'])['conditions'])) {
      if (isFields(condition)) fill(condition, { lastProbeTime: null, lastTransitionTime: null });
    }
  },
  prepareCreate(pod, api) {
    const spec = specOf(pod);
    spec['enableServiceLinks'] ??= true;
    spec['serviceAccountName'] ??= spec['serviceAccount'] ?? 'default';
    spec['serviceAccount'] = spec['serviceAccountName'];
    addTolerations(spec);
    addNodeSelector(pod, spec, api);
    resolvePriority(pod, spec, api);
    checkAccount(pod, textField(spec['serviceAccountName']), api);
    const gated = listOf(spec['schedulingGates']).length > 0;
    pod['status'] = {
      phase: 'Pending',
      qosClass: qosClass(spec),
      ...(gated ? { conditions: [{ ...GATED, lastTransitionTime: stamp(api.now()) }] } : {}),
    };
  },
  prepareUpdate(pod, old) {
    // The server decides these; a client that sends the Pod without them changes nothing.
    const spec = specOf(pod);
    const names = [
      'priority',
      'preemptionPolicy',
      'serviceAccountName',
      'serviceAccount',
      'enableServiceLinks',
      'nodeName',
    ];
    for (const name of names) {
      const before = at(old, 'spec', name);
      if (before !== undefined) spec[name] ??= before;
    }
  },
  validate: (pod) => checkPodSpec(specOf(pod), 'spec'),
  validateUpdate: (pod, old) => checkPodUpdate(specOf(pod), specOf(old)),
};

/** The condition of a Pod that has its Node. */
export const scheduled = (api: Pick<Api, 'now'>, generation: number) => ({
  type: 'PodScheduled',
  status: 'True',
  observedGeneration: generation,
  lastProbeTime: null,
  lastTransitionTime: new Date(api.now()).toISOString().replace(/\.\d+Z$/, 'Z'),
});
