import type { GpustackDeploy } from '../../../src/scenario/scenario.ts';
import { grace, replica, scaleDown, scenario } from './scenario.ts';

const behindLlmD = (name: string): GpustackDeploy['deployments'][number] => ({
  name,
  roles: [{ name: 'serve', replicas: 2, terminationGracePeriodSeconds: grace }],
  router: { name: 'llm-d-router' },
});
const steady = (router: string, starts: number, ends: number) => ({
  name: `to-${router}`,
  to: { router },
  rate: 2,
  arrivals: 'constant' as const,
  starts,
  ends,
  tokens: 2,
});

/** What llm-d-router has just sent somewhere: to the target it holds, to a survivor it does not. */
export default scenario({
  id: 'recent-dispatch',
  title: 'behind llm-d-router a recent dispatch to the target holds it for 15 s, one to a survivor does not',
  deploy: { kind: 'gpustack', deployments: [behindLlmD('recent'), behindLlmD('others')] },
  cases: { recent: replica('recent', 1), others: replica('others', 1) },
  load: { steady: [steady('recent', -6, 24), steady('others', -5, 30)] },
  before: [{ kind: 'chosen-by-router', case: 'recent', atLeast: 2 }],
  act: [
    // Not Ready from 30 s later on, this target gets nothing from the router. That it is then held is another matter.
    { at: -38, do: 'control-engine', cases: ['others'], control: { metrics: 'refuse' } },
    scaleDown('recent'),
    scaleDown('others'),
  ],
  until: { gone: ['recent'], then: 2, atMost: 75 },
  decides: [
    { requirement: 'GS-RP-07', cases: ['recent'] },
    { requirement: 'GS-RP-08', cases: ['recent'] },
    { requirement: 'GS-RP-09', cases: ['others'] },
  ],
  controls: [
    { fault: 'retire-ignores-recent-dispatch', breaks: ['GS-RP-07'] },
    { fault: 'llm-d-forgets-dispatch', breaks: ['GS-RP-07'] },
    { fault: 'serving-counts-recent', breaks: ['GS-RP-08'] },
    { fault: 'llm-d-recent-in-selection', breaks: ['GS-RP-08'] },
    { fault: 'llm-d-survivor-holds', breaks: ['GS-RP-09'] },
    { fault: 'retire-any-dispatch-holds', breaks: ['GS-RP-09'] },
  ],
});
