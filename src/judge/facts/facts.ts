import type { Bundle } from '../../history/reader.ts';
import type { Decision, Manifest } from '../../history/manifest.ts';
import { DEFAULT_PROFILE, findProfile, profileOf, type Profile } from '../../requirements/profiles.ts';
import { TimeScale } from '../../time/scale.ts';
import { collect } from './collect.ts';
import type { Collected, CollectedPod } from './collected.ts';
import { hookLogOf } from './hook-log.ts';
import { deleteOf, endOf, killOf, signalOf } from './life.ts';
import type { Mark } from './mark.ts';
import { describePod } from './pod.ts';
import type { PodFacts } from './pod.ts';
import { describeRequest } from './request.ts';
import type { RequestFacts } from './request.ts';
import { Widener } from './widen.ts';

/** What judges are given; `losses` where the history is known not to be whole. */
export type Judged = Pick<Bundle, 'manifest' | 'events'> & Partial<Pick<Bundle, 'losses'>>;

/** All facts of a history, each an interval with the events that it rests on. */
export interface Facts {
  manifest: Manifest;
  /** The release whose documents decide. */
  profile: Profile;
  scale: TimeScale;
  widener: Widener;
  all: Collected;
  pods: PodFacts[];
  requests: RequestFacts[];
}

export function factsOf({ manifest, events }: Judged): Facts {
  const scale = new TimeScale(manifest.timeScale);
  const startedAt = Date.parse(manifest.startedAt);
  const sameClock = manifest.sameClock ?? manifest.target === 'embedded';
  const widener = new Widener(events, sameClock ? startedAt : undefined);
  const all = collect(events, widener, startedAt);
  const bound = new Map([...all.cases].map(([name, event]) => [name, event.data.uid]));
  const described = [...all.pods.values()].flatMap((collected) => {
    const pod = describePod(collected);
    return pod ? [{ collected, pod }] : [];
  });
  const partial = described.map(({ pod }) => pod as PodFacts);
  const requests = [...all.requests.values()].map((r) => describeRequest(r, partial, bound, widener, scale));
  const pods = described.map(({ collected, pod }): PodFacts => {
    const D = deleteOf(pod, all, collected, widener, scale);
    const alive = lastSignOfLife(collected, requests);
    return {
      ...pod,
      D,
      K: killOf(pod, D, collected, scale),
      S: signalOf(pod, collected),
      E: endOf(pod, alive, widener),
      hookLog: hookLogOf(pod, all, startedAt, sameClock),
    };
  });
  return {
    manifest,
    profile: profileOfManifest(manifest) ?? profileOf(DEFAULT_PROFILE),
    scale,
    widener,
    all,
    pods,
    requests,
  };
}

/** The profile that a bundle was recorded under; undefined where it is one that this version does not know. */
export const profileOfManifest = ({ profile = DEFAULT_PROFILE }: Manifest): Profile | undefined => findProfile(profile);

/** The latest answer, line or token that came from a Pod. */
function lastSignOfLife(pod: CollectedPod, requests: readonly RequestFacts[]): Mark | undefined {
  let last: Mark | undefined = pod.lastLine;
  const look = (mark: Mark | undefined) => {
    if (mark && (!last || mark.at[0] > last.at[0])) last = mark;
  };
  for (const sample of pod.samples) if (sample.data.status > 0) look(sample);
  for (const request of requests) {
    // With one server only: else the token may be another's.
    if (request.servers.length === 1 && request.servers[0] === pod.uid) look(request.lastChunk);
  }
  return last;
}

/** A case of a decision with its Pods. */
export interface CaseFacts {
  name: string;
  deployment: string;
  role: string;
  lastWorkEnds: number | null | undefined;
  /** Its Pod; for a case without index every Pod of the role that was there at zero and left. */
  pods: PodFacts[];
}

/** The cases that a decision names. A case that the history did not bind has no Pods. */
export function casesOf(facts: Facts, decision: Decision): CaseFacts[] {
  return decision.cases.map((name) => {
    const spec = facts.manifest.scenario.cases[name];
    if (!spec) return { name, deployment: '', role: '', lastWorkEnds: undefined, pods: [] };
    const { deployment, role, index, ordinal, replaces, lastWorkEnds } = spec;
    const uid = facts.all.cases.get(name)?.data.uid;
    const zero = facts.all.zero?.plannedAt;
    const pods =
      index !== undefined || ordinal !== undefined || replaces !== undefined
        ? facts.pods.filter((p) => p.uid === uid)
        : podsOfRole(facts, deployment, role).filter(
            (p) => p.D !== undefined && (zero === undefined || p.created.at[0] <= zero),
          );
    return { name, deployment, role, lastWorkEnds, pods };
  });
}

export const podsOfRole = (facts: Facts, deployment: string, role: string): PodFacts[] =>
  facts.pods
    .filter((p) => p.deployment === deployment && p.role === role)
    .sort((a, b) => (a.D?.at[1] ?? Infinity) - (b.D?.at[1] ?? Infinity) || (a.name < b.name ? -1 : 1));
