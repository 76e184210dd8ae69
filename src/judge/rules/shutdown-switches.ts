import { numberFlag } from '../../engines/argv.ts';
import { sglang } from '../../engines/sglang.ts';
import { splitSglang } from '../../requirements/split-sglang.ts';
import { mainOf } from '../facts/objects.ts';
import { standingAt } from '../facts/request.ts';
import { requestsOn } from '../facts/work.ts';
import { lifeOf, secondsFrom } from '../compare.ts';
import { demand, eachPod, evidenceOf } from '../rule.ts';
import type { PodCase, Rule } from '../rule.ts';
import type { Finding } from '../verdict.ts';
import { marksOf, names } from './cut-requests.ts';
import { byItself } from './engine-exit.ts';
import { endOf } from './exit-timing.ts';

/** DW-36: a vLLM that is told to wait finishes what runs at its signal, and serves nothing new. */
function finishesAndRefuses(of: PodCase): Finding {
  const { pod, facts, scale } = of;
  const command = mainOf(pod.newest)?.command ?? [];
  const told = numberFlag(command, '--shutdown-timeout', 0);
  demand(
    pod.engine === 'vLLM' && told > 0,
    `main of ${pod.name} is not told to wait`,
    'a vLLM with --shutdown-timeout above 0',
  );
  const { S, K, G } = lifeOf(of);
  const formula = 'running at S and due before K + G and S + N: whole; sent after S: not served';
  const own = requestsOn(pod, facts.requests);
  const limit = Math.min(K.at[0] + G, S.at[0] + scale.toMs(told)) - scale.toMs(1);
  const ran = own.filter((q) => (q.due ?? Infinity) < limit && standingAt(q, S.at, scale) === 'running');
  // A direct request that came after the signal; what was sent in between may have been taken before it.
  const late = facts.requests.filter(
    (q) => q.direct && q.servers.includes(pod.uid) && q.sent && q.sent.at[0] > S.at[1],
  );
  const finding = (outcome: Finding['outcome'], seen: string): Finding => ({
    outcome,
    formula,
    seen,
    evidence: evidenceOf(S, { marks: marksOf([...ran, ...late]) }),
  });
  const lost = ran.filter((q) => q.cut);
  if (lost.length > 0)
    return finding('fail', `${names(lost)} ran at SIGTERM and was cut, though vLLM was told to wait ${told} s`);
  const served = late.filter((q) => q.kind === 'complete');
  if (served.length > 0) return finding('fail', `${names(served)} came after SIGTERM and was served`);
  const whole = ran.filter((q) => q.kind === 'complete');
  demand(
    whole.length > 0,
    `no request on ${pod.name} is known to run at SIGTERM and to end in time`,
    'a request that does',
    S.marks,
  );
  const refused = late.filter((q) => q.kind === 'http-error' || q.kind === 'refused');
  const before = whole.some((q) => refused.some((r) => r.end && q.over && r.end.at[1] < q.over[0]));
  demand(
    before,
    `no request was turned away by ${pod.name} while another still ran`,
    'one sent after SIGTERM',
    S.marks,
  );
  return finding('pass', `${names(whole)} ends after SIGTERM; ${names(refused)} is turned away meanwhile`);
}

/** DW-35: SGL_FORCE_SHUTDOWN skips the drain of a split SGLang, and not the 15 s. */
function skipsDrainOnly(of: PodCase): Finding {
  const { pod, facts, scale } = of;
  const forced = mainOf(pod.newest)?.env?.some(({ name, value }) => name === sglang.forceVariable && value);
  demand(
    pod.mode !== 'unified' && forced === true,
    `main of ${pod.name} is no split SGLang with ${sglang.forceVariable}`,
    'a split replica with that variable',
  );
  const { S, D, K, G } = lifeOf(of);
  const E = endOf(of);
  const formula = 'E - S >= 15, and E < K + G though a request runs on';
  const wait = scale.toMs(splitSglang.schedulerWait);
  const own = requestsOn(pod, facts.requests);
  const outlasting = own.filter((q) => standingAt(q, S.at, scale) === 'running' && (q.due ?? 0) > K.at[1] + G);
  demand(
    outlasting.length > 0,
    `no request on ${pod.name} runs at SIGTERM and outlasts G`,
    'a request that does',
    S.marks,
  );
  const seen = `SIGTERM ${secondsFrom(facts, D.at, S.at[0])}, end ${secondsFrom(facts, D.at, E.at[1])} after the delete of ${pod.name}`;
  const finding = (outcome: Finding['outcome'], more: string): Finding => ({
    outcome,
    formula,
    seen: `${seen}: ${more}`,
    evidence: evidenceOf(S, E, { marks: marksOf(outlasting) }),
  });
  const left = byItself({ of, S, K, G, E });
  if (left === 'no') return finding('fail', `it drains ${names(outlasting)} up to the kill at G`);
  if (E.at[1] < S.at[0] + wait) return finding('fail', 'sooner than 15 s after the signal');
  demand(
    left === 'yes' && E.at[0] >= S.at[1] + wait,
    `${seen}: the end is not known well enough`,
    'gauges that are read up to the end',
  );
  return finding('pass', `${names(outlasting)} is not waited for, the scheduler is`);
}

/** What the engines' own switches change about their end. */
export const shutdownSwitches: Record<string, Rule> = {
  'GS-DW-35': eachPod('E - S >= 15, and E < K + G though a request runs on', skipsDrainOnly),
  'GS-DW-36': eachPod('running at S: whole; sent after S: not served', finishesAndRefuses),
};
