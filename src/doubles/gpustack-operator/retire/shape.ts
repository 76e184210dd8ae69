import { engineOf, engines } from '../../../engines/command.ts';
import { disaggregationOf } from '../../../engines/disaggregation.ts';
import { holdReasons as hold } from '../../../requirements/retirement-reasons.ts';
import { annotations, labels } from '../../../systems/gpustack/names.ts';
import type { splitRule } from '../../../systems/gpustack/operator.ts';
import { engineOf as mainOf, graceOf, type Pod } from '../../../systems/gpustack/readers.ts';
import type { Faults } from '../faults.ts';

/** Whether and how the members of a target can be read. `refused`: no answer of theirs would be believed. */
export type Shape =
  | { kind: 'held'; reason: string }
  | { kind: 'refused'; reason: string }
  /** From v0.10 on: a disaggregated replica goes once its own grace has passed. */
  | { kind: 'split'; grace: number; answering: Pod[]; gauges: readonly string[] }
  | { kind: 'readable'; answering: Pod[]; gauges: readonly string[] };

/** What the members' Pods say of the replica as it is deployed; the spec is not asked. */
export function shapeOf(members: Pod[], rule: ReturnType<typeof splitRule>, faults: Faults): Shape {
  const held = (reason: string): Shape => ({ kind: 'held', reason });
  const [first] = members;
  if (!first) return held(hold.noMembers);
  const commands = members.map((pod) => mainOf(pod)?.command);
  const lacks = members.find((_, index) => commands[index] === undefined);
  if (lacks) return held(hold.noMain(lacks.metadata.name));
  const seats = seatsOf(members, faults);
  if ('reason' in seats) return held(seats.reason);
  const taken = members.find((pod) => pod.metadata.annotations?.[annotations.scrape] !== 'true');
  if (taken && !faults.has('retire-invents-annotation')) return held(hold.noAnnotation(taken.metadata.name));
  const splits = commands.map((command = []) => splitReason(command, faults));
  if (new Set(splits.map((reason) => reason !== undefined)).size > 1) return held(hold.splitDisagree);
  const engine = engineOf(commands[0] ?? []) ?? (taken ? 'vLLM' : undefined);
  if (!engine && !faults.has('retire-unlisted-is-vllm'))
    return { kind: 'refused', reason: hold.noGaugeList(commands[0]?.[0] ?? '') };
  const list: readonly string[] = engines[engine ?? 'vLLM'].gauges;
  const readable = {
    answering: seats.answering,
    gauges: faults.has('retire-short-gauge-list') ? list.slice(0, -1) : list,
  };
  const [split] = splits;
  if (split === undefined) return { kind: 'readable', ...readable };
  if (rule === 'refused') return { kind: 'refused', reason: split };
  return { kind: 'split', grace: graceOf(first) ?? 30, ...readable };
}

/** Why a command line is that of a disaggregated replica; undefined for any other. */
function splitReason(command: readonly string[], faults: Faults): string | undefined {
  const found = disaggregationOf(command);
  if (!found || faults.has('retire-split-unrecognised')) return undefined;
  if (found.engine === 'SGLang') return hold.splitSglang(found.mode);
  if (found.shape !== 'Transfer') return hold.dataParallel(found.shape);
  return faults.has('vllm-split-by-flags-alone') ? undefined : hold.split;
}

/** The members whose answer stands for the replica: the only one, or the one with the leader's seat. */
function seatsOf(members: Pod[], faults: Faults): { answering: Pod[] } | { reason: string } {
  const total = (pod: Pod) => Number(pod.metadata.annotations?.[annotations.groupTotal] ?? 1);
  const [first, ...others] = members as [Pod, ...Pod[]];
  const all = { answering: members };
  if (faults.has('retire-reads-all-members')) return all;
  const problem = seatProblem(members, total);
  if (problem) return faults.has('retire-guesses-leader') ? { answering: [first] } : { reason: problem };
  return others.length === 0 ? all : { answering: members.filter((pod) => seatOf(pod) === 0) };
}

function seatProblem(members: Pod[], total: (pod: Pod) => number): string | undefined {
  const totals = [...new Set(members.map(total))];
  const [declared = 1, other] = totals;
  if (other !== undefined) return hold.totalsDiffer(declared, other);
  if (members.length < declared) return hold.short(members.length, declared);
  if (declared <= 1 && members.length === 1) return undefined;
  const seated = members.filter((pod) => seatOf(pod) !== undefined);
  if (seated.length === 0) return hold.noSeat;
  const beyond = seated.find((pod) => Number(seatOf(pod)) >= declared);
  if (beyond) return hold.seatBeyond(beyond.metadata.name, Number(seatOf(beyond)), declared);
  const leaders = seated.filter((pod) => seatOf(pod) === 0);
  if (leaders.length === 0) return hold.noLeader;
  if (leaders.length > 1) return hold.manyLeaders(leaders.length);
  const twin = seated.find((pod, index) => seated.some((p, i) => i > index && seatOf(p) === seatOf(pod)));
  const same = twin && seated.findLast((pod) => seatOf(pod) === seatOf(twin));
  return twin && same ? hold.sameSeat(twin.metadata.name, same.metadata.name, Number(seatOf(twin))) : undefined;
}

function seatOf(pod: Pod): number | undefined {
  const text = pod.metadata.labels?.[labels.memberIndex];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}
