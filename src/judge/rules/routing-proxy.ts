import { numberFlag } from '../../engines/argv.ts';
import { drainWindow as c } from '../../requirements/drain-window.ts';
import { tolerances } from '../../requirements/tolerances.ts';
import { routingProxy } from '../../routers/routing-proxy.ts';
import { beginningOf, compare, lower, secondsFrom, upper } from '../compare.ts';
import { mainOf } from '../facts/objects.ts';
import type { ContainerFields, PodFields } from '../facts/objects.ts';
import type { Instant, PodFacts } from '../facts/pod.ts';
import type { RequestFacts } from '../facts/request.ts';
import { requestsOn } from '../facts/work.ts';
import { demand, eachPod, evidenceOf, need } from '../rule.ts';
import type { PodCase, Rule } from '../rule.ts';
import { departureOf, judgeSignal } from '../signal.ts';
import type { Finding } from '../verdict.ts';
import { marksOf, names } from './cut-requests.ts';
import { cutBefore } from './engine-exit.ts';

const isProxy = ({ name }: ContainerFields) => name === routingProxy.container;
const proxyOf = ({ spec }: PodFields) => [...(spec.initContainers ?? []), ...spec.containers].find(isProxy);

/** The first Kubernetes with native sidecars on by default. */
const NATIVE_SIDECARS = 29;

/** LM-13: the routing proxy beside a direct decoder has no hook of its own. */
function proxyHasNoHook({ pod }: PodCase): Finding {
  const formula = `no lifecycle.preStop on ${routingProxy.container}`;
  const proxy = need(
    proxyOf(pod.newest),
    `${pod.name} has no container ${routingProxy.container}`,
    'a direct decoder: llm-d-router, a decode role and direct transfer of KV',
  );
  demand(pod.ready !== undefined, `${pod.name} is never seen Ready`, 'a decoder that serves through its proxy');
  demand(pod.hook, `main of ${pod.name} has no hook either`, 'a release that renders the drain window');
  const hooked = proxy.lifecycle?.preStop !== undefined;
  return {
    outcome: hooked ? 'fail' : 'pass',
    formula,
    seen: `${pod.name}: ${hooked ? 'a hook' : 'no hook'} on ${routingProxy.container}, one on main`,
    evidence: evidenceOf({ marks: [{ mark: pod.ready, what: `${pod.name} is Ready` }] }),
  };
}

/** The part of the decision that is about Kubernetes from 1.29 on: the page says it between the lines only. */
const NEWER = 'from 1.29 on';

function proxyAtDelete(of: PodCase): Finding {
  const { pod, facts, decision } = of;
  const version = facts.manifest.versions['kubernetes'];
  const minor = need(
    /^v1\.(\d+)/.exec(version ?? '')?.[1],
    'which Kubernetes it was is not in the manifest',
    "the API server's /version",
  );
  const newer = decision.part === NEWER;
  demand(
    Number(minor) >= NATIVE_SIDECARS === newer,
    `this is Kubernetes ${version}`,
    newer ? 'Kubernetes 1.29 or newer' : 'a cluster below Kubernetes 1.29',
  );
  need(proxyOf(pod.newest), `${pod.name} has no container ${routingProxy.container}`, 'a direct decoder');
  return newer ? streamsOutliveDelete(of) : stopsAtDelete(of);
}

/** Requests that were open on the decoder at its delete: through the proxy, and straight to the engine behind it. */
function openAt(pod: PodFacts, requests: readonly RequestFacts[], D: Instant) {
  const port = numberFlag(mainOf(pod.newest)?.command ?? [], '--port', 0);
  const open = requestsOn(pod, requests).filter(
    (q) => q.sent && q.sent.at[1] < D.at[0] && (q.over === undefined || q.over[1] > D.at[0]),
  );
  return {
    through: open.filter((q) => !q.direct),
    straight: open.filter((q) => q.direct && q.sent?.address.endsWith(`:${port}`)),
  };
}

