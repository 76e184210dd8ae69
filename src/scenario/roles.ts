import { dynamo } from '../requirements/dynamo.ts';
import type { Seconds } from '../time/scale.ts';
import type { Scenario } from './scenario.ts';

/** A role of a deployment, or a component of a graph, as far as every system has it. */
export interface DeployedRole {
  deployment: string;
  name: string;
  replicas: number;
  /** Pods and accelerators of each replica. */
  size: number;
  accelerators: number;
  /** Absent: that of Kubernetes. */
  grace?: Seconds;
}

/** Every role that a scenario deploys, in its order. */
export function rolesOf({ deploy }: Scenario): DeployedRole[] {
  if (deploy.kind === 'dynamo') {
    return deploy.deployments.flatMap(({ name: deployment, components }) =>
      components.map(({ name, replicas, terminationGracePeriodSeconds: grace = dynamo.podGrace }) => ({
        ...{ deployment, name, replicas, size: 1, accelerators: 0, grace },
      })),
    );
  }
  return deploy.deployments.flatMap(({ name: deployment, roles }) =>
    roles.map(({ name, replicas, size = 1, accelerators = 1, terminationGracePeriodSeconds: grace }) => ({
      ...{ deployment, name, replicas, size, accelerators: accelerators * size },
      ...(grace === undefined ? {} : { grace }),
    })),
  );
}
