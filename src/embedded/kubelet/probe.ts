import net from 'node:net';
import type { Place } from './downward.ts';
import { grpcCheck } from './grpc-check.ts';
import { dialProblem, httpGet, sourceOf } from './http-get.ts';
import type { ContainerSpec, Probe } from './pod.ts';
import { portNumber } from './ports.ts';
import { StartError } from './sandbox.ts';

/** What a probe needs of the container that it looks at. */
export interface Probed {
  spec: ContainerSpec;
  place: Place;
  /** Runs a command in the container; answers its exit code and the start of its output. */
  run: (command: string[], timeoutMs: number) => Promise<{ code: number; output: string }>;
}

/** Probes once; undefined is success, a text says what failed, in a real kubelet's words. @throws StartError */
export async function probeOnce(
  probe: Probe,
  { spec, place, run }: Probed,
  timeoutMs: number,
): Promise<string | undefined> {
  try {
    if (probe.httpGet) {
      const status = await httpGet(spec, place, probe.httpGet, timeoutMs);
      return status >= 200 && status < 400 ? undefined : `HTTP probe failed with statuscode: ${status}`;
    }
    if (probe.tcpSocket) {
      await connect(
        probe.tcpSocket.host ?? place.podIP,
        portNumber(spec, probe.tcpSocket.port),
        sourceOf(place),
        timeoutMs,
      );
      return undefined;
    }
    if (probe.grpc) {
      await grpcCheck(place, probe.grpc.port, probe.grpc.service ?? '', timeoutMs);
      return undefined;
    }
    if (probe.exec) {
      const { code, output } = await run(probe.exec.command, timeoutMs);
      return code === 0 ? undefined : output;
    }
    return 'the probe has no handler that the process kubelet serves';
  } catch (error) {
    if (error instanceof StartError) throw error;
    return (error as Error).message;
  }
}

function connect(host: string, port: number, localAddress: string, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host, port, localAddress });
    const timer = setTimeout(() => socket.destroy(new Error(`dial tcp ${host}:${port}: i/o timeout`)), timeoutMs);
    socket.on('connect', () => {
      clearTimeout(timer);
      socket.destroy();
      resolve();
    });
    socket.on('error', (error) => {
      clearTimeout(timer);
      reject(dialProblem(error, host, port));
    });
  });
}
