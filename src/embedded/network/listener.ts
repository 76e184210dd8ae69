import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import type { Backend } from './backends.ts';
import { reset, splice } from './splice.ts';

/** One port of a Service on its cluster address: each connection goes to the next backend in turn. */
export class ServiceListener {
  readonly #address: string;
  readonly #backends: () => Backend[];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #turn = 0;

  /** `backends` is asked at every connection. `failed` hears once if the port cannot be had. */
  constructor(address: string, port: number, backends: () => Backend[], failed: (error: Error) => void) {
    this.#address = address;
    this.#backends = backends;
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => this.#accept(client));
    this.#server.on('error', failed);
    this.#server.listen({ host: address, port, backlog: 1024 });
  }

  /** Takes no more connections; those that are open live on, as they do when a Service is deleted; `ended` when the last did. */
  close(ended: () => void): void {
    this.#server.close(ended);
  }

  /** Ends the open connections too. */
  destroy(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #accept(client: Socket): void {
    this.#track(client);
    client.on('error', () => undefined);
    const backends = this.#backends();
    const backend = backends[this.#turn % backends.length];
    this.#turn += 1;
    if (!backend) return reset(client);
    const upstream = connect({
      host: backend.address,
      port: backend.port,
      localAddress: this.#source(client),
      allowHalfOpen: true,
      noDelay: true,
    });
    this.#track(upstream);
    splice(client, upstream);
  }

  /**
   * The backend sees the client's own address, as behind kube-proxy. Only 127.0.0.1 is masked, as a node's would be: inside
   * a Pod that address means the Pod itself.
   */
  #source(client: Socket): string {
    const address = client.remoteAddress ?? '';
    return address !== '' && address !== '127.0.0.1' ? address : this.#address;
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }
}
