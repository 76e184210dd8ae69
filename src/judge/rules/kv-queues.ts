import { demand, eachPod, evidenceOf, given, need } from '../rule.ts';
import type { PodCase, Rule } from '../rule.ts';
import type { Finding } from '../verdict.ts';
import { requestsOn } from '../facts/work.ts';
import { marksOf, names } from './cut-requests.ts';

/** RP-30: a request that waits for its KV, or for its KV to be fetched, counts in the gauge of its queue. */
function waitIsVisible(of: PodCase): Finding {
  const { pod, facts } = of;
  const gauge = need(given.text(of.given, 'queue'), 'the decision names no gauge', 'given.queue');
  const formula = `${gauge} > 0 while a request waits for its KV`;
  const own = requestsOn(pod, facts.requests).filter((q) => q.sent && q.over);
  const [first] = own;
  demand(
    first?.sent !== undefined && first.over !== undefined,
    `no request on ${pod.name} is known`,
    'a request that waits there',
  );
  // It waits as long as no token of it came; the gauges were read for certain in that time.
  const [from, to] = [first.sent.at[1], first.over[0] - first.tokenMs];
  const reads = pod.samples.filter((s) => s.at[0] > from && s.at[1] < to && s.data.status === 200);
  const idle = (s: (typeof reads)[number]) => Object.values(s.data.values).every((value) => value === 0);
  const settled = reads.slice(2, -2); // it has arrived, and has not begun to leave
  demand(
    settled.length >= 5,
    `the gauges of ${pod.name} were read ${reads.length} times while ${first.id} waited`,
    'probes of the gauges',
  );
  const seen = settled.filter((s) => (s.data.values[gauge] ?? 0) > 0);
  const hidden = settled.filter(idle);
  const marks = [...seen.slice(0, 2), ...hidden.slice(0, 2)].map((mark) => ({ mark, what: `gauges of ${pod.name}` }));
  const finding = (outcome: Finding['outcome'], text: string): Finding => ({
    outcome,
    formula,
    seen: text,
    evidence: evidenceOf({ marks }, { marks: marksOf(own) }),
  });
  if (hidden.length > settled.length / 2) {
    return finding(
      'fail',
      `${names(own)} waits on ${pod.name}, and ${hidden.length} of ${settled.length} reads show nothing`,
    );
  }
  demand(
    seen.length > settled.length / 2,
    `${gauge} is above 0 in ${seen.length} of ${settled.length} reads only`,
    'a request that waits in this queue',
  );
  return finding('pass', `${gauge} is above 0 in ${seen.length} of ${settled.length} reads while ${names(own)} waits`);
}

export const kvQueues: Record<string, Rule> = {
  'GS-RP-30': eachPod('the gauge of its queue > 0 while a request waits for its KV', waitIsVisible),
};
