import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, before, test } from 'node:test';
import { WebSocket } from 'ws';
import { KubeletError } from '../../kubelet-api.ts';
import type { ExecSession, KubeletApi } from '../../kubelet-api.ts';
import { PODS, TOKEN, podNamed, testServer } from '../test-support.ts';
import type { TestServer } from '../test-support.ts';

const none = () => Promise.reject(new KubeletError(404, 'not asked for'));

/** Runs commands on this machine, as a kubelet would in a container. */
const kubelet: KubeletApi = {
  logs: none,
  kubeletLog: none,
  exec: (ref, [file = '', ...args], options) => {
    if (ref.pod === 'stopped') return Promise.reject(new KubeletError(404, 'container not found ("main")'));
    const child = spawn(file, args);
    const exit = new Promise<number | KubeletError>((resolve) => {
      child.on('error', (error) => resolve(new KubeletError(500, error.message)));
      child.on('exit', (code) => resolve(code ?? 137));
    });
    const session: ExecSession = { exit, kill: () => void child.kill('SIGKILL') };
    if (options.stdin) session.stdin = child.stdin;
    if (options.stdout) session.stdout = child.stdout;
    if (options.stderr) session.stderr = child.stderr;
    return Promise.resolve(session);
  },
};

let server: TestServer;
before(async () => {
  server = await testServer({ kubelet });
  for (const name of ['runs', 'stopped']) await server.client.create(PODS, podNamed(name, { nodeName: 'n1' }));
});
after(() => server.close());

interface Outcome {
  out: Record<number, string>;
  protocol: string;
  code: number;
}

function run(command: string[], stdin?: string, protocol = 'v5.channel.k8s.io', pod = 'runs'): Promise<Outcome> {
  const query = new URLSearchParams();
  for (const word of command) query.append('command', word);
  for (const name of ['stdout', 'stderr', ...(stdin === undefined ? [] : ['stdin'])]) query.set(name, 'true');
  const url = `${server.plainUrl.replace('http', 'ws')}${PODS}/${pod}/exec?${query.toString()}`;
  const socket = new WebSocket(url, [protocol], { headers: { authorization: `Bearer ${TOKEN}` } });
  const out: Record<number, string> = {};
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('open', () => {
      if (stdin === undefined) return;
      socket.send(Buffer.concat([Buffer.from([0]), Buffer.from(stdin)]));
      socket.send(Buffer.from([255, 0]));
    });
    socket.on('message', (data: Buffer) => {
      const channel = data[0] ?? 0;
      out[channel] = (out[channel] ?? '') + data.subarray(1).toString('utf8');
    });
    socket.on('close', (code) => resolve({ out, protocol: socket.protocol, code }));
  });
}

test('output, errors and the exit code come on their channels', async () => {
  const { out, protocol, code } = await run(['sh', '-c', 'echo out; echo err >&2; exit 7']);
  assert.deepEqual([out[1], out[2], protocol, code], ['out\n', 'err\n', 'v5.channel.k8s.io', 1000]);
  const status = JSON.parse(out[3] ?? '') as { status: string; reason: string; details: object };
  assert.deepEqual([status.status, status.reason], ['Failure', 'NonZeroExitCode']);
  assert.deepEqual(status.details, { causes: [{ reason: 'ExitCode', message: '7' }] });
});

test('the close frame of v5 ends the input; v4 is spoken too', async () => {
  const five = await run(['cat'], 'hello');
  assert.equal(five.out[1], 'hello');
  assert.deepEqual(JSON.parse(five.out[3] ?? ''), { metadata: {}, status: 'Success' });
  const four = await run(['echo', 'x'], undefined, 'v4.channel.k8s.io');
  assert.deepEqual([four.protocol, four.out[1]], ['v4.channel.k8s.io', 'x\n']);
});

test('a large output arrives whole', async () => {
  const { out } = await run([process.execPath, '-e', 'process.stdout.write("x".repeat(3_000_000))']);
  assert.equal(out[1]?.length, 3_000_000);
});

test('a program that cannot start is an InternalError, a stopped container a refusal of the upgrade', async () => {
  const missing = await run(['/no/such/program']);
  assert.equal((JSON.parse(missing.out[3] ?? '') as { reason: string }).reason, 'InternalError');
  await assert.rejects(run(['true'], undefined, 'v5.channel.k8s.io', 'stopped'), /Unexpected server response: 404/);
  await assert.rejects(run(['true'], undefined, 'v5.channel.k8s.io', 'none'), /Unexpected server response: 404/);
  await assert.rejects(run(['true'], undefined, 'v1.other'), /Unexpected server response: 400/);
});
