import type { Fault, Faulty } from './fault.ts';

type Said = Pick<Fault, 'does' | 'breaks' | 'seenInField'>;

const of = (double: Faulty, faults: Record<string, Said>): Fault[] =>
  Object.entries(faults).map(([name, said]) => ({ name, double, ...said }));

/** Faults of Dynamo's workers and frontends. P: the grace period, H: the frontend's timeout. */
export const dynamoFaults: readonly Fault[] = [
  ...of('dynamo', {
    'dynamo-dies-at-signal': {
      does: 'dies of the signal at once: nothing handles it',
      breaks: ['DY-SG-01', 'DY-CL-04', 'DY-ED-03'],
      seenInField: 'dynamo.router 1.6.1 dies of SIGTERM (measured)',
    },
    'dynamo-dies-of-sigint': {
      does: 'dies of SIGINT at once, and handles SIGTERM alone',
      breaks: ['DY-SG-02'],
      seenInField: 'the unified worker of 1.6.1 ends by KeyboardInterrupt (measured)',
    },
  }),
  ...of('dynamo', {
    'dynamo-dies-of-second-signal': {
      does: 'ends with 70 at a second signal',
      breaks: ['DY-SG-01', 'DY-FE-04'],
      seenInField: 'workers of the releases after 1.6 are to do so (read)',
    },
  }),
  ...of('dynamo-worker', {
    'worker-hurries-at-second-signal': {
      does: 'ends its grace, or its wait for requests, at a further signal',
      breaks: ['DY-SQ-03', 'DY-ED-01'],
    },
    'worker-stays-registered': {
      does: 'logs that it has left discovery and leaves its record as it is',
      breaks: ['DY-SQ-01', 'DY-SQ-02', 'DY-CL-04'],
    },
    'worker-leaves-card': {
      does: 'leaves its model card in discovery',
      breaks: ['DY-CL-04'],
      seenInField: 'the unified worker of 1.6.1: its card stays until it expires, 9 s after the exit (measured)',
    },
    'worker-unregisters-late': {
      does: 'leaves discovery after the grace period only, with the runtime',
      breaks: ['DY-SQ-01', 'DY-SQ-02'],
      seenInField: 'the model card of 1.6.1 leaves with the runtime (measured)',
    },
    'worker-grace-short': { does: 'waits 2 s in place of P', breaks: ['DY-SQ-03'] },
    'worker-grace-long': { does: 'waits 5 s longer than P', breaks: ['DY-SQ-03'] },
    'worker-grace-constant': { does: 'waits 5 s whatever P is', breaks: ['DY-SQ-03'] },
    'worker-refuses-in-grace': {
      does: 'takes nothing new from the unregister on',
      breaks: ['DY-SQ-03', 'DY-SQ-04'],
      seenInField: 'dynamo.mocker 1.6.1 has no grace period (measured)',
    },
    'worker-accepts-after-grace': { does: 'serves what comes after runtime.shutdown()', breaks: ['DY-SQ-05'] },
    'worker-abandons-requests': {
      does: 'leaves at runtime.shutdown() whatever still runs',
      breaks: ['DY-ED-01', 'DY-ED-03', 'DY-MG-04', 'DY-K8-02'],
      seenInField: 'handlers of vLLM and TensorRT-LLM abort at the end of the grace (read, and measured with a stub)',
    },
    'worker-cleans-up-first': {
      does: 'cleans up before the grace is over',
      breaks: ['DY-SQ-01', 'DY-CL-05'],
      seenInField: 'the unified worker of 1.6.1 cleans up before runtime.shutdown() (measured)',
    },
    'worker-waits-past-timeout': {
      does: 'waits 5 s longer than its timeout for requests',
      breaks: ['DY-SQ-06', 'DY-SQ-08'],
    },
    'worker-waits-for-each-endpoint': {
      does: 'waits for its endpoints one after the other, each up to the timeout',
      breaks: ['DY-SQ-06', 'DY-SQ-08'],
    },
    'worker-waits-ungracefully': {
      does: 'waits for the requests of endpoints that are served with graceful_shutdown=False, too',
      breaks: ['DY-ED-02'],
      seenInField: 'serve_endpoint of 1.6.1 returns only when the last request has ended (measured)',
    },
    'worker-health-stays-up': {
      does: 'answers /health with 200 until it exits',
      breaks: ['DY-K8-02'],
      seenInField: 'the Python worker of 1.6.1 does so all through its grace (measured)',
    },
    'worker-ends-as-whole': {
      does: 'ends what it gives up at its timeout with the finish reason of a whole answer',
      breaks: ['DY-MG-05'],
    },
    'worker-hides-remaining': { does: 'does not say how many endpoints are left at the timeout', breaks: ['DY-SQ-06'] },
  }),
  ...of('dynamo-worker', {
    'worker-leaves-folders': { does: 'leaves its temporary folders', breaks: ['DY-CL-01'] },
    'worker-leaves-engine': {
      does: 'ends without shutting its engine down, whose shared memory stays',
      breaks: ['DY-CL-01', 'DY-CL-02'],
    },
    'sglang-awaits-tasks': {
      does: 'waits for its pending consume tasks in place of cancelling them',
      breaks: ['DY-CL-02'],
    },
    'trtllm-dies-of-cleanup-error': {
      does: 'ends with 1 at an error of its clean-up, without a word',
      breaks: ['DY-CL-03'],
    },
    'vllm-monitor-late': { does: 'sees a dead engine 12 s late', breaks: ['DY-ER-01'] },
    'vllm-runtime-before-engine': {
      does: 'shuts the runtime down before the engine',
      breaks: ['DY-ER-04'],
    },
    'vllm-engine-shutdown-unbounded': {
      does: 'waits 12 s longer than the bound for the shutdown of its engine',
      breaks: ['DY-ER-05'],
      seenInField: 'the bound of 1.6.1 is 60 s (measured)',
    },
    'worker-hides-fatal-error': {
      does: 'ends with 0 after a fatal error',
      breaks: ['DY-ER-01', 'DY-ER-02', 'DY-ER-03', 'DY-ER-04'],
    },
    'trtllm-cleans-up-before-runtime': {
      does: 'cleans its engine up before runtime.shutdown()',
      breaks: ['DY-ER-02'],
    },
    'trtllm-hides-cause': {
      does: 'logs the warning of a fatal error without its cause',
      breaks: ['DY-ER-06'],
      seenInField: 'the line of 1.6.1 names none (measured)',
    },
  }),
  ...of('dynamo-operator', {
    'dynamo-operator-forgets-grace': {
      does: 'leaves the grace of Pods to Kubernetes, which gives 30 s',
      breaks: ['DY-K8-01'],
      seenInField: 'the page of earlier releases says 30 s',
    },
  }),
  ...of('dynamo-frontend', {
    'frontend-routes-to-unregistered': {
      does: 'goes on choosing the instance that it chose last, whatever discovery says',
      breaks: ['DY-SQ-07', 'DY-K8-02'],
    },
    'frontend-never-migrates': {
      does: 'does not take a broken stream up again, whatever its limit is',
      breaks: ['DY-MG-01', 'DY-MG-03'],
      seenInField: '1.6.1 does not migrate at a cap, at the end of a unified worker or in a drain (measured)',
    },
    'frontend-repeats-tokens': { does: 'sends two tokens again where a stream migrates', breaks: ['DY-MG-01'] },
    'frontend-hides-broken-streams': {
      does: 'ends a stream that its worker broke as if it were whole',
      breaks: ['DY-MG-02'],
      seenInField: 'over HTTPS 1.6.1 cuts a stream without a word (measured)',
    },
    'frontend-stops-at-second-signal': { does: 'ends its drain at a second signal', breaks: ['DY-FE-04'] },
    'frontend-ends-with-a-client': {
      does: 'ends its drain once a client has left in mid-stream',
      breaks: ['DY-FE-04', 'DY-FE-05'],
    },
    'frontend-forgets-other-models': {
      does: 'gives every stream up once a model has lost its last worker',
      breaks: ['DY-K8-02'],
    },
    'frontend-health-stays-up': { does: 'answers /health with 200 while it drains', breaks: ['DY-FE-01'] },
    'frontend-admits-in-drain': { does: 'takes new requests while it drains', breaks: ['DY-FE-02'] },
    'frontend-live-fails-in-drain': {
      does: 'answers /live with 503 while it drains',
      breaks: ['DY-FE-03', 'DY-K8-03'],
      seenInField: 'dynamo.frontend 1.6.1, in each of 14 runs (measured)',
    },
    'frontend-cuts-bodies': {
      does: 'closes every connection 1 s after the signal',
      breaks: ['DY-FE-04', 'DY-ED-03'],
      seenInField: 'dynamo.frontend 1.6.1 over HTTPS cuts what outlasts the timeout (measured)',
    },
    'frontend-drain-short': {
      does: 'drains for 2 s in place of H',
      breaks: ['DY-FE-04', 'DY-FE-05', 'DY-FE-06', 'DY-ED-03'],
    },
    'frontend-forgets-sessions': {
      does: 'counts a session as over once its upgrade is answered',
      breaks: ['DY-FE-05'],
    },
    'frontend-drain-long': { does: 'drains 3 s longer than H', breaks: ['DY-FE-06'] },
    'frontend-cancels-runtime-first': {
      does: 'cancels the runtime at the signal, before the drain',
      breaks: ['DY-FE-07'],
      seenInField: 'dynamo.frontend 1.6.1 runs all phases in the millisecond of the signal (measured)',
    },
  }),
];
