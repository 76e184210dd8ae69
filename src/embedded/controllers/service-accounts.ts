import { isStatus } from '../../cluster/errors.ts';
import type { KubeObject } from '../../cluster/rest.ts';
import type { Context, Controller } from './context.ts';
import { isTerminating } from './objects.ts';
import { collections, inNamespace } from './paths.ts';
import { WorkQueue } from './queue.ts';

/** Gives every namespace its ServiceAccount `default`. */
export function startServiceAccounts({ client, informers, log }: Context): Controller {
  const namespaces = informers.of(collections.namespaces);
  const accounts = informers.of(collections.serviceAccounts);
  const queue = new WorkQueue('serviceaccount-controller', reconcile, log);

  async function reconcile(name: string): Promise<void> {
    const namespace = namespaces.get(`/${name}`);
    if (!namespace || isTerminating(namespace) || accounts.get(`${name}/default`)) return;
    const metadata = { name: 'default', namespace: name };
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata };
    try {
      accounts.learn(await client.create<KubeObject>(inNamespace(collections.serviceAccounts, name), account));
    } catch (error) {
      if (!isStatus(error, 409)) throw error;
    }
  }

  namespaces.listen((_type, namespace) => queue.add(namespace.metadata.name));
  accounts.listen((type, account) => {
    if (type === 'DELETED') queue.add(account.metadata.namespace ?? '');
  });
  return { stop: () => queue.stop() };
}
