import { secondsFrom } from '../compare.ts';
import type { Mark } from '../facts/mark.ts';
import type { Instant, PodFacts } from '../facts/pod.ts';
import type { RequestFacts } from '../facts/request.ts';
import { demand, eachPod, evidenceOf } from '../rule.ts';
import type { PodCase, Rule } from '../rule.ts';
import type { Finding } from '../verdict.ts';
import { marksOf, names, repeats } from './cut-requests.ts';
import { lastDeployment } from './retirement/there.ts';

/** So many requests of a kind are no chance, and no line of a log that was lost. */
const ENOUGH = 3;

/** What a router made of requests that a replica failed to serve: the case's own Pod, which fails from some time on. */
interface Tries {
  of: PodCase;
  router: string;
  /** Requests through the router of which a replica of the deployment logged something. */
  routed: RequestFacts[];
  /** Tried again after their response had begun for the client. */
  afterStart: RequestFacts[];
  /** Logged by the failing replica and by nobody else, once, and answered with an error. */
  failed: RequestFacts[];
  /** Cut in mid-stream, logged by one replica alone. */
  cut: RequestFacts[];
}

const attemptsOf = (q: RequestFacts): (Mark & { uid: string })[] =>
  [...q.received].sort((a, b) => a.at[1] - b.at[1] || a.event.seq - b.event.seq);

/** Documented seconds by which the line of an attempt may be later than the answer that it led to. */
const LATE_LINE = 1;

/** Whether an attempt came when the client already had the beginning of an answer; the first one never does. */
const afterStart = (q: RequestFacts, { scale }: PodCase): boolean =>
  repeats(q) ||
  attemptsOf(q)
    .slice(1)
    .some(({ at }) => began(q) && at[0] > (q.headers?.at[1] ?? 0) + scale.toMs(LATE_LINE));

/** The client had the beginning of an answer that is no error. */
const began = (q: RequestFacts): boolean => q.headers !== undefined && q.headers.status < 400;

/** Every attempt that is known came before the beginning of the answer. */
const allBeforeStart = (q: RequestFacts): boolean =>
  began(q) && attemptsOf(q).every(({ at }) => at[0] <= (q.headers?.at[1] ?? 0));

function triesOf(of: PodCase): Tries {
  const { pod, facts } = of;
  const own = new Set(facts.pods.filter((p) => p.deployment === pod.deployment).map((p) => p.uid));
  const routed = facts.requests.filter((q) => !q.direct && q.received.some(({ uid }) => own.has(uid)));
  const router = (lastDeployment(facts, pod.deployment)?.object.spec.router as { name?: string } | undefined)?.name;
  return {
    of,
    router: router ?? '',
    routed,
    afterStart: routed.filter((q) => afterStart(q, of)),
    failed: routed.filter(
      (q) =>
        q.kind === 'http-error' &&
        (q.end?.data.status ?? 0) >= 500 &&
        q.received.length === 1 &&
        q.received[0]?.uid === pod.uid,
    ),
    cut: routed.filter(
      (q) => q.cut && (q.end?.data.tokens ?? 0) > 0 && q.received.length === 1 && !repeats(q) && allBeforeStart(q),
    ),
  };
}

/** Every line that logged one of these requests. */
const attemptMarks = (requests: readonly RequestFacts[]): Instant['marks'] =>
  requests.flatMap((q) => attemptsOf(q).map((mark, i) => ({ mark, what: `attempt ${i + 1} of ${q.id}` })));

/** A replica that served while another one failed: a retry had somewhere to go. @throws Undecided where none is known */
function requireAlternative({ of, routed }: Tries, tried: readonly RequestFacts[]): PodFacts {
  const { pod, facts } = of;
  const from = Math.min(...tried.map((q) => q.sent?.at[0] ?? Infinity));
  const until = Math.max(...tried.map((q) => q.sent?.at[1] ?? -Infinity));
  const served = (p: PodFacts) =>
    routed.some(
      (q) =>
        q.kind === 'complete' &&
        attemptsOf(q).at(-1)?.uid === p.uid &&
        (q.sent?.at[0] ?? Infinity) <= until &&
        (q.over?.[1] ?? -Infinity) >= from,
    );
  const other = facts.pods.find((p) => p.deployment === pod.deployment && p.uid !== pod.uid && p.logged && served(p));
  demand(
    other !== undefined,
    `no other replica is known to have served while ${pod.name} failed`,
    'a second replica that serves, with its log',
  );
  return other;
}

