/** How a list of a built-in kind is merged: by the value of a key, as a set of plain values, or as one piece. */
export type ListRule = { key: string } | 'set' | 'atomic';

/** Lists by the name of their field: the names are unambiguous in the served kinds, apart from `ports`. */
const rules: Record<string, ListRule> = {
  addresses: { key: 'type' },
  clusterIPs: 'atomic',
  conditions: { key: 'type' },
  containers: { key: 'name' },
  env: { key: 'name' },
  ephemeralContainers: { key: 'name' },
  finalizers: 'set',
  hostAliases: { key: 'ip' },
  hostIPs: 'atomic',
  imagePullSecrets: { key: 'name' },
  initContainers: { key: 'name' },
  ownerReferences: { key: 'uid' },
  podCIDRs: 'set',
  podIPs: { key: 'ip' },
  resourceClaims: { key: 'name' },
  schedulingGates: { key: 'name' },
  secrets: { key: 'name' },
  topologySpreadConstraints: { key: 'topologyKey' },
  volumeDevices: { key: 'devicePath' },
  volumeMounts: { key: 'mountPath' },
  volumes: { key: 'name' },
};

const containerLists = new Set(['containers', 'initContainers', 'ephemeralContainers']);

/**
 * The rule for the list at `field`. `parent` is the name of the list or the object that holds it, `kind` that of the
 * whole object.
 */
export function listRule(kind: string, parent: string, field: string): ListRule {
  if (field === 'ports') {
    if (containerLists.has(parent)) return { key: 'containerPort' };
    return kind === 'Service' && parent === 'spec' ? { key: 'port' } : 'atomic';
  }
  // The endpoints of a slice hold `conditions` and `addresses` of another make.
  if (kind === 'EndpointSlice' || kind === 'Endpoints')
    return field === 'finalizers' || field === 'ownerReferences' ? (rules[field] ?? 'atomic') : 'atomic';
  return Object.hasOwn(rules, field) ? (rules[field] ?? 'atomic') : 'atomic';
}

/** The keys that name an item in server-side apply; more than one where the schema says so. */
export function applyKeys(kind: string, parent: string, field: string): string[] | 'set' | 'atomic' {
  const rule = listRule(kind, parent, field);
  if (rule === 'set' || rule === 'atomic') return rule;
  return rule.key === 'containerPort' || rule.key === 'port' ? [rule.key, 'protocol'] : [rule.key];
}
