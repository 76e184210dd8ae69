import type { Readable, Writable } from 'node:stream';

/** Which container of which Pod a call is about. */
export interface ContainerRef {
  nodeName: string;
  namespace: string;
  pod: string;
  container: string;
}

/** Query of `GET pods/NAME/log`, parsed. */
export interface LogOptions {
  follow: boolean;
  /** Prefix each line with its RFC 3339 time. */
  timestamps: boolean;
  /** The run of the container before its last restart. */
  previous: boolean;
  tailLines?: number;
  sinceSeconds?: number;
  /** Milliseconds since 1970. */
  sinceTime?: number;
  limitBytes?: number;
}

/** Query of `POST pods/NAME/exec`, parsed. */
export interface ExecOptions {
  stdin: boolean;
  stdout: boolean;
  stderr: boolean;
  tty: boolean;
}

/** A program that runs in a container on behalf of a caller of `exec`. */
export interface ExecSession {
  /** Absent streams were not asked for. The API server ends `stdin` when its caller does. */
  stdin?: Writable;
  stdout?: Readable;
  stderr?: Readable;
  /**
   * Settles when the program ended: its exit code (128 + n where signal n killed it), or a KubeletError where it could
   * not be started. Never rejects.
   */
  exit: Promise<number | KubeletError>;
  /** The caller went away: end the program. */
  kill(): void;
}

/** A refusal of the kubelet; the API server answers it as a Status. */
export class KubeletError extends Error {
  readonly code = 'QUIESCE_KUBELET';
  /** HTTP status, such as 400 (container is waiting to start) or 404 (no such container). */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'KubeletError';
    this.status = status;
  }
}

/**
 * What the API server needs of the nodes' agents. The server has checked that the Pod exists, is bound to `nodeName` and
 * has a container of that name. Calls for a node that nobody serves reject with a KubeletError of status 404.
 */
export interface KubeletApi {
  /** @throws KubeletError (as a rejection) where there is no log: 400 not yet started, 404 unknown */
  logs(ref: ContainerRef, options: LogOptions): Promise<Readable>;
  /** @throws KubeletError (as a rejection) where the container is not running: 404 */
  exec(ref: ContainerRef, command: string[], options: ExecOptions): Promise<ExecSession>;
  /** The kubelet's own log so far, as klog lines. @throws KubeletError (as a rejection) where no such kubelet is here */
  kubeletLog(nodeName: string): Promise<Readable>;
}
