import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { environment } from '../../../src/embedded/environment.ts';
import { type PodsApi, startPodsApi } from '../../../src/doubles/testing/pods-api.ts';
import { type Exchange, exchange, freshAddress } from '../../../src/doubles/testing/wire.ts';
import { ProbedEngine } from './engine.ts';

export const LABELS = { app: 'md', kind: 'server' };
const PORT = 8081;
/** Milliseconds until a router that does not take its workers fails a test; a real one starts in up to 4 s on a busy box. */
const PATIENCE = 30_000;

/** A program under test: a real router, or its double with faults. */
export interface Subject {
  file: string;
  args: string[];
  faults?: string[];
}

/** A router with two engines that it found through the API, ready to be probed. */
export interface Bench {
  api: PodsApi;
  engines: { a: ProbedEngine; b: ProbedEngine };
  ask: (path: string, body?: object, headers?: Record<string, string>) => Exchange;
  /** Which engine answered. */
  from: (exchange: Exchange) => string;
  /** Text with the addresses of the engines by their names. */
  named: (text: string) => string;
  until: (what: string, fact: () => Promise<boolean>) => Promise<void>;
  signal: () => void;
  exited: Promise<number | null>;
}

/** Starts a router with a bench of its own, of which nothing outlives `body`. */
export async function onBench<T>(subject: Subject, more: string[], body: (bench: Bench) => Promise<T>): Promise<T> {
  const api = await startPodsApi();
  const host = freshAddress();
  const a = await new ProbedEngine(freshAddress()).start();
  const b = await new ProbedEngine(freshAddress()).start();
  const argv = [
    ...['--host', host, '--port', String(PORT), '--prometheus-host', host, '--prometheus-port', '9090'],
    ...['--service-discovery', '--service-discovery-namespace', 'ns', '--service-discovery-port', '8000'],
    ...['--policy', 'round_robin', ...more, '--selector', 'app=md', 'kind=server'],
  ];
  const own = {
    [environment.podIP]: host,
    [environment.timeScale]: '1',
    [environment.faults]: (subject.faults ?? []).join(),
  };
  api.add('a', a.host, LABELS); // vllm-router listens once it has a worker
  const child = spawn(subject.file, [...subject.args, ...argv], {
    stdio: 'ignore',
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', KUBECONFIG: api.kubeconfig, ...own },
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const ask: Bench['ask'] = (path, sent, headers = {}) =>
    exchange({ host, port: PORT, path, headers, body: sent, method: sent ? 'POST' : 'GET' });
  const named = (text: string) => text.replaceAll(a.host, 'A').replaceAll(b.host, 'B');
  const from = (done: Exchange) => named(done.headers['x-engine'] ?? 'the router');
  const until: Bench['until'] = async (what, fact) => {
    const deadline = performance.now() + PATIENCE;
    while (!(await fact())) if (performance.now() > deadline) throw new Error(`${what} never came about`);
  };
  const complete = () => ask('/v1/completions', { model: 'tiny', prompt: 'p', max_tokens: 1 }).over;
  try {
    await until('a first worker', async () => (await complete()).status === 200);
    api.add('b', b.host, LABELS);
    await until('a second worker', async () => from(await complete()) === 'B');
    a.asked.length = 0;
    b.asked.length = 0;
    return await body({
      ...{ api, engines: { a, b }, ask, from, named, until, exited },
      signal: () => void child.kill('SIGTERM'),
    });
  } finally {
    child.kill('SIGKILL');
    await Promise.all([exited, a.stop(), b.stop(), api.stop()]);
  }
}
