import { dynamo } from '../../../requirements/dynamo.ts';
import { firstMark, interruptOf, killingOf, pathReads, signalledOf } from '../../facts/dynamo.ts';
import { mainOf } from '../../facts/objects.ts';
import type { ObjectFields } from '../../facts/objects.ts';
import { demand, eachPod, evidenceOf, given, need } from '../../rule.ts';
import type { PodCase, Rule } from '../../rule.ts';
import type { Finding } from '../../verdict.ts';
import { marksOf as requestMarks, names } from '../cut-requests.ts';
import { killedAtG } from '../exit-timing.ts';
import { hangs, instant, isRefused, requestsGiven } from './given.ts';
import { notRouted, waitsForAll } from './serving.ts';

const KIND = 'DynamoGraphDeployment';

interface GraphFields extends ObjectFields {
  spec?: { components?: { name?: string; podTemplate?: { spec?: { terminationGracePeriodSeconds?: number } } }[] };
}

const DEFAULT = 'no grace in the graph: 60 in the Pod';

/** K8-01: a Pod of a component that says nothing of a grace. */
function graceByDefault({ facts, pod }: PodCase): Finding {
  const graph = facts.all.objects
    .get(KIND)
    ?.find(({ object }) => object.metadata.name === pod.deployment && object.metadata.uid !== undefined);
  const found = need(graph, `no ${KIND} ${pod.deployment} is in the history`, 'a watch of graphs');
  const component = (found.object as GraphFields).spec?.components?.find(({ name }) => name === pod.role);
  const stated = need(component, `the graph has no component ${pod.role}`, 'the component of the Pod').podTemplate?.spec
    ?.terminationGracePeriodSeconds;
  demand(stated === undefined, `the graph asks for ${stated} s`, 'a component without a grace');
  const grace = need(pod.grace, `${pod.name} has no grace`, 'a Pod with terminationGracePeriodSeconds');
  return {
    outcome: grace === dynamo.podGrace ? 'pass' : 'fail',
    formula: DEFAULT,
    seen: `${pod.name} has ${grace} s, its graph says nothing`,
    evidence: evidenceOf({
      marks: [
        { mark: found, what: 'the graph' },
        { mark: pod.created, what: `${pod.name} seen first` },
      ],
    }),
  };
}

const UNREADY = '/health of the worker: 200 before the signal, never after runtime.shutdown()';

/** K8-02, readiness: what the probe reads, read by the harness. */
function readinessFails(of: PodCase): Finding {
  const { facts, pod } = of;
  const S = instant(signalledOf(facts, pod), `the signal of ${pod.name}`);
  const runtime = instant(firstMark(facts, pod, 'runtime'), `${pod.name} begin runtime.shutdown()`);
  const E = instant(pod.E, `the end of ${pod.name}`);
  const reads = pathReads(facts, pod, '/health').filter(({ data }) => !data.error?.includes('timeout'));
  const before = reads.filter(({ data, at }) => data.status === 200 && at[1] < S.at[0]);
  demand(before.length > 0, `${pod.name} was never seen to be healthy`, 'reads before the signal', S.marks);
  const after = reads.filter(({ at }) => at[0] > runtime.at[1] && at[1] < E.at[1]);
  demand(after.length >= 2, `${after.length} reads lie after runtime.shutdown() of ${pod.name}`, 'two at least');
  const ready = after.filter(({ data }) => data.status === 200);
  const seen =
    ready.length > 0
      ? `${ready.length} of ${after.length} reads of ${pod.name} after runtime.shutdown() got 200`
      : `${after.length} reads of ${pod.name} after runtime.shutdown(), none with 200`;
  const marks = (ready.length > 0 ? ready : after).map((mark) => ({ mark, what: `GET /health: ${mark.data.status}` }));
  return {
    outcome: ready.length > 0 ? 'fail' : 'pass',
    formula: UNREADY,
    seen,
    evidence: evidenceOf(S, runtime, { marks }),
  };
}

/** K8-02: readiness fails, traffic stops, requests in flight complete; `given.part` says which of them. */
function leavesTraffic(of: PodCase): Finding {
  const part = given.text(of.given, 'part');
  if (part === 'traffic') return notRouted(of);
  return part === 'requests' ? waitsForAll(of) : readinessFails(of);
}

const NO_LOOP = 'drain > period * threshold of the liveness probe: it ends by itself';

/** K8-03: a drain in place that lasts longer than the liveness probe is patient for. */
function drainsInPeace(of: PodCase): Finding {
  const { facts, pod, scale } = of;
  const sent = instant(interruptOf(facts, pod), `a signal of ours to ${pod.name}`);
  const probe = need(
    mainOf(pod.newest)?.livenessProbe,
    `${pod.name} has no liveness probe`,
    'one, as the operator has it',
  );
  const patience = scale.toMs((probe.periodSeconds ?? 10) * (probe.failureThreshold ?? 3));
  const killing = killingOf(facts, pod);
  const open = requestsGiven(of, 'open').filter((q) => q.sent && q.sent.at[1] < sent.at[0]);
  const marks = [...sent.marks, ...requestMarks(open)];
  if (killing && killing.at[1] > sent.at[0])
    return {
      outcome: 'fail',
      formula: NO_LOOP,
      seen: `the kubelet ends main of ${pod.name}, which nobody deleted`,
      evidence: evidenceOf(killing, { marks }),
    };
  const E = instant(pod.E, `the end of ${pod.name}`);
  demand(
    open.length > 0,
    `no request was open on ${pod.name} at its signal`,
    'one that outlasts the probe',
    sent.marks,
  );
  const lost = open.filter((q) => q.cut || isRefused(q) || hangs(q));
  demand(lost.length === 0, `${names(lost)} on ${pod.name}`, 'a drain whose requests end whole');
  const long = open.filter((q) => q.kind === 'complete' && q.over && q.over[0] > sent.at[1] + patience);
  demand(long.length > 0, `no request on ${pod.name} outlasts the patience of its liveness probe`, 'one that does');
  const seen = `${names(long)} ran for longer than the probe is patient; ${pod.name} ended with ${E.exitCode ?? 'an unknown code'}`;
  demand(E.exitCode === 0, seen, 'an end with 0', E.marks);
  return { outcome: 'pass', formula: NO_LOOP, seen, evidence: evidenceOf(E, { marks }) };
}

/** K8-04: what outlasts its grace is killed; it had been told by then. */
function killedAfterGrace(of: PodCase): Finding {
  const S = signalledOf(of.facts, of.pod);
  return killedAtG({ ...of, pod: S ? { ...of.pod, S } : of.pod });
}

/** A departure as Kubernetes sees it. */
export const dynamoKubernetes: Record<string, Rule> = {
  'DY-K8-01': eachPod(DEFAULT, graceByDefault),
  'DY-K8-02': eachPod(UNREADY, leavesTraffic),
  'DY-K8-03': eachPod(NO_LOOP, drainsInPeace),
  'DY-K8-04': eachPod('E in [K + G, K + G + kill]', killedAfterGrace),
};
