import type { KubeObject } from '../../../cluster/rest.ts';
import { duplicate, invalidValue, required, unsupported } from '../causes.ts';
import type { Api } from '../context.ts';
import { invalid } from '../errors.ts';
import type { Cause } from '../errors.ts';
import { fill, isFields, listOf, specOf, textField } from '../objects.ts';
import type { Strategy } from './strategy.ts';

const services = { group: '', plural: 'services', kind: 'Service' };
const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];

function allocate(service: KubeObject, api: Api): void {
  const spec = specOf(service);
  if (spec['type'] === 'ExternalName') return;
  const asked = textField(spec['clusterIP']);
  if (asked !== 'None') {
    if (asked && !api.clusterIps.take(asked)) {
      const why = `failed to allocate IP ${asked}: provided IP is already allocated`;
      throw invalid(services, service.metadata.name, [invalidValue('spec.clusterIPs', [asked], why)]);
    }
    spec['clusterIP'] = asked || api.clusterIps.allocate();
  }
  spec['clusterIPs'] = [spec['clusterIP']];
  if (spec['type'] === 'NodePort' || spec['type'] === 'LoadBalancer') {
    for (const port of listOf(spec['ports'])) port['nodePort'] ??= api.clusterIps.allocatePort();
  }
}

function checkPorts(service: KubeObject): Cause[] {
  const spec = specOf(service);
  const ports = listOf(spec['ports']);
  if (ports.length === 0) {
    const free = spec['clusterIP'] === 'None' || spec['type'] === 'ExternalName';
    return free ? [] : [required('spec.ports')];
  }
  const seen = new Set<string>();
  return ports.flatMap((port, i) => {
    const causes: Cause[] = [];
    const name = textField(port['name']);
    if (!name && ports.length > 1) causes.push(required(`spec.ports[${i}].name`));
    if (name && seen.has(name)) causes.push(duplicate(`spec.ports[${i}].name`, name));
    seen.add(name);
    const number = port['port'];
    if (typeof number !== 'number' || !Number.isInteger(number) || number < 1 || number > 65535) {
      causes.push(invalidValue(`spec.ports[${i}].port`, number ?? 0, 'must be between 1 and 65535, inclusive'));
    }
    if (!['SCTP', 'TCP', 'UDP'].includes(port['protocol'] as string)) {
      causes.push(unsupported(`spec.ports[${i}].protocol`, port['protocol'], ['SCTP', 'TCP', 'UDP']));
    }
    const target = port['targetPort'];
    if (typeof target === 'number' && (target < 1 || target > 65535)) {
      causes.push(invalidValue(`spec.ports[${i}].targetPort`, target, 'must be between 1 and 65535, inclusive'));
    }
    return causes;
  });
}

export const serviceStrategy: Strategy = {
  defaults(service) {
    if (!isFields(service['spec'])) service['spec'] = {};
    const spec = specOf(service);
    fill(spec, { type: 'ClusterIP', sessionAffinity: 'None' });
    if (spec['type'] !== 'ExternalName') {
      fill(spec, { internalTrafficPolicy: 'Cluster', ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' });
    }
    for (const port of listOf(spec['ports'])) {
      if (isFields(port)) fill(port, { protocol: 'TCP', targetPort: port['port'] });
    }
  },
  prepareCreate(service, api) {
    allocate(service, api);
    service['status'] = { loadBalancer: {} };
  },
  prepareUpdate(service, old) {
    const spec = specOf(service);
    for (const name of ['clusterIP', 'clusterIPs']) if (!spec[name]) spec[name] = specOf(old)[name];
  },
  validate(service) {
    const { type } = specOf(service);
    if (type === 'ExternalName' && !specOf(service)['externalName']) return [required('spec.externalName')];
    return [...(types.includes(type as string) ? [] : [unsupported('spec.type', type, types)]), ...checkPorts(service)];
  },
  validateUpdate(service, old) {
    const [now, before] = [specOf(service)['clusterIP'], specOf(old)['clusterIP']];
    return before && now !== before ? [invalidValue('spec.clusterIPs[0]', [now], 'may not change once set')] : [];
  },
  removed(service, api) {
    api.clusterIps.release(textField(specOf(service)['clusterIP']));
    for (const port of listOf(specOf(service)['ports'])) api.clusterIps.releasePort(Number(port['nodePort']));
  },
};
