import { dynamoFacts } from '../../engines/dynamo/facts.ts';
import type { DynamoMark } from '../../engines/dynamo/log.ts';
import { dynamo } from '../../requirements/dynamo.ts';
import type { Seconds } from '../../time/scale.ts';
import type { PathSample, Sighting } from './collected.ts';
import type { Facts } from './facts.ts';
import { earliest } from './mark.ts';
import type { Mark } from './mark.ts';
import { mainOf, versionOf } from './objects.ts';
import type { ObjectFields } from './objects.ts';
import type { Instant, PodFacts } from './pod.ts';

interface RecordFields extends ObjectFields {
  spec?: {
    data?: {
      endpoints?: Record<string, { instance_id?: number | string }>;
      model_cards?: Record<string, unknown>;
    };
  };
}

/** A line of a component's log, with its further fields. */
export interface Line extends Instant {
  fields: Readonly<Record<string, unknown>>;
}

/** Every line of a component's log that has a mark, in order. */
export function marksOf(facts: Facts, pod: PodFacts, mark: DynamoMark): Line[] {
  const said = facts.all.pods.get(pod.uid)?.said.filter((line) => line.mark === mark) ?? [];
  return said
    .sort((a, b) => a.event.at[1] - b.event.at[1] || a.event.seq - b.event.seq)
    .map((line) => ({
      at: line.at,
      marks: [{ mark: line, what: `${pod.name} logs "${String(line.fields['message'])}"` }],
      fields: line.fields,
    }));
}

export const firstMark = (facts: Facts, pod: PodFacts, mark: DynamoMark): Line | undefined =>
  marksOf(facts, pod, mark)[0];

/** Fields of the first line with a mark. */
export const fieldsOf = (facts: Facts, pod: PodFacts, mark: DynamoMark): Readonly<Record<string, unknown>> =>
  facts.all.pods.get(pod.uid)?.said.find((line) => line.mark === mark)?.fields ?? {};

/** How a worker stands in Kubernetes discovery: its instance, and when its last endpoint left. */
export interface Discovered {
  instance: string | undefined;
  gone: Instant | undefined;
}

const endpointsOf = ({ object }: Sighting): { instance_id?: number | string }[] =>
  Object.values((object as RecordFields).spec?.data?.endpoints ?? {});

/** Whether nothing can lie between two sightings: the next generation, or the removal of what was seen last. */
const follows = (last: Sighting, next: Sighting): boolean =>
  next.type === 'deleted'
    ? endpointsOf(next).length > 0
    : next.object.metadata.generation === (last.object.metadata.generation ?? Number.NaN) + 1;

const recordsOf = (facts: Facts, pod: PodFacts): Sighting[] =>
  (facts.all.objects.get(dynamoFacts.record.kind) ?? [])
    .filter(({ object }) => object.metadata.ownerReferences?.some(({ uid }) => uid === pod.uid))
    .sort((a, b) => versionOf(a.object) - versionOf(b.object) || a.event.seq - b.event.seq);

/** What the record of a Pod held when it was removed for the last time, and that removal; undefined where it was not seen. */
export function leftBehind(facts: Facts, pod: PodFacts): { keys: string[]; removal: Instant } | undefined {
  const last = recordsOf(facts, pod).findLast(({ type }) => type === 'deleted');
  if (!last) return undefined;
  const { endpoints = {}, model_cards: cards = {} } = (last.object as RecordFields).spec?.data ?? {};
  const mark = { mark: last, what: `the record of ${pod.name} is removed` };
  return { keys: [...Object.keys(endpoints), ...Object.keys(cards)], removal: { at: last.at, marks: [mark] } };
}

/**
 * Reads the records that belong to a Pod. Without a record that once had an endpoint nothing is known; where a sighting may
 * be missing, the endpoint left some time after the last one that shows it.
 */
export function discoveredOf(facts: Facts, pod: PodFacts): Discovered {
  const own = recordsOf(facts, pod);
  // The first time that it leaves: a container that starts again stands there again.
  const stands = (sighting?: Sighting) => sighting?.type !== 'deleted' && sighting && endpointsOf(sighting).length > 0;
  const left = own.findIndex((sighting, i) => stands(own[i - 1]) && !stands(sighting));
  const last = left < 0 ? own.findLastIndex(stands) : left - 1;
  const found = own[last];
  if (!found) return { instance: undefined, gone: undefined };
  const id = endpointsOf(found)[0]?.instance_id;
  const without = own[last + 1];
  return {
    instance: id === undefined ? undefined : String(id),
    gone: without && {
      at: follows(found, without) ? without.at : [found.at[0], without.at[1]],
      marks: [{ mark: without, what: `the record of ${pod.name} has no endpoint any more` }],
    },
  };
}

