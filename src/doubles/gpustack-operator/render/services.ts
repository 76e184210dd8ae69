import type { KubeObject } from '../../../cluster/rest.ts';
import { labels, labelValues, replicaService, roleService } from '../../../systems/gpustack/names.ts';
import type { ModelDeployment, Role } from '../../../systems/gpustack/types.ts';
import { ownerOf } from './pod.ts';
import { isDirectDecoder, listenerOf } from './port.ts';

/**
 * The Services of a deployment: `<md>` for its first role, `<md>-<role>` for each, and a headless one for each replica
 * of several Pods.
 * @param decided roles of which it is known what is eligible: from then on their Services select by that
 */
export function services(
  deployment: ModelDeployment,
  decided: (role: string, service: string) => boolean,
): KubeObject[] {
  const { name } = deployment.metadata;
  const { roles } = deployment.spec;
  const [first] = roles;
  const of = (service_: string, role: Role) => service(deployment, service_, role, decided(role.name, service_));
  return [
    ...(first ? [of(name, first)] : []),
    ...roles.map((role) => of(roleService(name, role.name), role)),
    ...roles.flatMap((role) => headless(deployment, role)),
  ];
}

function service(deployment: ModelDeployment, name: string, role: Role, decided: boolean): KubeObject {
  const { port } = listenerOf(role);
  const several = (role.size ?? 1) > 1;
  return {
    ...base(deployment, name),
    spec: {
      type: 'ClusterIP',
      selector: {
        ...roleSelector(deployment, role),
        ...(several ? { [labels.memberIndex]: '0' } : {}),
        ...(decided ? { [labels.eligible]: 'true' } : {}),
      },
      ports: [
        { name: 'http', port, targetPort: isDirectDecoder(deployment.spec, role) ? port : 'http', protocol: 'TCP' },
      ],
    },
  };
}

function headless(deployment: ModelDeployment, role: Role): KubeObject[] {
  if ((role.size ?? 1) === 1) return [];
  const { port } = listenerOf(role);
  return Array.from({ length: role.replicas ?? 1 }, (_, ordinal) => ({
    ...base(deployment, replicaService(deployment.metadata.name, role.name, ordinal)),
    spec: {
      type: 'ClusterIP',
      clusterIP: 'None',
      publishNotReadyAddresses: true,
      selector: { ...roleSelector(deployment, role), [labels.ordinal]: String(ordinal) },
      ports: [{ name: 'http', port, targetPort: port, protocol: 'TCP' }],
    },
  }));
}

const roleSelector = (deployment: ModelDeployment, role: Role): Record<string, string> => ({
  [labels.name]: labelValues.name,
  [labels.instance]: deployment.metadata.name,
  [labels.component]: role.name,
});

function base(deployment: ModelDeployment, name: string): KubeObject {
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
  };
}
