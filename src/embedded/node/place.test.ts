import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { checkPodNetwork, PodNetworkError } from './place.ts';

const refused = (words: RegExp) => (error: unknown) => error instanceof PodNetworkError && words.test(error.message);

test('loopback is refused: EndpointSlices do not take it', async () => {
  await assert.rejects(checkPodNetwork('127.16.0.1', '127.16.0.0/12', '192.168.77.1'), refused(/loopback/));
  await assert.rejects(
    checkPodNetwork('10.250.0.1', '10.250.0.0/16', '127.0.0.1'),
    refused(/127\.0\.0\.1 is a loopback/),
  );
});

test('a range that is not local here: the command that makes it so', async () => {
  // TEST-NET-3: no host has it.
  await assert.rejects(
    checkPodNetwork('203.0.113.1', '203.0.113.0/24', '192.168.77.1'),
    refused(/EADDRNOTAVAIL[\s\S]*next: .*ip route add local 203\.0\.113\.0\/24 dev lo src 192\.168\.77\.1/),
  );
});

const own = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.family === 'IPv4' && !address.internal)?.address;

test(
  'an address from which the Pod would call itself',
  { skip: own ? false : 'this host has no address' },
  async () => {
    const address = own ?? '';
    await assert.rejects(
      checkPodNetwork(address, `${address}/24`, '192.168.77.1'),
      refused(/comes from .* itself[\s\S]*one from the node's address/),
    );
  },
);
