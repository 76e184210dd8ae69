import type { KubeObject } from '../../../cluster/rest.ts';
import type { Api } from '../context.ts';
import { forbidden } from '../errors.ts';
import { at, fieldsOf, isFields, specOf, textField } from '../objects.ts';
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
  spec['priority'] = found?.['value'] ?? 0;
  spec['preemptionPolicy'] = found?.['preemptionPolicy'] ?? 'PreemptLowerPriority';
}

export const podStrategy: Strategy = {
  generation: true,
  defaults(pod) {
    if (!isFields(pod['spec'])) pod['spec'] = {};
    podSpecDefaults(specOf(pod));
  },
  prepareCreate(pod, api) {
    const spec = specOf(pod);
    spec['enableServiceLinks'] ??= true;
    spec['serviceAccountName'] ??= spec['serviceAccount'] ?? 'default';
    spec['serviceAccount'] = spec['serviceAccountName'];
    addNodeSelector(pod, spec, api);
    resolvePriority(pod, spec, api);
    pod['status'] = { phase: 'Pending', qosClass: qosClass(spec) };
    const bound = textField(spec['nodeName']) !== '';
    if (!bound) return;
    pod['status'] = { ...fieldsOf(pod['status']), conditions: [scheduled(api)] };
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
export const scheduled = (api: Pick<Api, 'now'>) => ({
  type: 'PodScheduled',
  status: 'True',
  lastProbeTime: null,
  lastTransitionTime: new Date(api.now()).toISOString().replace(/\.\d+Z$/, 'Z'),
});
