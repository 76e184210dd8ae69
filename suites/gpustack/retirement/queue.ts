import { routed, scaleDown, scenario, targets } from './scenario.ts';

const engine = ['vllm', 'serve', 'quiesce/tiny', '--host', '0.0.0.0', '--port', '8000'];

/** One deployment's replica is held for good; that of another is asked for later, and goes. */
export default scenario({
  id: 'queue-not-blocked',
  title: 'a held replica of one deployment keeps no replica of another from going',
  deploy: { kind: 'gpustack', deployments: [routed('stuck', { command: engine }), routed('free')] },
  cases: targets(['stuck', 'free']),
  act: [scaleDown('stuck'), scaleDown('free', 14)],
  until: { gone: ['free'], then: 3, atMost: 60 },
  decides: [{ requirement: 'GS-RP-25', cases: ['stuck', 'free'] }],
  controls: [{ fault: 'retire-global-lock', breaks: ['GS-RP-25'] }],
});
