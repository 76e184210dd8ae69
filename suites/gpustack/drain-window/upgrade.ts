import { alone, leaving, scenario } from './scenario.ts';

/** From a release without hook and grace to the one that adds them; afterwards the operator is restarted once. */
export default scenario({
  id: 'upgrade',
  title: 'the release that adds hook and grace turns every replica over exactly once',
  deploy: {
    ...alone({ name: 'serve', replicas: 2 }, { name: 'own-command', replicas: 1, command: ['vllm', 'serve', 'model'] }),
    operator: 'before-drain-window',
  },
  cases: { turned: leaving('serve'), 'own-command': leaving('own-command') },
  act: [
    { at: 0, do: 'upgrade-operator' },
    { at: 42, do: 'restart-operator' },
  ],
  until: { turnedOver: ['turned'], then: 8, atMost: 70 },
  decides: [{ requirement: 'GS-DW-23', cases: ['turned'], given: { edit: 'upgrade-operator', quiet: 6 } }],
  controls: [{ fault: 'upgrade-turns-twice', breaks: ['GS-DW-23'] }],
});
