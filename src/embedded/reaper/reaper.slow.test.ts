import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { build } from 'esbuild';
import { environment } from '../environment.ts';
import { isRunning, until } from '../kubelet/testing/scratch.ts';
import { sweep } from '../sweep.ts';
import { writeOwner } from './owner.ts';
import { hasProc, markedProcesses } from './proc.ts';

const skip = hasProc() ? false : 'this host has no /proc';
const source = (name: string) => new URL(name, import.meta.url).href;

/** A process that stands for a cluster: it starts a reaper and three marked programs, one in a session of its own. */
async function cluster(
  t: TestContext,
  id: string,
  reaper: boolean,
): Promise<{ child: ChildProcess; folder: string; pids: number[] }> {
  const folder = mkdtempSync(join(tmpdir(), `quiesce-${id}-`));
  const tools = mkdtempSync(join(tmpdir(), 'quiesce-test-reaper-'));
  t.after(() => [folder, tools].forEach((path) => rmSync(path, { recursive: true, force: true })));
  const program = join(tools, 'reaper.mjs');
  await build({
    entryPoints: [new URL('main.ts', import.meta.url).pathname],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  const script = join(tools, 'cluster.mts');
  writeFileSync(
    script,
    `
    import { startReaper } from '${source('start.ts')}';
    import { writeOwner } from '${source('owner.ts')}';
    import { HostProcess } from '${source('../kubelet/host-process.ts')}';
    const [id, folder, program] = ${JSON.stringify([id, folder, reaper ? program : ''])};
    if (program) await startReaper({ clusterId: id, folder, program });
    else writeOwner(folder, id);
    const env = { PATH: process.env.PATH, ${environment.cluster}: id, ${environment.root}: folder + '/pods/x' };
    const sh = (text) => HostProcess.launch({ program: { file: '/bin/sh', args: ['-c', text] }, args: [], cwd: '/', env });
    await sh('trap "" TERM; sleep 61 & sleep 61');
    await sh('setsid sleep 61; true');
    console.log('ready');
    setInterval(() => {}, 1000);`,
  );
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), script], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout as NodeJS.EventEmitter, 'data');
  const pids = await until('the marked processes', async () => {
    const found = await markedProcesses(id);
    return found.length >= 4 && found.map(({ pid }) => pid);
  });
  t.after(() => pids.filter(isRunning).forEach((pid) => process.kill(pid, 'SIGKILL')));
  return { child, folder, pids };
}

test('kill -9 of the cluster and its group leaves no process and no folder', { skip }, async (t) => {
  const { child, folder, pids } = await cluster(t, `r${process.pid}`, true);
  process.kill(-(child.pid ?? 0), 'SIGKILL');
  await until('all processes are gone', () => !pids.some(isRunning));
  await until('the folder is gone', () => !existsSync(folder));
});

test('sweep removes what a dead cluster left and never touches a living one', { skip }, async (t) => {
  const living = await cluster(t, `l${process.pid}`, false);
  const dead = await cluster(t, `d${process.pid}`, false);
  dead.child.kill('SIGKILL');
  await once(dead.child, 'exit');
  const swept = await sweep();
  assert.ok(swept.processes >= dead.pids.length && swept.folders >= 1, JSON.stringify(swept));
  await until('all its processes are gone', () => !dead.pids.some(isRunning));
  assert.ok(!existsSync(dead.folder));
  assert.ok(living.pids.every(isRunning));
  assert.ok(existsSync(living.folder));
});

test('a number that another process has now does not pass for the owner', { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), `quiesce-p${process.pid}-`));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeOwner(folder, 'p');
  await sweep();
  assert.ok(existsSync(folder));
  writeFileSync(join(folder, 'owner.json'), JSON.stringify({ pid: process.pid, cluster: 'p', ticks: '1' }));
  await sweep();
  assert.ok(!existsSync(folder));
});

test('a folder that names no owner is left alone', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), `quiesce-y${process.pid}-`));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'pods'));
  utimesSync(folder, 0, 0);
  await sweep();
  assert.ok(existsSync(folder));
});
