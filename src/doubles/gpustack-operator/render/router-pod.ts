import { createHash } from 'node:crypto';
import { annotations, defaults, routerName } from '../../../systems/gpustack/names.ts';
import type { Container } from '../../../systems/gpustack/readers.ts';
import type { ModelDeployment, Router } from '../../../systems/gpustack/types.ts';
import { llmdConfig, llmdContainers } from './llm-d.ts';
import { listenerOf } from './port.ts';
import { isSplit, pairs, workerSelector } from './selectors.ts';

/** Names of the routers whose whole work is one program. */
const programs: Record<string, string> = { 'vllm-router': 'vllm-router', 'sglang-gateway': 'sgl-model-gateway' };

/** The files that a router reads at its start; undefined where everything is in its arguments. */
export const routerConfig = (deployment: ModelDeployment, router: Router): Record<string, string> | undefined =>
  router.name === 'llm-d-router' ? llmdConfig(deployment, router) : undefined;

/** A router's Pod has no preStop and no grace of its own. It keeps its token: it finds the replicas by the API. */
export function routerPodTemplate(
  deployment: ModelDeployment,
  router: Router,
  podLabels: Record<string, string>,
): object {
  const config = routerConfig(deployment, router);
  const containers = config ? llmdContainers(deployment, router) : [programContainer(deployment, router)];
  const said = config ? [containers.map(({ command, args }) => [command, args]), config] : containers[0]?.command;
  const hash = createHash('sha256').update(JSON.stringify(said)).digest('hex').slice(0, 16);
  const name = routerName(deployment.metadata.name);
  return {
    metadata: { labels: podLabels, annotations: { [annotations.routerHash]: hash } },
    spec: {
      serviceAccountName: name,
      enableServiceLinks: false,
      containers,
      ...(config ? { volumes: [{ name: 'config', configMap: { name } }] } : {}),
    },
  };
}

function programContainer(deployment: ModelDeployment, router: Router): Container {
  return {
    name: 'router',
    image: router.image ?? defaults.routerImage,
    command: programCommand(deployment, router),
    ports: [
      { name: 'http', containerPort: defaults.routerPort, protocol: 'TCP' },
      { name: 'metrics', containerPort: defaults.routerMetricsPort, protocol: 'TCP' },
    ],
    readinessProbe: { tcpSocket: { port: defaults.routerPort }, periodSeconds: 10, timeoutSeconds: 3 },
  };
}

function programCommand(deployment: ModelDeployment, router: Router): string[] {
  const { namespace = '' } = deployment.metadata;
  const [first] = deployment.spec.roles;
  const port = first ? listenerOf(first).port : defaults.servingPort;
  const timeout = router.requestTimeoutSeconds;
  return [
    programs[router.name] ?? router.name,
    '--host=0.0.0.0',
    `--port=${defaults.routerPort}`,
    '--prometheus-host=0.0.0.0',
    `--prometheus-port=${defaults.routerMetricsPort}`,
    ...(timeout === undefined ? [] : [`--request-timeout-secs=${timeout}`]),
    '--service-discovery',
    `--service-discovery-namespace=${namespace}`,
    `--service-discovery-port=${port}`,
    ...selectors(deployment, router),
    ...(router.extraArgs ?? []),
  ];
}

function selectors(deployment: ModelDeployment, router: Router): string[] {
  const of = (kind: string) => pairs(workerSelector(deployment, kind));
  if (!isSplit(deployment)) return ['--selector', ...of('server')];
  const halves = ['--prefill-selector', ...of('prefill'), '--decode-selector', ...of('decode')];
  return router.name === 'vllm-router'
    ? ['--vllm-pd-disaggregation', ...halves, '--kv-connector=mooncake']
    : ['--pd-disaggregation', ...halves];
}