/** When the kubelet began to stop `main`, whatever its reason; a Pod that nobody deleted has no `K`. */
export function killingOf(facts: Facts, pod: PodFacts): Instant | undefined {
  const killing = earliest(facts.all.pods.get(pod.uid)?.killing ?? []);
  return killing && { at: killing.at, marks: [{ mark: killing, what: `kubelet begins to stop main of ${pod.name}` }] };
}

/** Reads of a path of a frontend by the harness, in order. */
export const pathReads = (facts: Facts, pod: PodFacts, path: string): PathSample[] =>
  (facts.all.pods.get(pod.uid)?.paths ?? [])
    .filter(({ data }) => data.path === path)
    .sort((a, b) => a.event.at[1] - b.event.at[1]);

/** A number of the Pod's environment; the documented default where it is not set, undefined where it is no number. */
function numberOf(pod: PodFacts, name: string, unset: Seconds): Seconds | undefined {
  const text = mainOf(pod.newest)?.env?.find((variable) => variable.name === name)?.value;
  if (text === undefined) return unset;
  const value = Number(text);
  return text.trim() !== '' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

const { variables } = dynamoFacts;
export const graceOf = (pod: PodFacts) => numberOf(pod, variables.grace, dynamo.gracePeriod);
export const runtimeTimeoutOf = (pod: PodFacts) => numberOf(pod, variables.runtimeTimeout, dynamo.runtimeTimeout);
export const httpTimeoutOf = (pod: PodFacts) => numberOf(pod, variables.httpTimeout, dynamo.httpTimeout);

/**
 * When the signal reached the component: after the kubelet began and before the first line that tells of it. A Dynamo Pod has
 * no hook, so nothing lies between.
 */
export function signalledOf(facts: Facts, pod: PodFacts): Instant | undefined {
  const first = earliest(
    (['signal', 'draining', 'runtime'] as const).flatMap((mark) => {
      const said = firstMark(facts, pod, mark)?.marks[0]?.mark;
      return said ? [said] : [];
    }),
  );
  // A container that takes long to end after our signal may lose its liveness, so that the kubelet ends it as well.
  const sent = earliestOf(pod.K, interruptOf(facts, pod));
  if (!sent || !first) return undefined;
  const at = [Math.min(sent.at[0], first.at[1]), first.at[1]] as const;
  return { at, marks: [...sent.marks, { mark: first, what: `${pod.name} logs its end for the first time` }] };
}

const earliestOf = (a: Instant | undefined, b: Instant | undefined): Instant | undefined =>
  a && b ? (b.at[0] < a.at[0] ? b : a) : (a ?? b);

/** What we did to a Pod by a command in its container, from the command's start to its end, with what it said. */
export function commandsOn(facts: Facts, pod: PodFacts, verb: string): (Instant & { said: string })[] {
  return [...facts.all.actions.values()]
    .flatMap(({ sent, answered }) => {
      if (sent?.verb !== verb || sent.target.split('/').pop() !== pod.name) return [];
      if (answered?.data.status !== 200) return [];
      const marks = [{ mark: sent, what: `${verb} of ${pod.name} sent` }];
      return [{ at: [sent.at[0], answered.at[1]] as const, marks, said: answered.data.message ?? '' }];
    })
    .sort((a, b) => a.at[0] - b.at[0]);
}

/** Our own signal to the first process of the Pod, from the command that sends it to its end. */
export const interruptOf = (facts: Facts, pod: PodFacts): Instant | undefined => commandsOn(facts, pod, 'signal')[0];

/** Milliseconds from one line of a program to another by its own stamps: no delay of a reader stands between them. */
export function stampedSpan({ marks: [a] }: Instant, { marks: [b] }: Instant): number | undefined {
  const span = stampOf(b?.mark) - stampOf(a?.mark);
  return Number.isFinite(span) ? span : undefined;
}

function stampOf(mark: Mark | undefined): number {
  if (mark?.event.kind !== 'log.line' || !mark.event.data.line.startsWith('{')) return NaN;
  const { time } = JSON.parse(mark.event.data.line) as { time?: unknown };
  return typeof time === 'string' ? Date.parse(time) : NaN;
}

/** Whether a frontend's line names this instance, which it may tell in decimal or in hexadecimal. */
export function selects({ marks: [first] }: Instant, instance: string): boolean {
  const { event } = first?.mark ?? {};
  if (event?.kind !== 'log.line') return false;
  const { worker_id: id } = JSON.parse(event.data.line) as { worker_id?: number | string };
  return String(id) === instance || String(id) === BigInt(instance).toString(16);
}
