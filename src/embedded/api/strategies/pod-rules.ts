// Rules of a Pod's parts that are rarely broken, each in the words of a real server (measured on 1.34.4).
import { duplicate, forbiddenField, invalidValue, required, unsupported } from '../causes.ts';
import type { Cause } from '../errors.ts';
import { fieldsOf, isFields, listOf, textField } from '../objects.ts';
import type { Fields } from '../objects.ts';
import { quantity } from '../../controllers/quantity.ts';

const PORT_RANGE = 'must be between 1 and 65535, inclusive';
const isPort = (port: unknown) => typeof port === 'number' && Number.isInteger(port) && port > 0 && port < 65536;

/** Image, names of ports, variables and mounts of a container. */
export function checkParts(container: Fields, field: string): Cause[] {
  const causes: Cause[] = [];
  const image = textField(container['image']);
  if (image !== image.trim())
    causes.push(invalidValue(`${field}.image`, image, 'must not have leading or trailing whitespace'));
  const names = new Set<string>();
  for (const [i, port] of listOf(container['ports']).entries()) {
    const name = textField(port['name']);
    if (!name) continue;
    const at = `${field}.ports[${i}].name`;
    if (!/^[a-z0-9-]+$/i.test(name) || /_/.test(name)) {
      causes.push(invalidValue(at, name, 'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)'));
    } else if (names.has(name)) causes.push(duplicate(at, name));
    names.add(name);
  }
  for (const [i, variable] of listOf(container['env']).entries())
    causes.push(...checkVariable(variable, `${field}.env[${i}]`));
  const paths = new Set<unknown>();
  for (const [i, { mountPath }] of listOf(container['volumeMounts']).entries()) {
    if (paths.has(mountPath))
      causes.push(invalidValue(`${field}.volumeMounts[${i}].mountPath`, mountPath, 'must be unique'));
    paths.add(mountPath);
  }
  return causes;
}

const sources = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'];

