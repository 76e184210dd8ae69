import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import type { EndpointSlice, Service } from '../controllers/objects.ts';
import { Lab } from '../controllers/testing/lab.ts';
import { ServiceNetwork } from './service-network.ts';

const PORT = 8371;
const SLICES = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';

/** A backend that greets with its own address and then echoes. */
async function backend(t: TestContext, address: string): Promise<void> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).write(address);
    socket.pipe(socket);
  }).listen(PORT, address);
  await once(server, 'listening');
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
}

const state = (ready: boolean, serving: boolean, terminating: boolean) => ({ ready, serving, terminating });

test('connections go to ready backends in turn, then to leaving ones, then nowhere; open ones live on', async (t) => {
  const lab = await Lab.start(t);
  const network = new ServiceNetwork(lab.client);
  t.after(() => network.stop());
  await Promise.all([backend(t, '127.9.8.1'), backend(t, '127.9.8.2')]);
  const ports = [{ name: 'x', port: PORT }];
  const { spec } = await lab.client.create<Service>('/api/v1/namespaces/default/services', {
    metadata: { name: 'web' },
    spec: { ports }, // without a selector, so that the slice is ours
  });
  const slice = (first: object, second: object) => ({
    metadata: { name: 'web-1', labels: { 'kubernetes.io/service-name': 'web' } },
    addressType: 'IPv4',
    ports: [{ name: 'x', port: PORT, protocol: 'TCP' }],
    endpoints: [
      { addresses: ['127.9.8.1'], conditions: first },
      { addresses: ['127.9.8.2'], conditions: second },
    ],
  });
  await lab.client.create<EndpointSlice>(SLICES, slice(state(true, true, false), state(true, true, false)));

  /** Who answers a new connection: an address, or the error's code. */
  const open = async (): Promise<{ who: string; socket: Socket }> => {
    const socket = connect(PORT, spec.clusterIP ?? '');
    t.after(() => socket.destroy());
    const who = await new Promise<string>((resolve) => {
      socket.once('data', (part) => resolve(String(part)));
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
    });
    return { who, socket };
  };
  const until = async (fits: (answers: string[]) => boolean): Promise<void> => {
    const end = Date.now() + 10_000;
    for (let answers: string[] = []; !fits(answers);) {
      answers = [(await open()).who, (await open()).who];
      assert.ok(Date.now() < end, `still ${answers.join(' ')}`);
    }
  };
  const both = (answers: string[]) => answers.length === 2 && new Set(answers).size === 2;
  await until((answers) => both(answers) && answers.every((who) => who.startsWith('127.9.8.')));
  const old = await open();

  const patch = (body: object) => lab.client.patch(`${SLICES}/web-1`, body);
  await patch(slice(state(false, true, true), state(true, true, false)));
  await until((answers) => answers.length === 2 && answers.every((who) => who === '127.9.8.2'));
  await patch(slice(state(false, true, true), state(false, false, true)));
  await until((answers) => answers.length === 2 && answers.every((who) => who === '127.9.8.1'));
  await patch({ endpoints: [] });
  await until((answers) => answers.length === 2 && answers.every((who) => who === 'ECONNRESET'));
  await lab.client.remove('/api/v1/namespaces/default/services/web');
  await until((answers) => answers.length === 2 && answers.every((who) => who === 'ECONNREFUSED'));

  old.socket.write('still here');
  const [echo] = (await once(old.socket, 'data')) as [Buffer];
  assert.equal(String(echo), 'still here');
});
