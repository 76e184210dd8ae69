import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Clusters side by side on one machine at most, and addresses that each has for its Services. */
const BLOCKS = 64;
export const BLOCK_SIZE = 1024;
/** Port on a block's first address that its owner listens on; registered for nothing. No Service gets that address. */
const CLAIM_PORT = 20_127;

/** The addresses from which one cluster's Services get their clusterIP: a part of 127.80.0.0/16 that no other has. */
export interface ServiceRange {
  /** Offset of the block in 127.80.0.0/16; its first address is the claim. */
  first: number;
  release(): void;
}

/**
 * Claims a block by listening on its first address: the kernel gives that to one process only, and takes it back
 * however that ends. Without it a Service of one cluster could answer for one of another.
 * @throws Error where all blocks are taken
 */
export async function claimServiceRange(start: number = randomInt(BLOCKS)): Promise<ServiceRange> {
  for (let tries = 0; tries < BLOCKS; tries += 1) {
    const first = ((start + tries) % BLOCKS) * BLOCK_SIZE;
    const server = createServer((socket) => socket.destroy());
    server.listen({ host: `127.80.${first >> 8}.1`, port: CLAIM_PORT, exclusive: true });
    try {
      await once(server, 'listening');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') continue;
      throw error;
    }
    server.unref();
    return { first, release: () => void server.close() };
  }
  throw new Error(
    `no addresses are left for Services: ${BLOCKS} embedded clusters run on this machine, or another program listens on port ${CLAIM_PORT} of all addresses`,
  );
}
