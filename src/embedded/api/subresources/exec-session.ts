import type { Readable } from 'node:stream';
import type { ExecSession } from '../../kubelet-api.ts';
import { KubeletError } from '../../kubelet-api.ts';

/** Channels of an exec; over a WebSocket they are the first byte of each frame. */
export const channel = { stdin: 0, stdout: 1, stderr: 2, status: 3, resize: 4, close: 255 } as const;

/** What carries the output of a program to its caller. */
export interface Carrier {
  /** `sent` is called when the data is out. */
  send(id: number, data: Buffer, sent: () => void): void;
  /** Sends the outcome as a Status and ends the connection. */
  end(status: string): void;
}

/** Carries a program's output until it ended, then its outcome. */
export async function carry(session: ExecSession, carrier: Carrier): Promise<void> {
  // A program that ends before its input does breaks the pipe: no concern of ours.
  session.stdin?.on('error', () => undefined);
  const streams = [
    [channel.stdout, session.stdout],
    [channel.stderr, session.stderr],
  ] as const;
  const ended = streams.map(([id, stream]) => (stream ? forward(carrier, id, stream) : Promise.resolve()));
  const exit = await session.exit;
  await Promise.all(ended);
  carrier.end(JSON.stringify(statusOf(exit)));
}

/** Sends what a stream gives, a piece at a time, and reads on only when that is out. */
function forward(carrier: Carrier, id: number, stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    stream.on('data', (part: Buffer | string) => {
      stream.pause();
      carrier.send(id, Buffer.from(part as Buffer), () => stream.resume());
    });
    for (const end of ['error', 'close', 'end']) stream.on(end, () => resolve());
  });
}

/** The end of a program as the Status that clients read exit codes from. */
function statusOf(exit: number | KubeletError): object {
  const failure = { metadata: {}, status: 'Failure' };
  if (exit instanceof KubeletError) {
    const message = `Internal error occurred: ${exit.message}`;
    return {
      ...failure,
      message: `Internal error occurred: ${message}`,
      reason: 'InternalError',
      details: { causes: [{ message }] },
      code: 500,
    };
  }
  if (exit === 0) return { metadata: {}, status: 'Success' };
  return {
    ...failure,
    message: `command terminated with non-zero exit code: command terminated with exit code ${exit}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(exit) }] },
  };
}
