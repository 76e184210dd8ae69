import { parseArgs } from 'node:util';
import { connectionFromEnvironment } from '../../cluster/kubeconfig.ts';
import { KubeClient } from '../../cluster/rest.ts';
import { Watch } from '../../cluster/watch.ts';
import { api } from '../../systems/gpustack/names.ts';
import type { ModelDeployment } from '../../systems/gpustack/types.ts';
import { inmates } from '../kill/container.ts';
import { startProgram } from '../program.ts';

/**
 * A `kill -9 1` that lies in wait in the operator's container: it watches a retirement and kills so many documented
 * seconds after that is seen in a state. From outside a kill comes too late for a state that lasts some milliseconds.
 */
const { scale } = startProgram();
const text = { type: 'string', default: '' } as const;
const { values } = parseArgs({ options: { namespace: text, deployment: text, state: text, after: text } });
const { namespace, deployment, state } = values;
const after = Number(values.after);
const main = inmates()[0];
if (main === undefined || !namespace || !deployment || !state || !(after >= 0)) {
  console.error('kill-at: expected --namespace, --deployment, --state and --after SECONDS in a container that runs');
  process.exit(64);
}

const path = `/apis/${api.version}/namespaces/${namespace}/modeldeployments`;
const watch = new Watch<ModelDeployment>(new KubeClient(connectionFromEnvironment()), path, {
  event: (_type, { metadata, status }) => {
    if (metadata.name !== deployment || status?.retirement?.state !== state) return;
    watch.stop();
    const kill = () => {
      process.kill(main.pid, 'SIGKILL');
      process.exit(0);
    };
    if (after === 0) kill();
    else setTimeout(kill, scale.toMs(after));
  },
});
