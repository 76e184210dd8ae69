import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http, { type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubeObject } from '../../cluster/rest.ts';

interface Pod extends KubeObject {
  status: { phase: string; podIP: string; conditions: { type: string; status: string }[] };
}

/** As much of an API server as a router needs: the Pods of one namespace, listed and watched, changed by the test. */
export interface PodsApi {
  /** Path of a kubeconfig that leads here. */
  kubeconfig: string;
  /** Adds a Pod that is Running; ready unless told otherwise. */
  add(name: string, podIP: string, labels: Record<string, string>, ready?: boolean): void;
  /** What a delete does first: the deletion timestamp appears. */
  terminate(name: string): void;
  setReady(name: string, ready: boolean): void;
  relabel(name: string, labels: Record<string, string>): void;
  remove(name: string): void;
  stop(): Promise<void>;
}

export async function startPodsApi(): Promise<PodsApi> {
  const pods = new Map<string, Pod>();
  const log: { version: number; line: string }[] = [];
  const watchers = new Set<ServerResponse>();
  let version = 100;
  const emit = (type: string, pod: Pod) => {
    version += 1;
    pod.metadata.resourceVersion = String(version);
    const line = `${JSON.stringify({ type, object: pod })}\n`;
    log.push({ version, line });
    for (const watcher of watchers) watcher.write(line);
  };
  const change = (name: string, edit: (pod: Pod) => void) => {
    const pod = pods.get(name);
    if (!pod) throw new Error(`no pod ${name}`);
    edit(pod);
    emit('MODIFIED', pod);
  };
  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://api');
    if (url.pathname !== '/api/v1/namespaces/ns/pods') return void response.writeHead(404).end('{}');
    response.writeHead(200, { 'content-type': 'application/json' });
    if (!url.searchParams.has('watch')) {
      const metadata = { resourceVersion: String(version) };
      return void response.end(
        JSON.stringify({ kind: 'PodList', apiVersion: 'v1', metadata, items: [...pods.values()] }),
      );
    }
    response.flushHeaders();
    const from = Number(url.searchParams.get('resourceVersion'));
    for (const entry of log) if (entry.version > from) response.write(entry.line);
    watchers.add(response);
    response.on('close', () => watchers.delete(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = mkdtempSync(join(tmpdir(), 'quiesce-kubeconfig-'));
  const kubeconfig = join(folder, 'config');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      'current-context': 'test',
      clusters: [{ name: 'test', cluster: { server: address } }],
      users: [{ name: 'test', user: {} }],
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    }),
  );
  const conditions = (ready: boolean) => [{ type: 'Ready', status: ready ? 'True' : 'False' }];
  return {
    kubeconfig,
    add(name, podIP, labels, ready = true) {
      const metadata = { name, namespace: 'ns', uid: `uid-${name}`, labels };
      const pod: Pod = { metadata, status: { phase: 'Running', podIP, conditions: conditions(ready) } };
      pods.set(name, pod);
      emit('ADDED', pod);
    },
    terminate: (name) => change(name, (pod) => (pod.metadata.deletionTimestamp = new Date().toISOString())),
    setReady: (name, ready) => change(name, (pod) => (pod.status.conditions = conditions(ready))),
    relabel: (name, labels) => change(name, (pod) => (pod.metadata.labels = labels)),
    remove(name) {
      const pod = pods.get(name);
      pods.delete(name);
      if (pod) emit('DELETED', pod);
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
