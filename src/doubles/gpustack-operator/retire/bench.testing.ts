import { KubeletError, type ExecSession, type KubeletApi } from '../../../embedded/kubelet-api.ts';
import { testServer, type TestServer } from '../../../embedded/api/test-support.ts';
import type { Pod } from '../../../systems/gpustack/readers.ts';
import { bundleDoubles, start } from '../../testing/bundled.ts';
import { paths } from '../snapshot.ts';

/** Documented seconds a second of the wall, unless a test is about a long budget. */
export const SCALE = 5;

/** A server whose kubelet runs the real `member-read` of an exec, in the address of the Pod. */
export interface Bench {
  server: TestServer;
  /** Commands that were run by exec, with the Pod's name. */
  execs: { pod: string; container: string; command: string[] }[];
  /** What stands for the exec of a Pod, instead of the program. */
  overrides: Map<string, () => Promise<ExecSession>>;
  close(): Promise<void>;
}

export async function openBench(): Promise<Bench> {
  const bundle = await bundleDoubles('member-read');
  const program = bundle.paths['member-read'] ?? '';
  const bench: Pick<Bench, 'execs' | 'overrides'> = { execs: [], overrides: new Map() };
  const late: { server?: TestServer } = {};
  const kubelet: KubeletApi = {
    logs: () => Promise.reject(new KubeletError(404, 'no log')),
    kubeletLog: () => Promise.reject(new KubeletError(404, 'no log')),
    exec: async ({ namespace, pod, container }, command) => {
      bench.execs.push({ pod, container, command });
      const instead = bench.overrides.get(`${namespace}/${pod}`);
      if (instead) return instead();
      const found = await late.server!.client.get<Pod>(`${paths.pods(namespace)}/${pod}`);
      const run = start(program, command.slice(1), { podIP: found.status?.podIP ?? '', scale: SCALE, raw: true });
      return {
        stdout: run.child.stdout!,
        exit: run.exited.then(({ code }) => code ?? 137),
        kill: () => run.child.kill('SIGKILL'),
      };
    },
  };
  const server = await testServer({ kubelet });
  late.server = server;
  return {
    ...bench,
    server,
    close: async () => {
      await server.close();
      bundle.remove();
    },
  };
}
