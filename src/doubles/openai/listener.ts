import http, { type IncomingMessage, type RequestListener, type Server } from 'node:http';
import net, { type Socket } from 'node:net';

export interface ListenOptions {
  host: string;
  port: number;
  tls: boolean;
  handler: RequestListener;
}

/**
 * An HTTP or HTTPS listener that can be closed and opened again, and whose handshakes can be broken, while the
 * connections that are open go on.
 */
export class Listener {
  readonly #options: ListenOptions;
  readonly #server: Server;
  readonly #sockets = new Map<Socket, number>();
  #front: net.Server | undefined;
  #broken = false;
  #gone: (() => void)[] = [];

  private constructor(options: ListenOptions, server: Server) {
    this.#options = options;
    this.#server = server;
    server.keepAliveTimeout = 65_000; // longer than any client here keeps an idle connection
    server.headersTimeout = 0;
    server.requestTimeout = 0;
    server.on(options.tls ? 'secureConnection' : 'connection', (socket: Socket) => this.#track(socket));
    server.on('clientError', (_error, socket) => socket.destroy());
    server.on('tlsClientError', () => undefined);
  }

  /** @throws Error with code EADDRINUSE where the port is taken */
  static async open(options: ListenOptions): Promise<Listener> {
    const handler: RequestListener = (request, response) => listener.#serve(request, response);
    const listener: Listener = new Listener(options, await createServer(options.tls, handler));
    await listener.open();
    return listener;
  }

  /** Listens; does nothing where it does so already. */
  async open(): Promise<void> {
    if (this.#front) return;
    const front = net.createServer({ noDelay: true }, (socket) => {
      socket.on('error', () => undefined);
      // What a client takes for no TLS at all; it closes the connection upon it.
      if (this.#broken) socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
      else this.#server.emit('connection', socket);
    });
    this.#front = front;
    await new Promise<void>((resolve, reject) => {
      front.once('error', reject);
      front.listen(this.#options.port, this.#options.host, 511, resolve);
    });
  }

  /** Refuses new connections; open ones go on. */
  close(): void {
    this.#front?.close();
    this.#front = undefined;
  }

  breakHandshakes(broken: boolean): void {
    this.#broken = broken;
  }

  /** Closes the connections on which nothing is being answered. */
  closeIdle(): void {
    for (const [socket, busy] of this.#sockets) if (busy === 0) socket.end();
  }

  /** Calls back once no connection is open. */
  whenEmpty(tell: () => void): void {
    if (this.#sockets.size === 0) tell();
    else this.#gone.push(tell);
  }

  #track(socket: Socket): void {
    this.#sockets.set(socket, 0);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      if (this.#sockets.size === 0) for (const tell of this.#gone.splice(0)) tell();
    });
  }

  #serve(request: IncomingMessage, response: http.ServerResponse): void {
    const { socket } = request;
    this.#add(socket, 1);
    response.once('close', () => this.#add(socket, -1));
    // Once the listener is closed no connection outlives its answer.
    if (!this.#front) response.shouldKeepAlive = false;
    this.#options.handler(request, response);
  }

  #add(socket: Socket, by: number): void {
    const busy = this.#sockets.get(socket);
    if (busy === undefined) return;
    this.#sockets.set(socket, busy + by);
    if (busy + by === 0 && !this.#front) socket.end();
  }
}

async function createServer(tls: boolean, handler: RequestListener): Promise<Server> {
  if (!tls) return http.createServer(handler);
  // Loaded only where TLS is asked for: making a certificate costs a good deal more than the rest of the start.
  const [https, { generate }] = await Promise.all([import('node:https'), import('selfsigned')]);
  const pem = await generate([{ name: 'commonName', value: 'engine' }], { keyType: 'ec', algorithm: 'sha256' });
  return https.createServer({ key: pem.private, cert: pem.cert }, handler);
}
