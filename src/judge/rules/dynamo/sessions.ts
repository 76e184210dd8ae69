import { tolerances } from '../../../requirements/tolerances.ts';
import { secondsFrom } from '../../compare.ts';
import { firstMark, pathReads } from '../../facts/dynamo.ts';
import { demand, eachPod, evidenceOf } from '../../rule.ts';
import type { PodCase, Rule } from '../../rule.ts';
import type { Finding } from '../../verdict.ts';
import { marksOf as requestMarks, names } from '../cut-requests.ts';
import { drainOf } from './frontend.ts';
import { instant, isRefused } from './given.ts';

const TRACKED = 'stopping >= min(sessionEnd, signal + H)';

/** FE-05: a session, the only thing that is open, keeps the frontend draining until it ends. */
function tracksSession(of: PodCase): Finding {
  const { facts, pod, scale } = of;
  const { S, H, open } = drainOf(of);
  const within = open.filter((q) => (q.due ?? Infinity) < S.at[0] + H - scale.toMs(tolerances.hookStarts.value));
  demand(within.length > 0, `no session on ${pod.name} is to end within H`, 'one that is', S.marks);
  const stopping = instant(firstMark(facts, pod, 'stopping'), `${pod.name} enter stopping`);
  const evidence = evidenceOf(S, stopping, { marks: requestMarks(within) });
  const s = (at: number) => secondsFrom(facts, S.at, at);
  const lost = within.filter((q) => q.cut && !isRefused(q));
  if (lost.length > 0) {
    const seen = `${names(lost)}; stopping ${s(stopping.at[1])} after the signal`;
    return { outcome: 'fail', formula: TRACKED, seen, evidence };
  }
  const whole = within.filter((q) => q.kind === 'complete' && q.over);
  demand(whole.length > 0, `no session on ${pod.name} is known to end whole`, 'one that does');
  const last = Math.max(...whole.map((q) => q.over?.[0] ?? 0));
  const seen = `${names(whole)} ended ${s(last)}, stopping ${s(stopping.at[0])} after the signal`;
  if (stopping.at[1] + scale.toMs(tolerances.hookStarts.value) < last)
    return { outcome: 'fail', formula: TRACKED, seen, evidence };
  const drains = pathReads(facts, pod, '/health').filter(
    ({ at, data }) => at[0] > S.at[1] && at[1] < last && data.status === 503 && data.body?.includes('"draining"'),
  );
  demand(drains.length >= 2, `${drains.length} reads tell that ${pod.name} drains`, 'two at least');
  return { outcome: 'pass', formula: TRACKED, seen: `${seen}; ${drains.length} reads of /health: draining`, evidence };
}

/** Sessions of a frontend. */
export const dynamoSessions: Record<string, Rule> = {
  'DY-FE-05': eachPod(TRACKED, tracksSession),
};
