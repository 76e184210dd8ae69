import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ClusterProcess } from '../../fixtures/cluster-process.ts';
import { environmentOf } from '../../fixtures/testing/environment.ts';
import { bundle as build, isBuilt } from '../../scripts/build.mjs';
import { alone, pod, scenario } from '../../suites/gpustack/drain-window/scenario.ts';
import { GuardedClient } from '../cluster/guard.ts';
import { readKubeconfig } from '../cluster/kubeconfig.ts';
import { KubeClient } from '../cluster/rest.ts';
import { readBundle } from '../history/bundle.ts';
import { judge } from '../judge/judge.ts';
import { installDefinitions } from '../systems/gpustack/install.ts';
import { runScenario } from './run.ts';
import type { Scenario } from './scenario.ts';

let cluster: ClusterProcess;
let client: GuardedClient;
const folder = mkdtempSync(join(tmpdir(), 'quiesce-test-unready-'));

before(async () => {
  if (!isBuilt()) await build();
  cluster = await ClusterProcess.start({ timeScale: 10 });
  const connection = readKubeconfig(cluster.address.kubeconfig);
  client = new GuardedClient(connection, 'unready');
  const installer = new KubeClient(connection);
  await installDefinitions(installer);
  installer.close();
});
after(async () => {
  client.close();
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Milliseconds that a system gets which never becomes ready: enough for what keeps it from that to show on a busy machine. */
const NEVER_MS = 20_000;

/** Runs a scenario that cannot come to its action; answers its verdicts and what was seen instead. */
async function outcomeOf(name: string, deploy: Scenario['deploy'], more: Partial<Scenario> = {}, readyMs?: number) {
  const tried = scenario({
    id: name,
    title: name,
    deploy,
    cases: { victim: pod('serve', 0) },
    act: [{ at: 0, do: 'delete', cases: ['victim'] }],
    until: { gone: ['victim'], atMost: 20 },
    decides: [{ requirement: 'GS-DW-07', cases: ['victim'] }],
    controls: [],
    ...more,
  });
  await runScenario(
    tried,
    environmentOf({ client, namespace: `q-${name}`, folder: join(folder, name), timeScale: 10, readyMs }),
  );
  const bundle = readBundle(join(folder, name));
  const unmet = bundle.events.flatMap((e) => (e.kind === 'precondition' && !e.data.met ? [e.data] : []));
  return {
    problems: bundle.events.flatMap((e) => (e.kind === 'problem' ? [e.data.message] : [])),
    ends: bundle.events.flatMap((e) => (e.kind === 'request.end' ? [`${e.data.end} ${e.data.detail ?? ''}`] : [])),
    outcomes: judge(bundle, []).map(({ outcome }) => outcome),
    seen: judge(bundle, []).flatMap(({ findings }) => findings.map(({ seen }) => seen)),
    reason: unmet.map(({ detail }) => detail).join('; '),
  };
}

const engine = (...command: string[]) => alone({ name: 'serve', replicas: 1, command });

describe('a system that does not become ready', { concurrency: true }, () => {
  test('an image without that program: inconclusive, and what its container waits for', async () => {
    const { outcomes, reason, problems } = await outcomeOf('no-program', engine('no-such-engine'), {}, NEVER_MS);
    assert.deepEqual(outcomes, ['inconclusive']);
    assert.match(reason, /ready were only 0 of 1 Pods of chat\/serve; chat-serve-\w+ is .*no-such-engine/);
    assert.deepEqual(problems, []);
  });

  test('a Pod that crash-loops: inconclusive, and how often it ended with what', async () => {
    const { outcomes, reason, problems } = await outcomeOf('crash-loop', engine('false'), {}, NEVER_MS);
    assert.deepEqual(outcomes, ['inconclusive']);
    assert.match(reason, /chat-serve-\w+ is .*main .*restarted \d+ times, last ended with 1/);
    assert.deepEqual(problems, []);
  });

  test('a Pod that says why before it ends: what it said, in the verdict too', async () => {
    const says = engine('sh', '-c', 'echo starting; echo no config.json; exit 3');
    const { outcomes, reason, seen } = await outcomeOf('says-why', says, {}, NEVER_MS);
    assert.deepEqual(outcomes, ['inconclusive']);
    assert.match(reason, /last ended with 3 .*, and said at its end: no config\.json/);
    assert.deepEqual(seen, [reason]);
  });

  test('an engine that runs and never answers: inconclusive, and which is silent', async () => {
    const { outcomes, reason, problems } = await outcomeOf('silent', engine('sh', '-c', 'sleep 600'), {}, NEVER_MS);
    assert.deepEqual(outcomes, ['inconclusive']);
    assert.match(reason, /every engine to answer; silent: chat-serve-\w+ is Running/);
    assert.deepEqual(problems, []);
  });

  test('a router that never lists a worker: inconclusive, and no stream was open', async () => {
    const role = { name: 'serve', replicas: 1 };
    const router = { extraArgs: ['--selector', 'app=nobody'] };
    const { outcomes, reason, problems, ends } = await outcomeOf(
      'no-worker',
      { kind: 'gpustack', deployments: [{ name: 'chat', roles: [role], router }] },
      {
        load: { placed: [{ name: 'through', to: { router: 'chat' }, starts: -3, ends: 8 }] },
        before: [{ kind: 'stream-open', case: 'victim' }],
      },
    );
    assert.deepEqual(outcomes, ['inconclusive']);
    assert.equal(reason, '0 streams open on victim');
    assert.match(ends[0] ?? '', /^http-error 503 No available workers/);
    assert.deepEqual(problems, []);
  });
});
