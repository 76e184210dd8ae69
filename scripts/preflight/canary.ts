import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { measureOffset } from '../../src/cluster/clock-offset.ts';
import { createOnceAllowed } from '../../src/cluster/once-allowed.ts';
import { GuardedClient } from '../../src/cluster/guard.ts';
import { NAMESPACE_PREFIX, OWNED_LABEL } from '../../src/cluster/ownership.ts';
import { RunLease } from '../../src/cluster/run-lease.ts';
import type { Connection, KubeObject } from '../../src/cluster/rest.ts';
import { runsInCluster, sweepRuns } from '../../src/cluster/sweep.ts';
import { Watch } from '../../src/cluster/watch.ts';
import { now } from '../../src/time/clock.ts';
import { TimeScale } from '../../src/time/scale.ts';
import { answer, no, type Answer } from './answer.ts';

/** The canary's grace and the length of its hook, in documented seconds: far apart, so that what is measured is one of two things. */
const GRACE = 4;
const HOOK = 20;

/** Documented seconds that a kubelet gives a process at least after its hook used the grace up, and those that it may be late. */
const LEAST_STOP = 2;
const LATE = 6;

/** Milliseconds of the wall until the canary must run; a pull takes its time. */
const START_MS = 120_000;

/** Milliseconds of the wall in which an address of the Pod network answers, if only with a refusal. */
const REACH_MS = 3000;

type Pod = KubeObject & {
  spec: { initContainers?: { restartPolicy?: string }[] };
  status?: {
    phase?: string;
    podIP?: string;
    containerStatuses?: {
      state?: { running?: object; terminated?: object; waiting?: { reason?: string; message?: string } };
    }[];
  };
};

export interface CanaryOptions {
  /** An image with `sh` and `sleep`. */
  image: string;
  timeScale: number;
}

/**
 * Tries a Pod in a namespace of our own, and leaves nothing: whether it may run and is reached from here, whether native sidecars are
 * kept, and whether a hook that overruns and the stop after it share one grace.
 * @throws KubeError where the API server refuses
 */
export async function tryCanary(connection: Connection, { image, timeScale }: CanaryOptions): Promise<Answer[]> {
  const run = `preflight-${Date.now().toString(36)}-${process.pid}`;
  const namespace = `${NAMESPACE_PREFIX}preflight-${randomBytes(3).toString('hex')}`;
  const client = new GuardedClient(connection, run);
  const metadata = { name: namespace, labels: { [OWNED_LABEL]: run } };
  await client.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata });
  let lease: RunLease | undefined;
  try {
    lease = await RunLease.start(client, namespace, await measureOffset(client));
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    const sidecars = await createPod(client, `${pods}?dryRun=All`, withSidecar(canary(namespace, run, image)));
    const kept = sidecars.spec.initContainers?.[0]?.restartPolicy === 'Always';
    return [
      answer('native-sidecars', kept, `restartPolicy of an init container is ${kept ? 'kept' : 'dropped'}`),
      ...(await watchCanary(client, pods, canary(namespace, run, image), new TimeScale(timeScale))),
    ];
  } finally {
    lease?.stop();
    await sweepRuns(
      client,
      (await runsInCluster(client)).filter((r) => r.run === run),
      { patienceMs: 30_000 },
    );
    client.close();
  }
}

/** A Pod that ignores SIGTERM, behind a hook that outlasts its grace; it holds the restricted Pod security standard. */
const canary = (namespace: string, run: string, image: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'canary', namespace, labels: { [OWNED_LABEL]: run } },
  spec: {
    restartPolicy: 'Never',
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: GRACE,
    securityContext: { runAsNonRoot: true, runAsUser: 65_534, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        name: 'main',
        image,
        command: ['sh', '-c', 'trap "" TERM; while true; do sleep 1; done'],
        lifecycle: { preStop: { exec: { command: ['sleep', String(HOOK)] } } },
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
      },
    ],
  },
});

const withSidecar = (pod: ReturnType<typeof canary>) => {
  const [main] = pod.spec.containers;
  return { ...pod, spec: { ...pod.spec, initContainers: [{ ...main, name: 'sidecar', restartPolicy: 'Always' }] } };
};

async function watchCanary(client: GuardedClient, pods: string, pod: object, scale: TimeScale): Promise<Answer[]> {
  const seen: { pod: Pod; at: number }[] = [];
  let look = () => {};
  const watch = new Watch<Pod>(client, pods, {
    event: (_type, object, at) => {
      seen.push({ pod: object, at });
      look();
    },
  });
  const until = (fits: (pod: Pod) => boolean, ms: number) =>
    new Promise<{ pod: Pod; at: number } | undefined>((resolve) => {
      const timer = setTimeout(() => resolve(undefined), ms);
      look = () => {
        const found = seen.find((s) => fits(s.pod));
        if (!found) return;
        clearTimeout(timer);
        resolve(found);
      };
      look();
    });
  try {
    await watch.ready;
    await createPod(client, pods, pod);
    const running = await until((p) => stateOf(p)?.running !== undefined, START_MS);
    if (!running) return [no('canary', why(seen.at(-1)?.pod))];
    const reached = await reach(running.pod.status?.podIP ?? '');
    // A real kubelet delays the end of a younger Pod by up to 1.5 s.
    await new Promise((resolve) => setTimeout(resolve, scale.toMs(3)));
    const deleted = now();
    await client.remove(`${pods}/canary`);
    const ended = await until((p) => stateOf(p)?.terminated !== undefined, scale.toMs(HOOK + GRACE + LATE));
    const after = ended && scale.toSeconds(ended.at - deleted);
    return [
      answer('canary', true, `ran with ${running.pod.status?.podIP ?? 'no address'}`),
      answer(
        'pod-network',
        reached === 'yes',
        `from here ${running.pod.status?.podIP}: ${reached === 'yes' ? 'reached' : reached}`,
      ),
      answer(
        'clock:grace-shared',
        after !== undefined && after < GRACE + LEAST_STOP + LATE,
        `grace ${GRACE} s, hook ${HOOK} s, SIGTERM ignored: ended ${after?.toFixed(2) ?? 'not'} s after the delete`,
      ),
    ];
  } finally {
    watch.stop();
  }
}

const stateOf = (pod: Pod) => pod.status?.containerStatuses?.[0]?.state;

const why = (pod: Pod | undefined): string => {
  const waiting = pod && stateOf(pod)?.waiting;
  return `did not run: ${pod?.status?.phase ?? 'not created'} ${[waiting?.reason, waiting?.message].filter(Boolean).join(': ')}`;
};

/** A refusal shows that the address is reached as well as an answer does. */
function reach(host: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host, port: 9 });
    const done = (result: string) => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(REACH_MS, () => done(`no answer within ${REACH_MS} ms`));
    socket.on('connect', () => done('yes'));
    socket.on('error', (error: NodeJS.ErrnoException) => done(error.code === 'ECONNREFUSED' ? 'yes' : error.message));
  });
}

/** Creates a Pod; a new namespace refuses it until a controller has made its default ServiceAccount. */
const createPod = (client: GuardedClient, path: string, pod: object): Promise<Pod> =>
  createOnceAllowed<Pod>(client, path, pod, {
    passes: (message) => /serviceaccount/i.test(message),
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
