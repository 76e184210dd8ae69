import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { condition, sh, startLab, stateOf, STAYS, type Lab } from './testing/lab.ts';
import { isRunning, until } from './testing/scratch.ts';

const NS = 'life';
describe('the life of a Pod', { concurrency: 4 }, () => {
  let lab: Lab;
  before(async () => {
    lab = await startLab();
    await lab.namespace(NS);
  });
  after(() => lab.stop());
  const reason = (what: string) => lab.events.some(({ event }) => event.reason === what);

  test('environment: fields, ConfigMaps, Secrets, expansion and what quiesce tells', async () => {
    const put = (kind: string, body: object) => lab.client.create(`/api/v1/namespaces/${NS}/${kind}`, body);
    await put('configmaps', { metadata: { name: 'settings' }, data: { COLOR: 'blue', SIZE: '7' } });
    await put('secrets', { metadata: { name: 'hidden' }, data: { key: Buffer.from('s3cret').toString('base64') } });
    const fieldRef = (fieldPath: string) => ({ valueFrom: { fieldRef: { fieldPath } } });
    const spec = sh('main', 'env; echo "args $0 $1"', {
      args: ['$(NAME)', '$$(NAME)'],
      envFrom: [{ prefix: 'C_', configMapRef: { name: 'settings' } }],
      env: [
        { name: 'NAME', ...fieldRef('metadata.name') },
        { name: 'LABEL', ...fieldRef("metadata.labels['app.x/y']") },
        { name: 'IP', ...fieldRef('status.podIP') },
        { name: 'NODE', ...fieldRef('spec.nodeName') },
        { name: 'SECRET', valueFrom: { secretKeyRef: { name: 'hidden', key: 'key' } } },
        { name: 'MAYBE', valueFrom: { configMapKeyRef: { name: 'absent', key: 'x', optional: true } } },
        { name: 'BOTH', value: '$(NAME)/$(C_COLOR)/$(NONE)' },
      ],
    });
    await lab.create(NS, 'env', { containers: [spec], restartPolicy: 'Never' }, { labels: { 'app.x/y': 'z' } });
    const { pod } = await lab.see('env', (s) => s.pod.status.phase === 'Succeeded', 'has succeeded');
    const out = (await lab.log(NS, 'env')).replaceAll(/^\S+ /gm, '').split('\n');
    const ip = pod.status.podIP ?? '';
    assert.match(ip, /^127\.(1[6-9]|2\d|3[01])\./);
    for (const line of [
      'NAME=env',
      'LABEL=z',
      `IP=${ip}`,
      'NODE=n1',
      'SECRET=s3cret',
      'BOTH=env/blue/$(NONE)',
      'C_SIZE=7',
      'args env $(NAME)',
      `QUIESCE_POD_IP=${ip}`,
      'QUIESCE_TIME_SCALE=10',
      `QUIESCE_CLUSTER=lab${process.pid}`,
      'KUBECONFIG=/dev/null',
      'HOSTNAME=env',
    ])
      assert.ok(out.includes(line), `${line} is missing`);
    assert.ok(!out.some((line) => line.startsWith('MAYBE=')));
  });

  test('volumes are under the root, and an emptyDir is shared', async () => {
    await lab.client.create(`/api/v1/namespaces/${NS}/configmaps`, {
      metadata: { name: 'files' },
      data: { 'a.txt': 'content of a' },
    });
    const volumeMounts = [
      { name: 'files', mountPath: '/etc/files' },
      { name: 'shared', mountPath: '/shared' },
      { name: 'info', mountPath: '/info' },
    ];
    await lab.create(NS, 'volumes', {
      restartPolicy: 'Never',
      volumes: [
        { name: 'files', configMap: { name: 'files' } },
        { name: 'shared', emptyDir: {} },
        { name: 'info', downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] } },
      ],
      initContainers: [sh('first', 'echo from-init > $QUIESCE_ROOT/shared/word', { volumeMounts })],
      containers: [sh('main', 'cd $QUIESCE_ROOT; cat etc/files/a.txt shared/word info/name', { volumeMounts })],
    });
    await lab.see('volumes', (s) => s.pod.status.phase === 'Succeeded', 'has succeeded');
    assert.match(await lab.log(NS, 'volumes'), /content of afrom-init\n\S+ volumes$/);
  });

  test('init containers run in order, a sidecar is awaited and ends after the main one', async () => {
    await lab.create(NS, 'order', {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 5,
      initContainers: [
        sh('one', 'sleep 0.1'),
        sh('side', `sleep 0.3; touch $QUIESCE_ROOT/up; trap 'exit 0' TERM; ${STAYS}`, {
          restartPolicy: 'Always',
          startupProbe: {
            exec: { command: ['sh', '-c', 'test -e $QUIESCE_ROOT/up'] },
            periodSeconds: 1,
            failureThreshold: 50,
          },
        }),
        sh('two', 'true'),
      ],
      containers: [sh('main', 'sleep 0.2')],
    });
    const waiting = await lab.see('order', ({ pod }) => stateOf(pod, 'side')?.started === true, 'has its sidecar');
    assert.equal(condition(waiting.pod, 'Initialized'), 'False');
    assert.deepEqual(stateOf(waiting.pod)?.state, { waiting: { reason: 'PodInitializing' } });
    assert.ok('terminated' in (stateOf(waiting.pod, 'one')?.state ?? {}));
    const { pod } = await lab.see('order', (s) => s.pod.status.phase === 'Succeeded', 'has succeeded');
    assert.ok('terminated' in (stateOf(pod, 'side')?.state ?? {}));
    const main = lab.pods.find((s) => s.pod.metadata.name === 'order' && 'terminated' in (stateOf(s.pod)?.state ?? {}));
    assert.ok('running' in (stateOf(main?.pod as never, 'side')?.state ?? {}));
    assert.equal(condition(pod, 'Ready'), 'False');
  });

  test('a failing init container fails a Pod that is never restarted', async () => {
    await lab.create(NS, 'bad-init', {
      restartPolicy: 'Never',
      initContainers: [sh('one', 'exit 4')],
      containers: [sh('main', 'true')],
    });
    const { pod } = await lab.see('bad-init', (s) => s.pod.status.phase === 'Failed', 'has failed');
    assert.deepEqual(stateOf(pod)?.state, { waiting: { reason: 'PodInitializing' } });
  });

  test('an image without a program, a command without one, a missing ConfigMap', async () => {
    await lab.create(NS, 'no-image', { containers: [{ name: 'main', image: 'nobody/knows:1' }] });
    await lab.create(NS, 'no-command', { containers: [{ name: 'main', image: 'test', command: ['absent'] }] });
    await lab.create(NS, 'no-file', {
      containers: [{ name: 'main', image: 'test', command: ['broken'] }],
      restartPolicy: 'Never',
    });
    await lab.create(NS, 'no-map', {
      containers: [sh('main', 'true', { envFrom: [{ configMapRef: { name: 'nowhere' } }] })],
    });
    const waits = async (name: string, why: string) => {
      const fits = ({ waiting }: { waiting?: { reason: string; message?: string } }) => waiting?.reason === why;
      const { pod } = await lab.see(name, (s) => fits((stateOf(s.pod)?.state ?? {}) as never), `waits: ${why}`);
      return (stateOf(pod)?.state as unknown as { waiting: { message: string } }).waiting.message;
    };
    assert.match(await waits('no-image', 'ErrImagePull'), /map it in an image map, such as \{"nobody\/knows:1"/);
    assert.match(await waits('no-image', 'ImagePullBackOff'), /Back-off pulling image/);
    assert.match(await waits('no-command', 'RunContainerError'), /exec: "absent": executable file not found in \$PATH/);
    const { pod } = await lab.see('no-file', (s) => s.pod.status.phase === 'Failed', 'has failed');
    const state = stateOf(pod)?.state as unknown as { terminated: { exitCode: number; reason: string } };
    assert.deepEqual([state.terminated.exitCode, state.terminated.reason], [128, 'StartError']);
    assert.equal(await waits('no-map', 'CreateContainerConfigError'), 'configmap "nowhere" not found');
    await lab.client.remove(`/api/v1/namespaces/${NS}/pods/no-image`);
    await lab.gone('no-image');
  });

  test('last words come from their file, or from the log after an error', async () => {
    await lab.create(NS, 'words', {
      restartPolicy: 'Never',
      containers: [
        sh('main', 'echo done > $QUIESCE_ROOT/dev/termination-log'),
        sh('other', 'echo went wrong; exit 1', { terminationMessagePolicy: 'FallbackToLogsOnError' }),
      ],
    });
    const { pod } = await lab.see('words', (s) => s.pod.status.phase === 'Failed', 'has failed');
    const message = (name: string) =>
      (stateOf(pod, name)?.state as unknown as { terminated: { message: string } }).terminated.message;
    assert.equal(message('main'), 'done\n');
    assert.equal(message('other'), 'went wrong\n');
  });

  test('exec runs in the container, with its input, its exit code and a runtime error', async () => {
    await lab.create(NS, 'exec', { containers: [sh('main', STAYS)] });
    const { pod } = await lab.ready('exec');
    const ref = { nodeName: 'n1', namespace: NS, pod: 'exec', container: 'main' };
    const streams = { stdin: true, stdout: true, stderr: false, tty: true };
    const session = await lab.kubelet.exec(ref, ['sh', '-c', 'cat; echo $QUIESCE_POD_IP; exit 7'], streams);
    session.stdin?.end('hello ');
    let out = '';
    for await (const part of session.stdout ?? []) out += String(part);
    assert.equal(out, `hello ${pod.status.podIP}\n`);
    assert.equal(await session.exit, 7);
    const missing = await (await lab.kubelet.exec(ref, ['absent'], streams)).exit;
    assert.match(String(missing), /OCI runtime exec failed.*"absent": executable file not found/);
    const killed = await lab.kubelet.exec(ref, ['sh', '-c', STAYS], streams);
    killed.kill();
    assert.equal(await killed.exit, 137);
    await assert.rejects(lab.kubelet.exec({ ...ref, nodeName: 'other' }, ['sh'], streams), { status: 404 });
  });

  test('what left its process group does not outlive its container', async () => {
    await lab.create(NS, 'escape', { restartPolicy: 'Never', containers: [sh('main', 'setsid sleep 300 & echo $!')] });
    await lab.see('escape', (s) => s.pod.status.phase === 'Succeeded', 'has succeeded');
    const pid = Number((await lab.log(NS, 'escape')).split(' ')[1]);
    assert.ok(pid > 0);
    await until('it is gone', () => !isRunning(pid));
  });

  test('a Pod that is deleted while it waits ends as failed, and leaves no folder', async () => {
    const { metadata } = await lab.create(NS, 'stuck', {
      containers: [sh('main', 'true', { volumeMounts: [{ name: 'v', mountPath: '/v' }] })],
      volumes: [{ name: 'v', configMap: { name: 'never' } }],
    });
    await lab.see('stuck', () => reason('FailedMount'), 'waits for its volume');
    await lab.client.remove(`/api/v1/namespaces/${NS}/pods/stuck`);
    await lab.gone('stuck');
    const last = lab.pods.findLast((s) => s.pod.metadata.name === 'stuck');
    assert.equal(last?.pod.status.phase, 'Failed');
    assert.throws(() => readFileSync(join(lab.folder, 'kubelet', 'pods', metadata.uid ?? '', 'x')), { code: 'ENOENT' });
  });

  test('the Node is ready and its lease is renewed', async () => {
    const lease = () =>
      lab.client.get<{ spec: { renewTime: string } }>(
        '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n1',
      );
    const first = (await lease()).spec.renewTime;
    assert.match(first, /\.\d{6}Z$/);
  });
});
