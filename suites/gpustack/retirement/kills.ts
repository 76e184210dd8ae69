import type { Scenario, Step } from '../../../src/scenario/scenario.ts';
import type { RetirementState } from '../../../src/systems/gpustack/types.ts';
import type { Seconds } from '../../../src/time/scale.ts';
import { grace, replica, routed, scaleDown, scenario, unrouted } from './scenario.ts';

/**
 * The operator is killed in each state of a retirement, at an instant after its beginning that the seed of the run draws:
 * the operation ends as if nothing had happened. `quiesce run --tag kills --repeat N` draws N instants in each state.
 */
const killed = (
  state: RetirementState,
  within: Seconds,
  rest: Pick<Scenario, 'deploy' | 'cases' | 'load' | 'before' | 'until' | 'decides'>,
  act: Step[],
): Scenario =>
  scenario({
    id: `operator-killed-${state.toLowerCase()}`,
    title: `an operator that is killed while a retirement is ${state} goes on where it was`,
    tags: ['kills'],
    ...rest,
    act: [{ at: -3, do: 'kill-operator', deployment: 'chat', state, within }, ...act],
    // Each promise has its control in the scenario that is about it.
    controls: [],
  });

const target = { target: replica('chat', 1), survivor: replica('chat', 0) };
const long = { name: 'long', to: { case: 'target' }, starts: -4, ends: 22 };

/** Whatever came between, it is withdrawn, read twice and drained before it goes. */
const ends = ['GS-RP-01', 'GS-RP-13', 'GS-RP-16'];

/** A replica with work for longer than its whole drain window, which then goes. */
const leaves = (state: RetirementState, within: Seconds, more = ['GS-RP-34']): Scenario =>
  killed(
    state,
    within,
    {
      deploy: { kind: 'gpustack', deployments: [routed('chat')] },
      cases: target,
      load: { placed: [long] },
      before: [{ kind: 'stream-open', case: 'target', request: 'long' }],
      until: { gone: ['target'], then: 6, atMost: 100 },
      decides: [...ends, ...more].map((requirement) => ({ requirement, cases: ['target'] })),
    },
    [scaleDown('chat')],
  );

/** llm-d-router has just sent something to the target: the operation stays where it is for up to 15 s. */
const waitsForDispatch = killed(
  'Disqualified',
  6,
  {
    deploy: {
      kind: 'gpustack',
      deployments: [
        {
          name: 'chat',
          roles: [{ name: 'serve', replicas: 2, terminationGracePeriodSeconds: grace }],
          router: { name: 'llm-d-router' },
        },
      ],
    },
    cases: target,
    load: {
      steady: [{ name: 'sent', to: { router: 'chat' }, rate: 2, arrivals: 'constant', starts: -6, ends: 2, tokens: 2 }],
    },
    before: [{ kind: 'chosen-by-router', case: 'target', atLeast: 2 }],
    until: { gone: ['target'], then: 6, atMost: 100 },
    decides: [{ requirement: 'GS-RP-07', cases: ['target'] }],
  },
  [scaleDown('chat')],
);

/** Without a router it aborts after 30 s: that end stays, and so does everything else. */
const staysAborted = killed(
  'Aborted',
  6,
  {
    deploy: { kind: 'gpustack', deployments: [unrouted('chat')] },
    cases: target,
    load: {
      placed: [{ name: 'through-service', to: { service: 'chat', role: 'serve' }, starts: -4, ends: 45, copies: 6 }],
    },
    until: { then: 5, atMost: 75 },
    decides: [
      { requirement: 'GS-RP-10', cases: ['target'], part: 'scale-down' },
      { requirement: 'GS-RP-11', cases: ['target'] },
    ],
  },
  [scaleDown('chat'), { at: 54, do: 'look', deployments: ['chat'] }],
);

/** Short states are met at their first instant: they are over before another one can be drawn. */
export const kills: readonly Scenario[] = [
  staysAborted,
  waitsForDispatch,
  leaves('Admitted', 0),
  leaves('Withdrawing', 0),
  leaves('Draining', 20),
  // Its delete is what a new operator has to find: how soon it comes is not what this is about.
  leaves('Deleting', 5, []),
  leaves('Settling', 0),
];
