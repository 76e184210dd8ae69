import { parseArgs } from 'node:util';
import { connectionFromEnvironment } from '../../cluster/kubeconfig.ts';
import { KubeClient } from '../../cluster/rest.ts';
import { releases, type Release } from '../../systems/gpustack/operator.ts';
import { startProgram } from '../program.ts';
import { Operator } from './operator.ts';

const usage = `gpustack-operator [--namespace NAME] [--release ${releases.join('|')}] [--kubernetes 1.N]`;
const program = startProgram();

/** The release from which on an init container can be a native sidecar without a feature gate. */
const NATIVE_SIDECARS = 29;

function options(): { namespace?: string | undefined; release: Release; kubernetes?: string | undefined } {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ options: { namespace: text, release: text, kubernetes: text } });
  const release = releases.find((known) => known === (values.release ?? 'v0.9.2'));
  if (!release) throw new Error(`unknown release "${values.release}"`);
  if (values.kubernetes !== undefined && !/^1\.\d+$/.test(values.kubernetes))
    throw new Error(`--kubernetes ${values.kubernetes}: expected 1.MINOR, such as 1.28`);
  return { namespace: values.namespace, release, kubernetes: values.kubernetes };
}

try {
  const { namespace, release, kubernetes } = options();
  const client = new KubeClient(connectionFromEnvironment());
  const { faults, scale, log } = program;
  const minor = kubernetes ? kubernetes.slice(2) : (await client.get<{ minor: string }>('/version')).minor;
  const nativeSidecars = Number.parseInt(minor) >= NATIVE_SIDECARS;
  log(`gpustack-operator ${release}, ${namespace ? `namespace ${namespace}` : 'all namespaces'}`);
  new Operator({ client, faults, scale, log, release, nativeSidecars }, namespace);
} catch (error) {
  program.log(`${(error as Error).message}\nusage: ${usage}`);
  process.exit(64);
}

// At once: all state is in the API, and two operators must not overlap for longer than need be.
process.on('SIGTERM', () => process.exit(0));
