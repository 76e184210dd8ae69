import { isReady, isTerminal, isTerminating } from '../objects.ts';
import type { Endpoint, Pod, Service, ServicePort } from '../objects.ts';
import { hasLabels } from '../selector.ts';

/** A port of a slice: what the Service's port is called, and where it leads on the Pods. */
export interface EndpointPort {
  name: string;
  port: number;
  protocol: string;
  appProtocol?: string;
}

/** Whether a Pod is an endpoint: it has an address and has not ended; a leaving Pod is one until its phase is terminal. */
export const isEndpoint = (service: Service, pod: Pod): boolean =>
  pod.metadata.namespace === service.metadata.namespace &&
  !isTerminal(pod) &&
  Boolean(pod.status?.podIP) &&
  hasLabels(pod.metadata.labels, service.spec.selector ?? {});

/**
 * One endpoint as Kubernetes 1.34 writes it: `serving` is the Pod's readiness, `terminating` its deletion, and `ready`
 * both together unless the Service publishes Pods that are not ready.
 */
export function endpointOf(service: Service, pod: Pod): Endpoint {
  const serving = isReady(pod);
  const terminating = isTerminating(pod);
  const named = pod.spec.hostname && pod.spec.subdomain === service.metadata.name;
  return {
    addresses: [pod.status?.podIP ?? ''],
    conditions: {
      ready: service.spec.publishNotReadyAddresses === true || (serving && !terminating),
      serving,
      terminating,
    },
    ...(named ? { hostname: pod.spec.hostname ?? '' } : {}),
    ...(pod.spec.nodeName ? { nodeName: pod.spec.nodeName } : {}),
    targetRef: {
      kind: 'Pod',
      namespace: pod.metadata.namespace ?? '',
      name: pod.metadata.name,
      uid: pod.metadata.uid ?? '',
    },
  };
}

/** The Service's ports on one Pod; a named target port that the Pod does not have is left out, as in Kubernetes. */
export function portsOn(service: Service, pod: Pod): EndpointPort[] {
  const found: EndpointPort[] = [];
  for (const port of service.spec.ports ?? []) {
    const protocol = port.protocol ?? 'TCP';
    const target = targetOf(port, pod, protocol);
    if (target === undefined) continue;
    found.push({
      name: port.name ?? '',
      port: target,
      protocol,
      ...(port.appProtocol ? { appProtocol: port.appProtocol } : {}),
    });
  }
  return found;
}

function targetOf({ targetPort, port }: ServicePort, pod: Pod, protocol: string): number | undefined {
  if (targetPort === undefined || targetPort === 0 || targetPort === '') return port;
  if (typeof targetPort === 'number') return targetPort;
  const sidecars = (pod.spec.initContainers ?? []).filter((container) => container.restartPolicy === 'Always');
  for (const container of [...pod.spec.containers, ...sidecars]) {
    const match = container.ports?.find((p) => p.name === targetPort && (p.protocol ?? 'TCP') === protocol);
    if (match) return match.containerPort;
  }
  return undefined;
}