/** LM-12: the proxy stops at the delete and cuts what passes it; the engine behind it drains like any other. */
function stopsAtDelete(of: PodCase): Finding {
  const { pod, facts, scale } = of;
  const formula = 'proxySignal in [D, K + p]; cut is what passes it, and nothing else before D + G - 5';
  demand(
    pod.newest.spec.containers.some(isProxy),
    `${routingProxy.container} of ${pod.name} is no classic container`,
    'the operator of a cluster below Kubernetes 1.29',
  );
  const departure = departureOf(of);
  const { D, K, G, p } = departure;
  const { through, straight } = openAt(pod, facts.requests, D);
  const lost = cutBefore(of, straight, D.at[0] + G - scale.toMs(c.exitReserve), D.at[1]);
  if (lost.length > 0) {
    const seen = `more is lost than passes the proxy: ${names(lost)}, straight on the engine of ${pod.name}`;
    return { outcome: 'fail', formula, seen, evidence: evidenceOf({ marks: marksOf(lost) }, D, pod.S) };
  }
  const drains = judgeSignal(departure, 'work', formula);
  if (drains.outcome === 'fail') return drains;
  const P = need(
    pod.proxySignal,
    `the log of ${routingProxy.container} in ${pod.name} has no mark of SIGTERM`,
    "the proxy's own line about the signal",
  );
  const signal: Instant = { at: P.at, marks: [{ mark: P, what: `${routingProxy.container} logs the signal` }] };
  demand(through.length > 0, `nothing passes the proxy of ${pod.name} at the delete`, 'a stream through the router');
  const until = Math.max(D.at[1] + scale.toMs(c.settle + 2), P.at[1] + scale.toMs(1));
  const whole = straight.filter((q) => q.kind === 'complete' && q.over && q.over[0] > until);
  demand(
    whole.length > 0,
    `no stream straight to the engine of ${pod.name} is known to go on after the proxy has stopped`,
    'one that ends some seconds later',
    signal.marks,
  );
  const finding = compare(of, {
    formula,
    name: 'proxySignal',
    instant: signal,
    low: lower(of, D.at, 0),
    high: upper(of, K.at, 0, p, P.at),
    also: [{ marks: marksOf(through) }, { marks: marksOf(whole) }],
  });
  const cut = through.filter((q) => q.cut && q.over && q.over[0] <= P.at[1] + scale.toMs(tolerances.late.value));
  const seen = `${finding.seen}; cut then: ${names(cut) || 'nothing'}; whole, straight on the engine: ${names(whole)}`;
  const early = finding.outcome === 'fail' && P.at[1] < D.at[0];
  const less = finding.outcome === 'fail' && !early ? 'the proxy stops later' : cut.length < through.length;
  if (!less || early) return { ...finding, seen };
  const note = `less is lost than the document admits: ${less === true ? 'not all that passes the proxy is cut' : less}`;
  return { ...finding, outcome: finding.outcome === 'inconclusive' ? 'inconclusive' : 'pass', seen, note };
}

/** From 1.29 on the proxy stops after the engine: what passes it ends as it would without a proxy. */
function streamsOutliveDelete(of: PodCase): Finding {
  const { pod, facts, scale } = of;
  const formula = 'x < D + G - 5: whole through the proxy';
  const { D, G } = beginningOf(of);
  const deadline = D.at[0] + G - scale.toMs(c.exitReserve);
  const { through } = openAt(pod, facts.requests, D);
  const planned = through.filter((q) => q.due !== undefined && q.due < deadline - scale.toMs(1));
  const cut = cutBefore(of, planned, deadline, D.at[0]);
  const kind = pod.newest.spec.containers.some(isProxy) ? 'a classic container' : 'a native sidecar';
  const signal = pod.proxySignal && { mark: pod.proxySignal, what: `${routingProxy.container} logs the signal` };
  const evidence = (list: readonly RequestFacts[]) =>
    evidenceOf(D, { marks: marksOf(list) }, signal && { marks: [signal] });
  if (cut.length > 0) {
    const seen = `${names(cut)} cut ${secondsFrom(facts, D.at, cut[0]?.over?.[0] ?? 0)} after the delete of ${pod.name}, whose proxy is ${kind}`;
    return { outcome: 'fail', formula, seen, evidence: evidence(cut) };
  }
  const until = D.at[1] + scale.toMs(c.settle + 2);
  const whole = through.filter((q) => q.kind === 'complete' && q.over && q.over[0] > until && q.over[1] < deadline);
  demand(
    whole.length > 0,
    `no stream through the proxy of ${pod.name} is known to end between D + 7 and D + G - 5`,
    'a stream through the router that does',
    marksOf(through),
  );
  const seen = `${names(whole)} whole ${secondsFrom(facts, D.at, whole[0]?.over?.[0] ?? 0)} after the delete, through a proxy that is ${kind}`;
  return { outcome: 'pass', formula, seen, evidence: evidence(whole) };
}

/** The routing proxy beside a direct decoder. */
export const routingProxyRules: Record<string, Rule> = {
  'GS-LM-12': eachPod('proxySignal in [D, K + p], and nothing else is cut', proxyAtDelete),
  'GS-LM-13': eachPod('no lifecycle.preStop on the routing proxy', proxyHasNoHook),
};
