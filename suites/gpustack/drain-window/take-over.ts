import { alone, decide, pod, scenario } from './scenario.ts';

const command = ['vllm', 'serve', 'model', '--host', '0.0.0.0', '--port', '8000'];

/** Roles that set their own command, with and without a grace, beside one whose command the operator builds. */
export default scenario({
  id: 'take-over',
  title: 'a take-over role gets no hook, and its grace as given or the default',
  deploy: alone(
    { name: 'built', replicas: 1, terminationGracePeriodSeconds: 45 },
    { name: 'given', replicas: 1, command, terminationGracePeriodSeconds: 77 },
    { name: 'unset', replicas: 1, command },
  ),
  cases: { built: pod('built', 0), given: pod('given', 0), unset: pod('unset', 0) },
  act: [{ at: 0, do: 'delete', cases: ['built', 'given', 'unset'] }],
  until: { gone: ['built', 'given', 'unset'], atMost: 40 },
  decides: [
    { requirement: 'GS-DW-02', cases: ['built'], given: { asked: { built: 45 } } },
    ...decide(['GS-LM-07'], ['given', 'unset']),
    { requirement: 'GS-LM-14', cases: ['given'], given: { grace: 77 } },
    { requirement: 'GS-LM-15', cases: ['unset'] },
  ],
  controls: [
    { fault: 'grace-not-written', breaks: ['GS-DW-02'] },
    { fault: 'takeover-gets-hook', breaks: ['GS-LM-07'] },
    { fault: 'takeover-drops-grace', breaks: ['GS-LM-14'] },
    { fault: 'takeover-default-grace-written', breaks: ['GS-LM-15'] },
  ],
});