function checkVariable({ name, value, valueFrom }: Fields, at: string): Cause[] {
  const causes: Cause[] = [];
  if (textField(name).includes('=')) {
    const rule = "a valid environment variable name must consist only of printable ASCII characters other than '='";
    causes.push(invalidValue(`${at}.name`, name, rule));
  }
  if (!isFields(valueFrom)) return causes;
  if (value) causes.push(invalidValue(`${at}.valueFrom`, '', 'may not be specified when `value` is not empty'));
  else if (!sources.some((source) => isFields(valueFrom[source]))) {
    const rule = 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`';
    causes.push(invalidValue(`${at}.valueFrom`, '', rule));
  }
  const path = textField(fieldsOf(valueFrom['fieldRef'])['fieldPath']);
  if (path && !/^(metadata\.|spec\.(nodeName|serviceAccountName)$|status\.(podIP|hostIP)s?$)/.test(path)) {
    const why = `error converting fieldPath: field label not supported: ${path}`;
    causes.push(invalidValue(`${at}.valueFrom.fieldRef.fieldPath`, path, why));
  }
  return causes;
}

/** What a probe of this kind may say. */
export function checkProbe(kind: string, probe: Fields, field: string): Cause[] {
  const causes: Cause[] = [];
  const { successThreshold, terminationGracePeriodSeconds: grace } = probe;
  if (kind !== 'readinessProbe' && typeof successThreshold === 'number' && successThreshold > 1) {
    causes.push(invalidValue(`${field}.successThreshold`, successThreshold, 'must be 1'));
  }
  if (typeof grace === 'number') {
    const at = `${field}.terminationGracePeriodSeconds`;
    if (kind === 'readinessProbe') causes.push(invalidValue(at, grace, 'must not be set for readinessProbes'));
    else if (grace < 1) causes.push(invalidValue(at, grace, 'must be greater than 0'));
  }
  return [...causes, ...checkRequest(probe, field)];
}

/** What a handler of a hook may say; `grace` in seconds. */
export function checkHook(hook: Fields, field: string, grace: unknown): Cause[] {
  const causes = checkRequest(hook, field);
  if (isFields(hook['exec']) && listOf(hook['exec']['command']).length === 0)
    causes.push(required(`${field}.exec.command`));
  const seconds = fieldsOf(hook['sleep'])['seconds'];
  if (typeof seconds === 'number' && typeof grace === 'number' && (seconds < 0 || seconds >= grace)) {
    const rule = `must be non-negative and less than terminationGracePeriodSeconds (${grace})`;
    causes.push(invalidValue(`${field}.sleep`, seconds, rule));
  }
  return causes;
}

function checkRequest(holder: Fields, field: string): Cause[] {
  const { httpGet } = holder;
  if (!isFields(httpGet)) return [];
  const { port = 0, scheme } = httpGet;
  const causes: Cause[] = [];
  if (typeof port === 'number' && !isPort(port)) causes.push(invalidValue(`${field}.httpGet.port`, port, PORT_RANGE));
  if (scheme !== undefined && scheme !== 'HTTP' && scheme !== 'HTTPS') {
    causes.push(unsupported(`${field}.httpGet.scheme`, scheme, ['HTTP', 'HTTPS']));
  }
  return causes;
}

/** What an init container that is no sidecar must not have. */
export function checkInit(container: Fields, field: string): Cause[] {
  if (container['restartPolicy'] === 'Always') return [];
  return ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe']
    .filter((name) => isFields(container[name]))
    .map((name) =>
      forbiddenField(`${field}.${name}`, 'may not be set for init containers without restartPolicy=Always'),
    );
}

const standard = ['cpu', 'memory', 'ephemeral-storage'];

/** Requests and limits of a container. */
export function checkResources({ resources }: Fields, field: string): Cause[] {
  const { limits, requests } = fieldsOf(resources) as { limits?: Fields; requests?: Fields };
  const causes: Cause[] = [];
  for (const [kind, told] of Object.entries({ limits: fieldsOf(limits), requests: fieldsOf(requests) })) {
    for (const [name, amount] of Object.entries(told)) {
      const at = `${field}.resources.${kind}[${name}]`;
      if (!name.includes('/') && !standard.includes(name) && !name.startsWith('hugepages-')) {
        causes.push(invalidValue(at, name, 'must be a standard resource type or fully qualified'));
        causes.push(invalidValue(at, name, 'must be a standard resource for containers'));
      } else if (quantity(textField(amount)) < 0) {
        causes.push(invalidValue(at, textField(amount), 'must be greater than or equal to 0'));
      } else if (name.includes('/') && !Number.isInteger(quantity(textField(amount)))) {
        causes.push(invalidValue(at, textField(amount), 'must be an integer'));
      }
    }
  }
  if (causes.length > 0) return causes;
  for (const [name, amount] of Object.entries(fieldsOf(requests))) {
    const limit = fieldsOf(limits)[name];
    const at = `${field}.resources`;
    if (limit !== undefined && quantity(textField(amount)) > quantity(textField(limit))) {
      const rule = `must be less than or equal to ${name} limit of ${textField(limit)}`;
      causes.push(invalidValue(`${at}.requests`, textField(amount), rule));
    } else if (limit === undefined && name.includes('/')) {
      causes.push(required(`${at}.limits`, 'Limit must be set for non overcommitable resources'));
    }
  }
  return causes;
}

const volumeKinds = [
  'hostPath',
  'emptyDir',
  'secret',
  'configMap',
  'downwardAPI',
  'projected',
  'persistentVolumeClaim',
];

/** The sources of a volume. */
export function checkVolume(volume: Fields, field: string): Cause[] {
  const named = volumeKinds.filter((kind) => isFields(volume[kind]));
  const causes = named
    .slice(1)
    .map((kind) => forbiddenField(`${field}.${kind}`, 'may not specify more than 1 volume type'));
  const { configMap } = volume;
  if (isFields(configMap) && !configMap['name']) causes.push(required(`${field}.configMap.name`));
  return causes;
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function checkToleration({ operator, value, effect, tolerationSeconds }: Fields, field: string): Cause[] {
  const causes: Cause[] = [];
  if (operator === 'Exists' && value) {
    causes.push(invalidValue(`${field}.operator`, value, "value must be empty when `operator` is 'Exists'"));
  }
  if (effect && !effects.includes(effect as string)) causes.push(unsupported(`${field}.effect`, effect, effects));
  else if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
    causes.push(invalidValue(`${field}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"));
  }
  return causes;
}
