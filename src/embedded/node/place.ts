import { createServer, connect } from 'node:net';
import type { AddressInfo, Server } from 'node:net';

/** This host's network cannot carry Pods of a range. */
export class PodNetworkError extends Error {
  readonly code = 'QUIESCE_POD_NETWORK';
  constructor(seen: string, expected: string, next: string) {
    super(`${seen}\n  expected: ${expected}\n  next: ${next}`);
    this.name = 'PodNetworkError';
  }
}

/**
 * Makes sure that an address of a range can be listened on here, and that who connects to it does so from another address: else
 * nobody could tell the harness's reads from those of a hook.
 * @throws PodNetworkError with the command that would help
 */
export async function checkPodNetwork(address: string, range: string, nodeAddress: string): Promise<void> {
  const route = `in a network namespace of your own: ip route add local ${range} dev lo src ${nodeAddress}`;
  for (const each of [nodeAddress, address]) {
    if (each.startsWith('127.')) {
      throw new PodNetworkError(
        `${each} is a loopback address`,
        'addresses that EndpointSlices take',
        'choose another range',
      );
    }
  }
  const server = await listen(address, range, route);
  try {
    const from = await sourceTo(server.address() as AddressInfo);
    if (from !== address) return;
    throw new PodNetworkError(
      `a connection to ${address} comes from ${from} itself`,
      `one from the node's address ${nodeAddress}, as on a real node`,
      route,
    );
  } finally {
    server.close();
  }
}

function listen(address: string, range: string, next: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.on('error', () => undefined).end());
    server.once('error', (error) =>
      reject(
        new PodNetworkError(
          `${address} cannot be listened on: ${error.message}`,
          `a host to which ${range} is local`,
          next,
        ),
      ),
    );
    server.listen(0, address, () => resolve(server));
  });
}

function sourceTo({ address, port }: AddressInfo): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, address, () => {
      const { localAddress = '' } = socket;
      socket.destroy();
      resolve(localAddress);
    });
    socket.once('error', reject);
  });
}
