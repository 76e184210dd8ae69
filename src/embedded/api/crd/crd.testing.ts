/** A CustomResourceDefinition that resembles the one of GPUStack, in two versions. */
export const NAME = 'modeldeployments.worker.gpustack.ai';
export const DEPLOYMENTS = '/apis/worker.gpustack.ai/v1alpha1/namespaces/default/modeldeployments';
export const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const role = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', pattern: '^[a-z]+$', maxLength: 5 },
    kind: { type: 'string', enum: ['Server', 'Prefill', 'Decode'], default: 'Server' },
    replicas: { type: 'integer', format: 'int32', minimum: 1, maximum: 1024, default: 1 },
    terminationGracePeriodSeconds: { type: 'integer', format: 'int64', minimum: 15, maximum: 3600 },
    port: { 'x-kubernetes-int-or-string': true },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    ratio: { type: 'number', nullable: true },
    args: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
  },
};

const schema = {
  openAPIV3Schema: {
    type: 'object',
    required: ['spec'],
    properties: {
      spec: {
        type: 'object',
        required: ['roles'],
        properties: {
          roles: {
            type: 'array',
            minItems: 1,
            maxItems: 3,
            items: role,
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
          },
        },
      },
      status: { type: 'object', properties: { phase: { type: 'string' } } },
    },
  },
};

export const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: NAME },
  spec: {
    group: 'worker.gpustack.ai',
    scope: 'Namespaced',
    names: { plural: 'modeldeployments', kind: 'ModelDeployment', shortNames: ['md'] },
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        schema,
        subresources: { status: {} },
        additionalPrinterColumns: [
          { name: 'Roles', type: 'string', jsonPath: '.spec.roles[*].name' },
          { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
          { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ],
      },
      { name: 'v1', served: true, storage: false, schema, subresources: { status: {} } },
    ],
  },
};

export const deployment = (name: string, roles: object[]) => ({
  apiVersion: 'worker.gpustack.ai/v1alpha1',
  kind: 'ModelDeployment',
  metadata: { name },
  spec: { roles },
});
