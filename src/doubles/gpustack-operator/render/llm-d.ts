import { llmdConfiguration } from '../../../routers/llm-d-configuration.ts';
import { llmdRouter } from '../../../routers/llm-d-router.ts';
import { defaults, labels, labelValues } from '../../../systems/gpustack/names.ts';
import type { Container } from '../../../systems/gpustack/readers.ts';
import type { ModelDeployment, Router } from '../../../systems/gpustack/types.ts';
import { gaugesOf } from './command.ts';
import { listenerOf } from './port.ts';
import { isSplit, pairs } from './selectors.ts';

const { ports } = llmdRouter;

/** The two containers of llm-d-router: Envoy takes the requests, the endpoint picker says where each one goes. */
export function llmdContainers(deployment: ModelDeployment, router: Router): Container[] {
  const { metadata, spec } = deployment;
  const [first] = spec.roles;
  const port = first ? listenerOf(first).port : defaults.servingPort;
  const several = spec.roles.some(({ size = 1 }) => size > 1);
  const selector = {
    [labels.name]: labelValues.name,
    [labels.instance]: metadata.name,
    ...(several ? { [labels.memberIndex]: '0' } : {}),
    [labels.eligible]: 'true',
  };
  const volumeMounts = [{ name: 'config', mountPath: '/config', readOnly: true }];
  return [
    {
      name: 'envoy',
      image: defaults.envoyImage,
      args: ['-c', '/config/envoy.yaml'],
      ports: [{ name: 'http', containerPort: ports.http, protocol: 'TCP' }],
      readinessProbe: { tcpSocket: { port: ports.http }, periodSeconds: 10, timeoutSeconds: 3 },
      volumeMounts,
    },
    {
      name: 'epp',
      image: router.image ?? defaults.routerImage,
      command: [
        'epp',
        `--endpoint-selector=${pairs(selector).join(',')}`,
        `--endpoint-target-ports=${port}`,
        '--config-file=/config/epp.yaml',
        '--secure-serving=false',
        `--grpc-port=${ports.extProc}`,
        `--grpc-health-port=${ports.health}`,
        `--metrics-port=${ports.metrics}`,
        '--metrics-endpoint-auth=false',
        ...(router.extraArgs ?? []),
      ],
      env: [{ name: 'NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } }],
      ports: [
        { name: 'grpc', containerPort: ports.extProc, protocol: 'TCP' },
        { name: 'grpc-health', containerPort: ports.health, protocol: 'TCP' },
        { name: 'metrics', containerPort: ports.metrics, protocol: 'TCP' },
      ],
      readinessProbe: { grpc: { port: ports.health }, periodSeconds: 10, timeoutSeconds: 3 },
      volumeMounts,
    },
  ];
}

/** What the two read at their start; by keys of the ConfigMap. */
export function llmdConfig(deployment: ModelDeployment, router: Router): Record<string, string> {
  const { engine } = deployment.spec;
  const [running = '', queued = ''] = gaugesOf(deployment.spec);
  return llmdConfiguration({
    kinds: isSplit(deployment) ? ['prefill', 'decode'] : ['server'],
    roleKindLabel: labels.roleKind,
    engine: { name: engine.name.toLowerCase(), queued, running },
    ...(router.requestTimeoutSeconds === undefined ? {} : { timeoutSeconds: router.requestTimeoutSeconds }),
  });
}
