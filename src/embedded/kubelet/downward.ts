import { availableParallelism, totalmem } from 'node:os';
import { quantity } from '../controllers/quantity.ts';
import { specGrace, type ContainerSpec, type Pod } from './pod.ts';

/** What only the kubelet knows of a Pod. */
export interface Place {
  podIP: string;
  hostIP: string;
}

/** The value of a `fieldRef`; undefined where the kubelet does not serve the path. */
export function field(pod: Pod, place: Place, path: string): string | undefined {
  const one = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(path);
  if (one) return pod.metadata[one[1] as 'labels' | 'annotations']?.[one[2] ?? ''] ?? '';
  switch (path) {
    case 'metadata.name':
      return pod.metadata.name;
    case 'metadata.namespace':
      return pod.metadata.namespace ?? 'default';
    case 'metadata.uid':
      return pod.metadata.uid ?? '';
    case 'metadata.labels':
    case 'metadata.annotations':
      return Object.entries(pod.metadata[path === 'metadata.labels' ? 'labels' : 'annotations'] ?? {})
        .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
        .sort()
        .join('\n');
    case 'spec.nodeName':
      return pod.spec.nodeName ?? '';
    case 'spec.serviceAccountName':
      return pod.spec.serviceAccountName ?? 'default';
    case 'spec.terminationGracePeriodSeconds':
      return String(specGrace(pod));
    case 'status.podIP':
    case 'status.podIPs':
      return place.podIP;
    case 'status.hostIP':
    case 'status.hostIPs':
      return place.hostIP;
    default:
      return undefined;
  }
}

/**
 * The value of a `resourceFieldRef` in units of `divisor` ("0" is 1), rounded up; what has no limit has the host's size.
 */
export function resource(container: ContainerSpec, name: string, divisor = '1'): string | undefined {
  const unit = quantity(divisor) || 1;
  const inUnits = (value: number) => String(Math.ceil(value / unit));
  const [kind, what = ''] = name.split(/\.(.*)/s);
  if (kind !== 'limits' && kind !== 'requests') return undefined;
  const set = container.resources?.[kind]?.[what] ?? container.resources?.limits?.[what];
  if (set !== undefined) return inUnits(quantity(set));
  if (what === 'cpu') return kind === 'limits' ? inUnits(availableParallelism()) : '0';
  if (what === 'memory') return kind === 'limits' ? inUnits(totalmem()) : '0';
  return '0';
}

/** The value that a variable or a file of a volume asks for by one of the two references. */
export function downwardValue(
  pod: Pod,
  container: ContainerSpec | undefined,
  place: Place,
  ref: {
    fieldRef?: { fieldPath: string } | undefined;
    resourceFieldRef?: { containerName?: string; resource: string; divisor?: string } | undefined;
  },
): string | undefined {
  if (ref.fieldRef) return field(pod, place, ref.fieldRef.fieldPath);
  if (!ref.resourceFieldRef) return undefined;
  const { containerName, resource: name, divisor } = ref.resourceFieldRef;
  const all = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])];
  const from = containerName === undefined ? container : all.find((c) => c.name === containerName);
  return from && resource(from, name, divisor);
}
