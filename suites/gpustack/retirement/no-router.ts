import type { Step } from '../../../src/scenario/scenario.ts';
import { replica, scaleDown, scenario, unrouted } from './scenario.ts';

const lower = (name: string, at: number, value: number): Step => ({
  at,
  do: 'edit',
  name,
  deployment: 'twice',
  patch: [{ op: 'replace', path: '/spec/roles/0/replicas', value }],
});

/** Nothing shows which connections the Service still carries: the replica is held, and stays after the abort. */
export default scenario({
  id: 'scale-down-without-router',
  title: 'without a router a replica is held for 30 s and then retained, its connections untouched',
  deploy: { kind: 'gpustack', deployments: [unrouted('direct'), unrouted('twice', { replicas: 3 })] },
  cases: { target: replica('direct', 1), survivor: replica('direct', 0), first: replica('twice', 2) },
  load: {
    placed: [{ name: 'through-service', to: { service: 'direct', role: 'serve' }, starts: -4, ends: 45, copies: 6 }],
  },
  before: [{ kind: 'survivor-ready', deployment: 'direct' }],
  act: [
    scaleDown('direct'),
    lower('first', 0, 2),
    // Once the first is aborted and retained, another one is to go.
    lower('second', 37, 1),
    { at: 54, do: 'look', deployments: ['direct', 'twice'] },
  ],
  until: { then: 5, atMost: 75 },
  decides: [
    { requirement: 'GS-RP-10', cases: ['target'], part: 'scale-down' },
    { requirement: 'GS-RP-11', cases: ['target'] },
    { requirement: 'GS-RP-25', cases: ['first'], part: 'after an abort', given: { edit: 'second' } },
  ],
  controls: [
    { fault: 'retire-no-router-deletes', breaks: ['GS-RP-10', 'GS-RP-11'] },
    { fault: 'retire-no-router-holds-on', breaks: ['GS-RP-10'] },
    { fault: 'aborted-blocks-removals', breaks: ['GS-RP-25'] },
    { fault: 'aborted-stays-ineligible', breaks: ['GS-RP-10'] },
    { fault: 'as-implemented', breaks: ['GS-RP-10', 'GS-RP-25'] },
  ],
});
