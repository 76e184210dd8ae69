import { duplicate, forbiddenField, invalidValue, required, unsupported } from '../causes.ts';
import type { Cause } from '../errors.ts';
import { checkLabel } from '../names.ts';
import { clone, fieldsOf, isFields, listOf, same, textField } from '../objects.ts';
import type { Fields } from '../objects.ts';
import {
  checkHook,
  checkInit,
  checkParts,
  checkProbe,
  checkResources,
  checkToleration,
  checkVolume,
} from './pod-rules.ts';

const restartPolicies = ['Always', 'OnFailure', 'Never'];
const pullPolicies = ['Always', 'IfNotPresent', 'Never'];
const protocols = ['SCTP', 'TCP', 'UDP'];

/** Fields of a probe that must not be negative. */
const probeNumbers = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];

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
    if (number === undefined || number === 0) return [required(`${at}.containerPort`)];
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

function checkContainer(container: Fields, field: string, volumes: Set<string>, grace: unknown): Cause[] {
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
    for (const part of probeNumbers) causes.push(...notNegative(probe[part], `${field}.${name}.${part}`));
    causes.push(...checkProbe(name, probe, `${field}.${name}`));
  }
  const lifecycle = fieldsOf(container['lifecycle']);
  for (const name of ['preStop', 'postStart']) {
    const hook = lifecycle[name];
    causes.push(...checkHandler(hook, `${field}.lifecycle.${name}`));
    if (isFields(hook)) causes.push(...checkHook(hook, `${field}.lifecycle.${name}`, grace));
  }
  return [...causes, ...checkParts(container, field), ...checkResources(container, field)];
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
  causes.push(...uniqueNames(containers, `${field}.containers`, names));
  causes.push(...uniqueNames(inits, `${field}.initContainers`, names));
  const grace = spec['terminationGracePeriodSeconds'];
  const known = new Set(volumes.map((v) => textField(v['name'])));
  inits.forEach((c, i) => causes.push(...checkContainer(c, `${field}.initContainers[${i}]`, known, grace)));
  containers.forEach((c, i) => causes.push(...checkContainer(c, `${field}.containers[${i}]`, known, grace)));
  volumes.forEach((volume, i) => causes.push(...checkVolume(volume, `${field}.volumes[${i}]`)));
  for (const [i, toleration] of listOf(spec['tolerations']).entries()) {
    causes.push(...checkToleration(toleration, `${field}.tolerations[${i}]`));
  }
  for (const [i, container] of inits.entries()) {
    causes.push(...checkInit(container, `${field}.initContainers[${i}]`));
  }
  const policy = spec['restartPolicy'];
  if (!restartPolicies.includes(policy as string))
    causes.push(unsupported(`${field}.restartPolicy`, policy, restartPolicies));
  const deadline = spec['activeDeadlineSeconds'];
  if (typeof deadline === 'number' && deadline < 1) {
    causes.push(
      invalidValue(`${field}.activeDeadlineSeconds`, deadline, 'must be between 1 and 2147483647, inclusive'),
    );
  }
  if (spec['dnsPolicy'] === 'None' && !isFields(spec['dnsConfig'])) {
    causes.push(required(`${field}.dnsConfig`, 'must provide `dnsConfig` when `dnsPolicy` is None'));
  }
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
