import { isStatus } from '../../cluster/errors.ts';
import { connectionFromEnvironment } from '../../cluster/kubeconfig.ts';
import { collectionPath } from '../../cluster/paths.ts';
import { KubeClient, type KubeObject } from '../../cluster/rest.ts';
import { Watch } from '../../cluster/watch.ts';
import { dynamoFacts } from '../../engines/dynamo/facts.ts';
import { graphObjects } from '../../systems/dynamo/graph.ts';
import { readGraph } from '../../systems/dynamo/operator.ts';
import { startProgram } from '../program.ts';

/**
 * Stands for Dynamo's operator, as far as it decides how Pods leave: it renders each graph once, and everything that it makes
 * belongs to the graph.
 */
const { faults, log } = startProgram();
const client = new KubeClient(connectionFromEnvironment());
const { POD_NAMESPACE: namespace = '' } = process.env;
const { apiVersion, plural, kind } = dynamoFacts.graph;

/** The grace that Kubernetes gives where nobody says one. */
const KUBERNETES_GRACE = 30;

async function render(graph: KubeObject): Promise<void> {
  const { name, uid = '' } = graph.metadata;
  const input = readGraph(graph);
  if (faults.has('dynamo-operator-forgets-grace'))
    for (const component of input.components) component.terminationGracePeriodSeconds ??= KUBERNETES_GRACE;
  for (const object of graphObjects(namespace, input)) {
    const ownerReferences = [{ apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }];
    const owned = { ...object, metadata: { ...object.metadata, ownerReferences } };
    try {
      await client.create(collectionPath(owned), owned);
    } catch (error) {
      if (!isStatus(error, 409)) throw error; // made before, by this operator or an earlier one
    }
  }
  log(`rendered ${name}`);
}

new Watch(client, `/apis/${apiVersion}/namespaces/${namespace}/${plural}`, {
  event: (type: string, graph: KubeObject) => {
    if (type === 'ADDED') void render(graph);
  },
});
process.on('SIGTERM', () => process.exit(0));
