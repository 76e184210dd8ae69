/** First address of the range 127.80.0.0/16 from which Services get their clusterIP; .0.1 is left to the API server. */
const FIRST = 10;
const SIZE = 65_534;
/** Kubernetes' default range of node ports: 30000 to 32767. */
const [FIRST_PORT, PORTS] = [30_000, 2768];

/** Hands out clusterIPs and node ports of Services, and takes them back. */
export class ClusterIps {
  readonly #addresses = new Set<string>();
  readonly #ports = new Set<number>();
  #next = FIRST;
  #nextPort = 0;

  /** @throws Error where the range is used up */
  allocate(): string {
    for (let tries = 0; tries < SIZE; tries += 1) {
      const n = this.#next;
      this.#next = n + 1 > SIZE ? FIRST : n + 1;
      const address = `127.80.${n >> 8}.${n & 255}`;
      if (this.take(address)) return address;
    }
    throw new Error('no clusterIP of 127.80.0.0/16 is free');
  }

  /** Reserves an address that the client chose; false where it is taken. */
  take(address: string): boolean {
    if (this.#addresses.has(address)) return false;
    this.#addresses.add(address);
    return true;
  }

  release(address: string): void {
    this.#addresses.delete(address);
  }

  allocatePort(): number {
    for (let tries = 0; tries < PORTS; tries += 1) {
      const port = FIRST_PORT + (this.#nextPort++ % PORTS);
      if (this.#ports.has(port)) continue;
      this.#ports.add(port);
      return port;
    }
    throw new Error('no node port is free');
  }

  releasePort(port: number): void {
    this.#ports.delete(port);
  }
}
