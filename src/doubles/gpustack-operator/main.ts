import { parseArgs } from 'node:util';
import { connectionFromEnvironment } from '../../cluster/kubeconfig.ts';
import { KubeClient } from '../../cluster/rest.ts';
import { releases, type Release } from '../../systems/gpustack/operator.ts';
import { startProgram } from '../program.ts';
import { Operator } from './operator.ts';

const usage = `gpustack-operator [--namespace NAME] [--release ${releases.join('|')}]`;
const program = startProgram();

function options(): { namespace?: string | undefined; release: Release } {
  const { values } = parseArgs({ options: { namespace: { type: 'string' }, release: { type: 'string' } } });
  const release = releases.find((known) => known === (values.release ?? 'v0.9.2'));
  if (!release) throw new Error(`unknown release "${values.release}"`);
  return { namespace: values.namespace, release };
}

try {
  const { namespace, release } = options();
  const client = new KubeClient(connectionFromEnvironment());
  const { faults, scale, log } = program;
  log(`gpustack-operator ${release}, ${namespace ? `namespace ${namespace}` : 'all namespaces'}`);
  new Operator({ client, faults, scale, log, release }, namespace);
} catch (error) {
  program.log(`${(error as Error).message}\nusage: ${usage}`);
  process.exit(64);
}

// At once: all state is in the API, and two operators must not overlap for longer than need be.
process.on('SIGTERM', () => process.exit(0));
