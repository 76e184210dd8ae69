import { discoveredOf, interruptOf, marksOf, selects } from '../../facts/dynamo.ts';
import { mainOf } from '../../facts/objects.ts';
import type { Instant } from '../../facts/pod.ts';
import type { RequestFacts } from '../../facts/request.ts';
import { demand, eachPod, evidenceOf, given, need } from '../../rule.ts';
import type { PodCase, Rule } from '../../rule.ts';
import type { Finding } from '../../verdict.ts';
import { marksOf as requestMarks, names } from '../cut-requests.ts';
import { instant, requestsGiven, undisturbed } from './given.ts';

/** Streams of one frontend that were open when the worker was killed, and how many of them were on it. */
interface Broken {
  killed: Instant;
  open: RequestFacts[];
  onVictim: number;
  evidence: Finding['evidence'];
}

/**
 * The frontend's own lines tell which worker it selected for a request, not for which one. Where all that it ever sent before
 * the kill is the group that is still open, so many of the group as it selected the worker for were on it.
 */
function brokenOf(of: PodCase): Broken {
  const { facts, pod, given: said } = of;
  const killed = instant(interruptOf(facts, pod), `the kill of ${pod.name}`);
  const instance = need(discoveredOf(facts, pod).instance, `the instance of ${pod.name} is not known`, 'its record');
  const role = given.text(said, 'frontend');
  const [frontend] = facts.pods.filter((p) => p.deployment === pod.deployment && p.role === role);
  const through = need(frontend, `no frontend is of role ${role ?? '(not given)'}`, 'given.frontend');
  const open = requestsGiven(of, 'open').filter(
    (q) => q.sent && q.sent.at[1] < killed.at[0] && q.over && q.over[0] > killed.at[0],
  );
  const selected = marksOf(facts, through, 'selected').filter((mark) => mark.at[1] < killed.at[0]);
  demand(
    selected.length === open.length && open.length > 0,
    `${selected.length} selections before the kill, ${open.length} streams open at it`,
    'a frontend that has sent nothing but what is open',
    killed.marks,
  );
  const onVictim = selected.filter((mark) => selects(mark, instance)).length;
  demand(onVictim > 0, `no stream of ${through.name} was on ${pod.name}`, 'a stream on the worker that is killed');
  return { killed, open, onVictim, evidence: evidenceOf(killed, { marks: requestMarks(open) }) };
}

const ONE_STREAM = 'every stream of the killed worker goes on: every token once, finish reason, end';

/** MG-01. */
function goesOn(of: PodCase): Finding {
  const { open, onVictim, evidence } = brokenOf(of);
  const lost = open.filter((q) => q.kind !== 'complete');
  if (lost.length > 0) undisturbed(of);
  const flowing = open.filter((q) => q.kind === 'closed-by-harness');
  demand(flowing.length === 0, `${names(flowing)} still flowed`, 'a window that lasts until its end');
  const seen = `${onVictim} of ${open.length} streams were on ${of.pod.name}: ${names(open)}`;
  return { outcome: lost.length > 0 ? 'fail' : 'pass', formula: ONE_STREAM, seen, evidence };
}

const TOLD = 'every stream of the killed worker ends with an error, the others whole';

/** MG-02. */
function isTold(of: PodCase): Finding {
  const { open, onVictim, evidence } = brokenOf(of);
  const told = open.filter((q) => q.kind === 'error-frame' || q.kind === 'http-error');
  const whole = open.filter((q) => q.kind === 'complete' && q.end?.data.tokens === q.planned?.tokens);
  const seen = `${onVictim} of ${open.length} streams were on ${of.pod.name}: ${names(open)}`;
  if (told.length > onVictim) undisturbed(of);
  const kept = told.length === onVictim && whole.length === open.length - onVictim;
  return { outcome: kept ? 'pass' : 'fail', formula: TOLD, seen, evidence };
}

const UNAWARE = 'the command and the environment of the worker say nothing of migration, and its stream goes on';

/** MG-03: workers that serve a frontend with migration and one without are the same Pods, and have no setting for it. */
function needsNoSetting(of: PodCase): Finding {
  const { open, onVictim, evidence } = brokenOf(of);
  const { pod } = of;
  const main = mainOf(pod.newest);
  const said = [...(main?.command ?? []), ...(main?.args ?? []), ...(main?.env ?? []).map(({ name }) => name)];
  const setting = said.find((word) => /migrat/i.test(word));
  demand(setting === undefined, `${pod.name} has a setting for it: ${setting}`, 'a worker without one');
  const without = requestsGiven(of, 'without').filter(
    (q) => q.sent && q.over && q.over[0] > (open[0]?.sent?.at[0] ?? 0),
  );
  demand(without.length > 0, `${pod.name} serves no frontend without migration`, 'one that does');
  const lost = open.filter((q) => q.kind !== 'complete' && q.kind !== 'damaged');
  if (lost.length > 0) undisturbed(of);
  const flowing = open.filter((q) => q.kind === 'closed-by-harness');
  demand(flowing.length === 0, `${names(flowing)} still flowed`, 'a window that lasts until its end');
  const seen = `${onVictim} of ${open.length} streams were on ${pod.name}, which has no setting: ${names(open)}`;
  return { outcome: lost.length > 0 ? 'fail' : 'pass', formula: UNAWARE, seen, evidence };
}

const INCOMPLETE = 'what the worker does not finish never ends as a whole answer';

/** MG-05: what outlasts the timeout of the runtime has fewer tokens than it asked for, and does not end as whole. */
function isIncomplete(of: PodCase): Finding {
  const short = requestsGiven(of, 'outlasts').filter(
    (q) => q.planned && q.end && q.end.data.tokens > 0 && q.end.data.tokens < q.planned.tokens,
  );
  const evidence = evidenceOf(of.pod.E, { marks: requestMarks(short) });
  const whole = short.filter((q) => q.kind === 'complete');
  if (whole.length > 0)
    return { outcome: 'fail', formula: INCOMPLETE, seen: `${names(whole)}, with tokens missing`, evidence };
  const told = short.filter((q) => q.cut && q.kind !== 'silence');
  demand(told.length > 0, `no request on ${of.pod.name} is known to be given up`, 'one that outlasts its timeout');
  return { outcome: 'pass', formula: INCOMPLETE, seen: names(told), evidence };
}

/** Streams that outlive their worker. */
export const dynamoMigration: Record<string, Rule> = {
  'DY-MG-01': eachPod(ONE_STREAM, goesOn),
  'DY-MG-02': eachPod(TOLD, isTold),
  'DY-MG-03': eachPod(UNAWARE, needsNoSetting),
  'DY-MG-05': eachPod(INCOMPLETE, isIncomplete),
};
