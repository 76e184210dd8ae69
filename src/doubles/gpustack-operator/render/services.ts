import type { KubeObject } from '../../../cluster/rest.ts';
import { labels, labelValues, roleService } from '../../../systems/gpustack/names.ts';
import type { ModelDeployment, Role } from '../../../systems/gpustack/types.ts';
import { listenerOf } from './port.ts';
import { ownerOf } from './pod.ts';

/** The Services of a deployment: `<md>` for its first role, and `<md>-<role>` for each. */
export function services(deployment: ModelDeployment): KubeObject[] {
  const { name } = deployment.metadata;
  const { roles } = deployment.spec;
  const [first] = roles;
  return [
    ...(first ? [service(deployment, name, first)] : []),
    ...roles.map((role) => service(deployment, roleService(name, role.name), role)),
  ];
}

function service(deployment: ModelDeployment, name: string, role: Role): KubeObject {
  const { name: instance, namespace = '' } = deployment.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name,
      namespace,
      labels: { [labels.name]: labelValues.name, [labels.instance]: instance, [labels.partOf]: labelValues.partOf },
      ownerReferences: [ownerOf(deployment)],
    },
    spec: {
      type: 'ClusterIP',
      selector: { [labels.name]: labelValues.name, [labels.instance]: instance, [labels.component]: role.name },
      ports: [{ name: 'http', port: listenerOf(role).port, targetPort: 'http', protocol: 'TCP' }],
    },
  };
}
