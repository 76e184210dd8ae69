import { replica, scaleDown, scenario, unrouted } from './scenario.ts';

/** Nothing shows which connections the Service still carries: the replica is held, and stays after the abort. */
export default scenario({
  id: 'scale-down-without-router',
  title: 'without a router a replica is held for 30 s and then retained, its connections untouched',
  deploy: { kind: 'gpustack', deployments: [unrouted('direct')] },
  cases: { target: replica('direct', 1), survivor: replica('direct', 0) },
  load: {
    placed: [{ name: 'through-service', to: { service: 'direct', role: 'serve' }, starts: -4, ends: 45, copies: 6 }],
  },
  before: [{ kind: 'survivor-ready', deployment: 'direct' }],
  act: [scaleDown('direct'), { at: 54, do: 'look', deployments: ['direct'] }],
  until: { then: 5, atMost: 75 },
  decides: [
    { requirement: 'GS-RP-10', cases: ['target'], part: 'scale-down' },
    { requirement: 'GS-RP-11', cases: ['target'] },
  ],
  controls: [
    { fault: 'retire-no-router-deletes', breaks: ['GS-RP-10', 'GS-RP-11'] },
    { fault: 'retire-no-router-holds-on', breaks: ['GS-RP-10'] },
  ],
});