/** A stream was cut in its middle and went on nowhere. @throws Undecided where none is known */
const requireCut = ({ cut, of }: Tries) =>
  demand(
    cut.length > 0,
    `no stream through the router is known to be cut on ${of.pod.name}`,
    'a stream that is cut in its middle',
  );

const fail = (formula: string, seen: string, requests: readonly RequestFacts[]): Finding => ({
  outcome: 'fail',
  formula,
  seen,
  evidence: evidenceOf({ marks: attemptMarks(requests).slice(0, 6) }, { marks: marksOf(requests).slice(0, 2) }),
});

/** LM-05: llm-d-router and vllm-router do not retry, neither before the response has started nor after. */
function neverRetries(of: PodCase): Finding {
  const formula = 'every request is received once, whatever became of it';
  const tries = triesOf(of);
  const { pod } = of;
  demand(
    tries.router !== '' && tries.router !== 'sglang-gateway',
    `the router of ${pod.deployment} is "${tries.router}"`,
    'llm-d-router or vllm-router',
  );
  const again = tries.routed.filter((q) => q.received.length > 1 || repeats(q));
  if (again.length > 0) {
    const most = Math.max(...again.map((q) => q.received.length));
    return fail(formula, `${names(again)} received more than once, up to ${most} times`, again);
  }
  demand(
    tries.failed.length >= ENOUGH,
    `${tries.failed.length} requests are known to have failed on ${pod.name} before their response started`,
    `${ENOUGH} requests that a replica answers with an error`,
    attemptMarks(tries.failed),
  );
  const other = requireAlternative(tries, tries.failed);
  requireCut(tries);
  return {
    outcome: 'pass',
    formula,
    seen: `${tries.router}: ${tries.failed.length} requests failed for their clients on ${pod.name} alone while ${other.name} served; ${names(tries.cut)} cut and received once`,
    evidence: evidenceOf({ marks: attemptMarks(tries.failed).slice(0, 4) }, { marks: marksOf(tries.cut) }, of.pod.D),
  };
}

/** LM-04: the SGLang gateway retries while the response has not started, and never after. */
function retriesBeforeStart(of: PodCase): Finding {
  const formula = 'an error before the response: received again elsewhere; a cut after it: received once';
  const tries = triesOf(of);
  const { pod, facts } = of;
  demand(
    tries.router === 'sglang-gateway',
    `the router of ${pod.deployment} is "${tries.router}"`,
    'the SGLang gateway',
  );
  if (tries.afterStart.length > 0)
    return fail(formula, `${names(tries.afterStart)} sent again after the response had started`, tries.afterStart);
  if (tries.failed.length >= ENOUGH) {
    const other = requireAlternative(tries, tries.failed);
    const seen = `${names(tries.failed)} failed on ${pod.name} and were not sent to ${other.name}, which served`;
    return fail(formula, seen, tries.failed);
  }
  const retried = tries.routed.filter((q) => {
    const [first, ...later] = attemptsOf(q);
    const moved = first?.uid === pod.uid && later.some(({ uid }) => uid !== pod.uid);
    return moved && q.kind === 'complete' && allBeforeStart(q);
  });
  demand(
    retried.length >= ENOUGH,
    `${retried.length} requests are known to have been sent again after ${pod.name} failed them`,
    `${ENOUGH} requests that a replica answers with an error`,
    attemptMarks(retried),
  );
  requireCut(tries);
  const [example] = retried;
  const gap = attemptsOf(example as RequestFacts);
  return {
    outcome: 'pass',
    formula,
    seen: `${retried.length} requests that ${pod.name} failed went on elsewhere (${example?.id} after ${secondsFrom(facts, gap[0]?.at ?? [0, 0], gap[1]?.at[1] ?? 0)}) and completed; ${names(tries.cut)} cut and received once`,
    evidence: evidenceOf({ marks: attemptMarks(retried).slice(0, 4) }, { marks: marksOf(tries.cut) }, of.pod.D),
  };
}

/** What routers do with a request that a replica failed to serve. */
export const retries: Record<string, Rule> = {
  'GS-LM-04': eachPod('received again before the response has started, never after', retriesBeforeStart),
  'GS-LM-05': eachPod('every request is received once', neverRetries),
};
