import { workerVariables } from '../../../src/engines/dynamo/facts.ts';
import { frontend, graphs, pod, scenarioOf, worker } from '../scenario.ts';

const via = (service: string) => ({ service, role: 'frontend' });
const cases = ['prefill', 'decode', 'router'] as const;
const open: Record<string, string> = { prefill: 'prefilled', decode: 'decoded', router: 'routed' };

/**
 * One replica of each role leaves while a request is on it that outlasts its grace: a prompt on the prefill worker, streams on a
 * decode worker (of two, chosen in turn) and through a router. The last graph's worker is served with `graceful_shutdown=False`.
 */
export default scenarioOf('Endpoint Draining')({
  id: 'dynamo-roles-wait',
  title: 'prefill and decode worker and router wait for their requests, an endpoint served with False returns at once',
  deploy: graphs(
    {
      name: 'split',
      components: [
        frontend('frontend'),
        worker('prefill', { type: 'prefill', runs: 'TensorRT-LLM' }),
        worker('decode', { type: 'decode', runs: 'SGLang', replicas: 2 }),
      ],
    },
    { name: 'routed', components: [frontend('frontend'), worker('router', { runs: 'router' }), worker('worker')] },
    {
      name: 'free',
      components: [frontend('frontend'), worker('worker', { env: { [workerVariables.graceful]: 'False' } })],
    },
  ),
  cases: {
    prefill: pod('split', 'prefill', 8),
    decode: pod('split', 'decode', 9),
    router: pod('routed', 'router', 9),
    free: pod('free', 'worker', 5),
  },
  load: {
    placed: [
      // The prompt takes until 8; the tokens behind it are more than those that were due before the delete.
      { name: 'prefilled', to: via('split'), starts: -2, ends: 12, waitsForKv: 10 },
      { name: 'decoded', to: via('split'), starts: -1.5, ends: 9, copies: 2 },
      { name: 'routed', to: via('routed'), starts: -2, ends: 9 },
      { name: 'left', to: via('free'), starts: -2, ends: 24 },
    ],
  },
  before: [
    { kind: 'request-flows', request: 'decoded' },
    { kind: 'request-flows', request: 'routed' },
    { kind: 'request-flows', request: 'left' },
  ],
  act: [{ at: 0, do: 'delete', cases: [...cases, 'free'] }],
  until: { gone: [...cases, 'free'], then: 3, atMost: 75 },
  decides: [
    ...cases.flatMap((name) =>
      ['DY-ED-03', 'DY-SG-01'].map((requirement) => {
        return { requirement, cases: [name], part: name, given: { open: open[name] } };
      }),
    ),
    { requirement: 'DY-ED-02', cases: ['free'], given: { open: 'left' } },
  ],
  onDoubles: {
    'DY-ED-03 router':
      'no frontend of 1.6.1 sends over dynamo.router: who serves over it calls its endpoint by a program of their own',
  },
  controls: [
    { fault: 'dynamo-dies-at-signal', breaks: ['DY-ED-03', 'DY-SG-01'] },
    { fault: 'worker-abandons-requests', breaks: ['DY-ED-03'] },
    { fault: 'worker-waits-ungracefully', breaks: ['DY-ED-02'] },
  ],
});
