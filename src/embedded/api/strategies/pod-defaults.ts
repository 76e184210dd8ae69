import { fieldsOf, fill, isFields, listOf } from '../objects.ts';
import type { Fields } from '../objects.ts';

/** Grace of a Pod that names none, in documented seconds (Kubernetes' default). */
export const DEFAULT_GRACE = 30;

const probeDefaults = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };
const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'];

function httpDefaults(action: unknown): void {
  const { httpGet, grpc } = fieldsOf(action);
  if (isFields(httpGet)) fill(httpGet, { path: '/', scheme: 'HTTP' });
  if (isFields(grpc)) fill(grpc, { service: '' });
}

/** `latest`, or no tag at all, is pulled always. */
function pullPolicy(image: unknown): string {
  const name = typeof image === 'string' ? (image.split('/').at(-1) ?? '') : '';
  return /:latest$/.test(name) || !/[:@]/.test(name) ? 'Always' : 'IfNotPresent';
}

/** Quantities may be written as numbers; they are kept as texts. */
export function quantities(holder: unknown): void {
  if (!isFields(holder)) return;
  for (const [name, value] of Object.entries(holder)) if (typeof value === 'number') holder[name] = String(value);
}

function containerDefaults(container: Fields): void {
  fill(container, {
    imagePullPolicy: pullPolicy(container['image']),
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    resources: {},
  });
  const resources = fieldsOf(container['resources']);
  quantities(resources['limits']);
  quantities(resources['requests']);
  if (isFields(resources['limits']))
    resources['requests'] = { ...resources['limits'], ...fieldsOf(resources['requests']) };
  for (const port of listOf(container['ports'])) fill(port, { protocol: 'TCP' });
  for (const variable of listOf(container['env'])) {
    const { fieldRef } = fieldsOf(variable['valueFrom']);
    if (isFields(fieldRef)) fill(fieldRef, { apiVersion: 'v1' });
  }
  for (const name of probes) {
    const probe = container[name];
    if (!isFields(probe)) continue;
    // Zero stands for the default, as in the real server.
    for (const [field, value] of Object.entries(probeDefaults)) probe[field] ||= value;
    httpDefaults(probe);
  }
  const lifecycle = fieldsOf(container['lifecycle']);
  httpDefaults(lifecycle['preStop']);
  httpDefaults(lifecycle['postStart']);
}

function volumeDefaults(volume: Fields): void {
  const sources = ['configMap', 'secret', 'projected', 'downwardAPI'];
  for (const name of sources) if (isFields(volume[name])) fill(volume[name], { defaultMode: 420 });
  if (isFields(volume['hostPath'])) fill(volume['hostPath'], { type: '' });
  if (Object.keys(volume).every((name) => name === 'name')) volume['emptyDir'] = {};
}

/** Defaults of a Pod's spec, also where it stands in a template. */
export function podSpecDefaults(spec: Fields): void {
  fill(spec, {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: DEFAULT_GRACE,
    dnsPolicy: 'ClusterFirst',
    schedulerName: 'default-scheduler',
    securityContext: {},
  });
  for (const container of [...listOf(spec['initContainers']), ...listOf(spec['containers'])]) {
    if (isFields(container)) containerDefaults(container);
  }
  for (const volume of listOf(spec['volumes'])) if (isFields(volume)) volumeDefaults(volume);
}

/** Quality of service of a Pod, from its containers' resources. */
export function qosClass(spec: Fields): string {
  const all = [...listOf(spec['initContainers']), ...listOf(spec['containers'])].map((c) => fieldsOf(c['resources']));
  const has = (holder: unknown, name: string) => fieldsOf(holder)[name] !== undefined;
  const some = all.some((r) => ['cpu', 'memory'].some((n) => has(r['limits'], n) || has(r['requests'], n)));
  if (!some) return 'BestEffort';
  const full = all.every((r) =>
    ['cpu', 'memory'].every((n) => has(r['limits'], n) && fieldsOf(r['limits'])[n] === fieldsOf(r['requests'])[n]),
  );
  return full ? 'Guaranteed' : 'Burstable';
}
