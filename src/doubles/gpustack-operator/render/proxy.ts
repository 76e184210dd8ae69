import { servesTls } from '../../../engines/command.ts';
import { defaults } from '../../../systems/gpustack/names.ts';
import type { Container, PodSpec } from '../../../systems/gpustack/readers.ts';
import type { ModelDeployment, Role } from '../../../systems/gpustack/types.ts';
import type { Faults } from '../faults.ts';
import { enginePortOf, isDirectDecoder, listenerOf } from './port.ts';

/**
 * The routing proxy of a direct decoder. From Kubernetes 1.29 on it is a native sidecar, which is stopped after `main`;
 * below it is the first classic container, which is stopped at the delete. It has no hook: its image has no shell.
 */
export function withProxy(
  { spec }: ModelDeployment,
  role: Role,
  pod: PodSpec,
  nativeSidecars: boolean,
  faults: Faults,
): PodSpec {
  if (!isDirectDecoder(spec, role)) return pod;
  const proxy = proxyContainer(spec, role, faults);
  if (nativeSidecars && !faults.has('proxy-is-classic'))
    return { ...pod, initContainers: [{ ...proxy, restartPolicy: 'Always' }] };
  return { ...pod, containers: [proxy, ...pod.containers] };
}

function proxyContainer(spec: ModelDeployment['spec'], role: Role, faults: Faults): Container {
  const { port } = listenerOf(role);
  const secure = servesTls(role.extraArgs ?? []);
  const hook = faults.has('proxy-gets-hook');
  return {
    name: defaults.proxyContainer,
    image: defaults.proxyImage,
    args: [
      `--port=${port}`,
      `--model-server-port=${enginePortOf(spec, role)}`,
      `--kv-connector=${spec.engine.name === 'SGLang' ? 'sglang' : 'mooncake'}`,
      `--mooncake-bootstrap-port=${defaults.bootstrapPort}`,
      '--secure-proxy=false',
      ...(secure ? ['--enable-tls=decoder', '--tls-insecure-skip-verify=decoder'] : []),
    ],
    ports: [{ name: 'http', containerPort: port, protocol: 'TCP' }],
    securityContext: { runAsNonRoot: true },
    ...(hook ? { lifecycle: { preStop: { exec: { command: ['drain-hook', '--grace', '15'] } } } } : {}),
  };
}
