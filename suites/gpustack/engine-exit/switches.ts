import { sglang as facts } from '../../../src/engines/sglang.ts';
import { alone, decide, pod, scenario, sglang } from './scenario.ts';

/**
 * A vLLM that waits after its signal, with a request that ends just before G and one that comes after the signal; and a
 * decoder that is told to skip its drain. The decoder moves its port, so that its signal comes after the first 5 s.
 */
export default scenario({
  id: 'shutdown-switches',
  title: 'a vLLM told to wait finishes what runs and serves nothing new; a forced SGLang still waits its 15 s',
  deploy: alone(
    { name: 'waits', roles: [{ name: 'serve', replicas: 1, extraArgs: ['--shutdown-timeout', '60'] }] },
    sglang(
      'forced',
      { name: 'prefill', kind: 'Prefill', replicas: 1 },
      {
        name: 'decode',
        kind: 'Decode',
        replicas: 1,
        // Long enough that an exit of its own and the kill are far apart.
        terminationGracePeriodSeconds: 45,
        extraArgs: ['--port', '9001'],
        env: { [facts.forceVariable]: '1' },
      },
    ),
  ),
  cases: { waits: pod('waits', 'serve', 0, null), forced: pod('forced', 'decode', 0, null) },
  load: {
    placed: [
      { name: 'runs-on', to: { case: 'waits' }, starts: -4, ends: 28.5 },
      { name: 'comes-late', to: { case: 'waits' }, starts: 27.75, tokens: 1 },
      { name: 'outlasts', to: { case: 'forced' }, starts: -4, ends: 55 },
    ],
  },
  before: [
    { kind: 'stream-open', case: 'waits' },
    { kind: 'stream-open', case: 'forced' },
  ],
  act: [{ at: 0, do: 'delete', cases: ['waits', 'forced'] }],
  until: { gone: ['waits', 'forced'], then: 1, atMost: 60 },
  decides: [...decide(['GS-DW-36'], ['waits']), ...decide(['GS-DW-35', 'GS-LM-08'], ['forced'])],
  controls: [
    { fault: 'vllm-drain-skipped', breaks: ['GS-DW-36'] },
    { fault: 'vllm-serves-while-waiting', breaks: ['GS-DW-36'] },
    { fault: 'sglang-skips-wait', breaks: ['GS-DW-35'] },
    { fault: 'sglang-force-ignored', breaks: ['GS-DW-35'] },
  ],
});
