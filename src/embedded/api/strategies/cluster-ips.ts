/** Part of 127.80.0.0/16 from which Services get their clusterIP, as offsets: from `first` on, `size` addresses. */
export interface ClusterIpRange {
  first: number;
  size: number;
}
/** Addresses at the start of a range that no Service gets by itself; the first is what holds the range. */
const RESERVED = 10;
/** Kubernetes' default range of node ports: 30000 to 32767. */
const [FIRST_PORT, PORTS] = [30_000, 2768];

/** Hands out clusterIPs and node ports of Services, and takes them back. */
export class ClusterIps {
  readonly #addresses = new Set<string>();
  readonly #ports = new Set<number>();
  readonly #range: ClusterIpRange;
  #next = RESERVED;
  #nextPort = 0;

  constructor(range: ClusterIpRange) {
    this.#range = range;
  }

  /** @throws Error where the range is used up */
  allocate(): string {
    const { first, size } = this.#range;
    // The very last address of all would be a broadcast.
    for (let tries = RESERVED; tries < size - 1; tries += 1) {
      const n = first + this.#next;
      this.#next = this.#next + 1 < size - 1 ? this.#next + 1 : RESERVED;
      const address = `127.80.${n >> 8}.${n & 255}`;
      if (this.take(address)) return address;
    }
    throw new Error(`no clusterIP is free: ${size - 1 - RESERVED} Services have one`);
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
