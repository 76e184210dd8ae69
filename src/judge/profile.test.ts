import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalogue } from '../../suites/catalogue.ts';
import type { ProfileName } from '../requirements/profiles.ts';
import { judge, renderVerdicts } from './judge.ts';
import { findings } from './testing/build.ts';
import { simManifest } from './testing/manifest.ts';
import { Retiring, survivor, target } from './testing/retire.ts';
import type { PodSpec } from './testing/build.ts';
import type { Outcome } from './verdict.ts';

/** What a bundle of one decision, recorded under a profile, is judged as: all that is known of the profile stands in it. */
function judged(profile: string | undefined, requirement: string, scribe = new Retiring(), given = {}) {
  const manifest = {
    ...simManifest(1, [{ requirement, cases: ['leaving'], given }]),
    ...(profile === undefined ? {} : { profile }),
  };
  manifest.scenario.cases = { leaving: { deployment: 'chat', role: 'serve' } };
  const [verdict] = judge({ manifest, events: scribe.events }, catalogue);
  return { verdict: verdict!, text: renderVerdicts(manifest, [verdict!]) };
}

test('outside of its versions a requirement is unsupported, with the reason, whatever the history shows', () => {
  const { verdict, text } = judged('gpustack-v0.10', 'GS-LM-11');
  assert.equal(verdict.outcome, 'unsupported');
  assert.match(verdict.findings[0]?.seen ?? '', /holds for v0\.9\.2, not for v0\.10\.0 .*refuses no prefill or decode/);
  assert.match(text, /"profile": "gpustack-v0\.10"/);
  assert.equal(judged('gpustack-v0.9.2', 'GS-LM-11').verdict.outcome, 'inconclusive');
  assert.equal(judged(undefined, 'GS-LM-11').verdict.outcome, 'inconclusive', 'a bundle from before profiles');
});

test('a profile that nobody knows is a harness error, and decides nothing', () => {
  const { verdict } = judged('gpustack-v9', 'GS-RP-26');
  assert.equal(verdict.outcome, 'harness-error');
  assert.match(findings(verdict), /recorded under the profile gpustack-v9, which is not known here/);
});

test('where nobody has read the later page, the verdict says so', () => {
  assert.match(judged('gpustack-v0.11', 'GS-RP-10').verdict.findings[0]?.note ?? '', /v0\.11\.2 does, too, is not est/);
  assert.equal(judged('gpustack-v0.9.2', 'GS-RP-10').verdict.findings[0]?.note, undefined);
});

const split: PodSpec = { ...target, args: ['--data-parallel-hybrid-lb'] };
const refusal = 'the member runs a Hybrid disaggregated shape, which has no verifiable decoder-side release';

/** A split replica, G = 15 s, that the protocol deletes at `D`, or refuses to the end. */
function operation(D: number | undefined, pod = split, draining = 1): Retiring {
  const scribe = new Retiring()
    .serving()
    .ready(pod)
    .ready(survivor)
    .gauges('v', -2, D ?? 20, 0)
    .draining(draining)
    .deployment(draining + 0.5, 'Draining', { reason: refusal });
  if (D !== undefined) {
    scribe.deployment(D - 0.05, 'Deleting', { reason: "the target's queues are empty" });
    return scribe
      .leave(pod, { D, S: D + 6, E: D + 7, ours: false })
      .deployment(D + 9, undefined)
      .end(60);
  }
  return scribe
    .deployment(18, 'Draining', { reason: refusal })
    .deployment(241, 'Aborted', { reason: `the drain budget was exhausted: ${refusal}` })
    .look(243, pod)
    .lookDeployment(244, 'Aborted', { reason: refusal })
    .end(245);
}

test('a split replica is judged by the rule of the release', () => {
  const is = (profile: ProfileName, scribe: Retiring, outcome: Outcome) => {
    const { verdict } = judged(profile, 'GS-RP-26', scribe, { reason: 'split' });
    assert.equal(verdict.outcome, outcome, findings(verdict));
    return verdict;
  };
  is('gpustack-v0.9.2', operation(undefined), 'pass');
  is('gpustack-v0.9.2', operation(18), 'fail');
  const waited = is('gpustack-v0.10', operation(18), 'pass');
  assert.equal(waited.source, 'GPUStack operator v0.10.0, Model Deployment Shutdown');
  is('gpustack-v0.11', operation(18), 'pass');
  is('gpustack-v0.10', operation(6), 'fail');
  is('gpustack-v0.10', operation(30, split, 12), 'inconclusive');
  is('gpustack-v0.10', operation(undefined), 'fail');
  is('gpustack-v0.10', operation(18, target), 'inconclusive');
  // Work kept it, not its window.
  is('gpustack-v0.10', operation(18).gauges('v', 3, 12, 1), 'inconclusive');
});
