import { duplicate, forbiddenField, invalidValue, required, unsupported } from '../causes.ts';
import type { Cause } from '../errors.ts';
import { checkLabel } from '../names.ts';
import { clone, fieldsOf, isFields, listOf, same, textField } from '../objects.ts';
import type { Fields } from '../objects.ts';

const restartPolicies = ['Always', 'OnFailure', 'Never'];
const pullPolicies = ['Always', 'IfNotPresent', 'Never'];
const protocols = ['TCP', 'UDP', 'SCTP'];

/** Fields of a probe and the least that they may be. */
const probeFloor = {
  initialDelaySeconds: 0,
  timeoutSeconds: 1,
  periodSeconds: 1,
  successThreshold: 1,
  failureThreshold: 1,
};

function notNegative(value: unknown, field: string, least = 0): Cause[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least) {
    return [invalidValue(field, value, `must be greater than or equal to ${least}`)];
  }
  return [];
}

function uniqueNames(items: Fields[], field: string, seen = new Set<string>()): Cause[] {
  return items.flatMap((item, i) => {
    const name = textField(item['name']);
    if (!name) return [required(`${field}[${i}].name`)];
    if (seen.has(name)) return [duplicate(`${field}[${i}].name`, name)];
    seen.add(name);
    return checkLabel(name, `${field}[${i}].name`);
  });
}

function checkPorts(ports: Fields[], field: string): Cause[] {
  return ports.flatMap((port, i) => {
    const number = port['containerPort'];
    const at = `${field}[${i}]`;
    if (number === undefined) return [required(`${at}.containerPort`)];
    const valid = typeof number === 'number' && Number.isInteger(number) && number > 0 && number < 65536;
    const wrong = valid ? [] : [invalidValue(`${at}.containerPort`, number, 'must be between 1 and 65535, inclusive')];
    const protocol = port['protocol'];
    return protocols.includes(protocol as string)
      ? wrong
      : [...wrong, unsupported(`${at}.protocol`, protocol, protocols)];
  });
}

const handlers = ['exec', 'httpGet', 'tcpSocket', 'sleep', 'grpc'];

function checkHandler(holder: unknown, field: string): Cause[] {
  if (holder === undefined || holder === null) return [];
  const named = handlers.filter((h) => isFields(fieldsOf(holder)[h]));
  if (named.length === 0) return [required(field, 'must specify a handler type')];
  return named.slice(1).map((h) => forbiddenField(`${field}.${h}`, 'may not specify more than 1 handler type'));
}

function checkContainer(container: Fields, field: string, volumes: Set<string>): Cause[] {
  const causes: Cause[] = [];
  if (!container['image']) causes.push(required(`${field}.image`));
  const policy = container['imagePullPolicy'];
  if (!pullPolicies.includes(policy as string))
    causes.push(unsupported(`${field}.imagePullPolicy`, policy, pullPolicies));
  causes.push(...checkPorts(listOf(container['ports']), `${field}.ports`));
  for (const [i, variable] of listOf(container['env']).entries()) {
    if (!variable['name']) causes.push(required(`${field}.env[${i}].name`));
  }
  for (const [i, mount] of listOf(container['volumeMounts']).entries()) {
    const at = `${field}.volumeMounts[${i}]`;
    const name = textField(mount['name']);
    if (!name) causes.push(required(`${at}.name`));
    else if (!volumes.has(name)) {
      causes.push({ reason: 'FieldValueNotFound', field: `${at}.name`, message: `Not found: ${JSON.stringify(name)}` });
    }
    if (!mount['mountPath']) causes.push(required(`${at}.mountPath`));
  }
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    const probe = container[name];
    if (!isFields(probe)) continue;
    causes.push(...checkHandler(probe, `${field}.${name}`));
    for (const [part, least] of Object.entries(probeFloor)) {
      causes.push(...notNegative(probe[part], `${field}.${name}.${part}`, least));
    }
  }
  const lifecycle = fieldsOf(container['lifecycle']);
  for (const name of ['preStop', 'postStart']) {
    causes.push(...checkHandler(lifecycle[name], `${field}.lifecycle.${name}`));
  }
  return causes;
}

/** What is wrong with a Pod's spec that stands at `field`. */
export function checkPodSpec(spec: Fields, field: string): Cause[] {
  const causes: Cause[] = [];
  const containers = listOf(spec['containers']);
  const inits = listOf(spec['initContainers']);
  const volumes = listOf(spec['volumes']);
  if (containers.length === 0) causes.push(required(`${field}.containers`));
  const wrong = [...containers, ...inits, ...volumes].find((item) => !isFields(item));
  if (wrong !== undefined) return [...causes, invalidValue(field, wrong, 'containers and volumes must be objects')];
  causes.push(...uniqueNames(volumes, `${field}.volumes`));
  const names = new Set<string>();
  causes.push(...uniqueNames(inits, `${field}.initContainers`, names));
  causes.push(...uniqueNames(containers, `${field}.containers`, names));
  const known = new Set(volumes.map((v) => textField(v['name'])));
  inits.forEach((c, i) => causes.push(...checkContainer(c, `${field}.initContainers[${i}]`, known)));
  containers.forEach((c, i) => causes.push(...checkContainer(c, `${field}.containers[${i}]`, known)));
  for (const [i, container] of inits.entries()) {
    const policy = container['restartPolicy'];
    if (policy !== undefined && policy !== 'Always') {
      causes.push(unsupported(`${field}.initContainers[${i}].restartPolicy`, policy, ['Always']));
    }
  }
  const policy = spec['restartPolicy'];
  if (!restartPolicies.includes(policy as string))
    causes.push(unsupported(`${field}.restartPolicy`, policy, restartPolicies));
  causes.push(...notNegative(spec['terminationGracePeriodSeconds'], `${field}.terminationGracePeriodSeconds`));
  causes.push(...notNegative(spec['activeDeadlineSeconds'], `${field}.activeDeadlineSeconds`, 1));
  return causes;
}

const IMMUTABLE =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** What an update changes in a Pod's spec that it may not change. */
export function checkPodUpdate(spec: Fields, old: Fields): Cause[] {
  const allowed = clone(spec);
  for (const list of ['containers', 'initContainers']) {
    for (const [i, container] of listOf(allowed[list]).entries()) {
      const before = listOf(old[list])[i];
      if (before) container['image'] = before['image'];
    }
  }
  for (const name of ['activeDeadlineSeconds', 'tolerations', 'schedulingGates']) {
    if (old[name] === undefined) delete allowed[name];
    else allowed[name] = old[name];
  }
  const tolerations = listOf(spec['tolerations']);
  const kept = listOf(old['tolerations']).every((t) => tolerations.some((now) => same(now, t)));
  if (!kept)
    return [forbiddenField('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds')];
  return same(allowed, old) ? [] : [forbiddenField('spec', IMMUTABLE)];
}
