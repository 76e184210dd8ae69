import type { KubeObject } from '../../../cluster/rest.ts';
import { forbiddenField, invalidValue, required, unsupported } from '../causes.ts';
import type { Cause } from '../errors.ts';
import { at, fieldsOf, fill, isFields, same, specOf } from '../objects.ts';
import type { Fields } from '../objects.ts';
import { selectorMatches } from '../selectors.ts';
import { podSpecDefaults } from './pod-defaults.ts';
import { checkPodSpec } from './pod-validation.ts';
import type { Strategy } from './strategy.ts';

function template(object: KubeObject): Fields {
  const spec = specOf(object);
  if (!isFields(spec['template'])) spec['template'] = {};
  return fieldsOf(spec['template']);
}

function defaultTemplate(object: KubeObject): void {
  if (!isFields(object['spec'])) object['spec'] = {};
  const pod = template(object);
  fill(pod, { metadata: {}, spec: {} });
  podSpecDefaults(fieldsOf(pod['spec']));
}

function checkWorkload(object: KubeObject): Cause[] {
  const spec = specOf(object);
  const causes: Cause[] = [];
  const replicas = spec['replicas'];
  if (replicas !== undefined && (!Number.isInteger(replicas) || (replicas as number) < 0)) {
    causes.push(invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0'));
  }
  const labels = fieldsOf(at(spec, 'template', 'metadata', 'labels')) as Record<string, string>;
  if (!isFields(spec['selector'])) causes.push(required('spec.selector'));
  else if (Object.keys(spec['selector']).length === 0) {
    causes.push(invalidValue('spec.selector', spec['selector'], 'empty selector is invalid for deployment'));
  } else if (!selectorMatches(spec['selector'], labels)) {
    causes.push(invalidValue('spec.template.metadata.labels', labels, '`selector` does not match template `labels`'));
  }
  causes.push(...checkRollout(object.kind, spec));
  return [...causes, ...checkPodSpec(fieldsOf(at(spec, 'template', 'spec')), 'spec.template.spec')];
}

/** The parts of a Deployment's spec that steer its rollout. */
function checkRollout(kind: string | undefined, spec: Fields): Cause[] {
  const causes: Cause[] = [];
  const policy = at(spec, 'template', 'spec', 'restartPolicy');
  if (policy !== undefined && policy !== 'Always') {
    causes.push(unsupported('spec.template.spec.restartPolicy', policy, ['Always']));
  }
  if (kind !== 'Deployment') return causes;
  const { type, rollingUpdate } = fieldsOf(spec['strategy']);
  const { maxSurge, maxUnavailable } = fieldsOf(rollingUpdate);
  if (type !== 'Recreate' && type !== 'RollingUpdate') {
    causes.push(
      unsupported('spec.strategy', { Type: type, RollingUpdate: rollingUpdate ?? null }, ['Recreate', 'RollingUpdate']),
    );
  }
  if (type === 'Recreate' && isFields(rollingUpdate)) {
    causes.push(
      forbiddenField('spec.strategy.rollingUpdate', "may not be specified when strategy `type` is 'Recreate'"),
    );
  }
  const none = (value: unknown) => value === 0 || value === '0%';
  if (none(maxSurge) && none(maxUnavailable)) {
    const rule = 'may not be 0 when `maxSurge` is 0';
    causes.push(invalidValue('spec.strategy.rollingUpdate.maxUnavailable', maxUnavailable, rule));
  }
  const { progressDeadlineSeconds: deadline, minReadySeconds: rest = 0 } = spec;
  if (typeof deadline === 'number' && deadline <= Number(rest)) {
    causes.push(invalidValue('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds'));
  }
  return causes;
}

const selectorKept = (object: KubeObject, old: KubeObject): Cause[] =>
  same(specOf(object)['selector'], specOf(old)['selector'])
    ? []
    : [invalidValue('spec.selector', specOf(object)['selector'], 'field is immutable')];

const workload = (defaults: (spec: Fields) => void): Strategy => ({
  generation: true,
  defaults(object) {
    defaultTemplate(object);
    defaults(specOf(object));
  },
  prepareCreate(object) {
    object['status'] = {};
  },
  validate: checkWorkload,
  validateUpdate: selectorKept,
});

export const deploymentStrategy = workload((spec) => {
  fill(spec, { replicas: 1, strategy: {}, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
  const strategy = fieldsOf(spec['strategy']);
  fill(strategy, { type: 'RollingUpdate' });
  if (strategy['type'] !== 'RollingUpdate') return;
  fill(strategy, { rollingUpdate: {} });
  fill(fieldsOf(strategy['rollingUpdate']), { maxUnavailable: '25%', maxSurge: '25%' });
});

export const replicaSetStrategy: Strategy = {
  ...workload((spec) => fill(spec, { replicas: 1 })),
  prepareCreate(object) {
    object['status'] = { replicas: 0 };
  },
};

export const statefulSetStrategy = workload((spec) =>
  fill(spec, {
    replicas: 1,
    podManagementPolicy: 'OrderedReady',
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
    revisionHistoryLimit: 10,
  }),
);

export const daemonSetStrategy = workload((spec) =>
  fill(spec, {
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
    revisionHistoryLimit: 10,
  }),
);
