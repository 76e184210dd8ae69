import type { Seconds } from '../time/scale.ts';
import { rolesOf } from './roles.ts';
import type { Scenario } from './scenario.ts';

/** Seconds of the wall that a scenario needs beside its documented time, on two cores with four side by side (measured). */
const DEPLOY_S = 3.5;
const POD_S = 0.25;
const COLLECT_S = 1;
/** Start of the cluster, the runner and the reports. */
const FRAME_S = 6;
/** Documented seconds between the end of the hook and the end of an engine, with the reads before it. */
const EXIT: Seconds = 4;
/** Documented seconds of the warm phase where no load begins earlier. */
const REST: Seconds = 3;
/** Documented seconds that an idle replica takes to leave: 5 s, two reads, its exit. */
const IDLE_EXIT: Seconds = 10;
/** Kubernetes' and GPUStack's grace where a role names none. */
const UNSET_GRACE: Seconds = 30;
/** Seconds that a real model takes to load. An assumption of ours, said with the number that rests on it. */
export const MODEL_LOAD: Seconds = 180;

/** Pods that a scenario has: engines, routers and the operator. */
export function podsOfScenario(scenario: Scenario): number {
  const { deploy } = scenario;
  const roles = rolesOf(scenario).reduce((sum, { replicas, size }) => sum + replicas * size, 0);
  if (deploy.kind === 'dynamo') return roles + (deploy.operator ? 1 : 0);
  return deploy.deployments.reduce((sum, { router }) => sum + (router ? (router.replicas ?? 1) : 0), roles + 1);
}

/** Documented seconds from the end of the deployment to the end of the window, as far as the plan tells. */
export function documentedSeconds(scenario: Scenario): Seconds {
  const { load = {}, act, until } = scenario;
  const all = [...(load.placed ?? []), ...(load.steady ?? [])];
  const first = Math.max(REST, ...[...all.map((l) => l.starts), ...act.map((s) => s.at)].map((at) => 0.5 - at));
  const lastStep = Math.max(0, ...act.map((step) => step.at));
  const leaving = [...(until.gone ?? []), ...(until.turnedOver ?? []), ...(until.restarted ?? [])];
  const ends = leaving.map((name) => leavesBy(scenario, name));
  const window = leaving.length > 0 ? Math.max(lastStep, ...ends) : lastStep;
  return first + Math.min(until.atMost, window) + (until.then ?? 0);
}

/** When a case that the window waits for has left, at the latest. */
function leavesBy(scenario: Scenario, name: string): Seconds {
  const { cases, load = {}, act } = scenario;
  const one = cases[name];
  const role = rolesOf(scenario).find((r) => r.deployment === one?.deployment && r.name === one?.role);
  const grace = role?.grace ?? UNSET_GRACE;
  const at = Math.max(0, ...act.filter((s) => 'deployment' in s && s.deployment === one?.deployment).map((s) => s.at));
  // One replica after the other where the whole role turns over.
  const turns = one?.index === undefined && one?.ordinal === undefined ? (role?.replicas ?? 1) * (role?.size ?? 1) : 1;
  const work = (load.placed ?? []).filter((l) => 'case' in l.to && l.to.case === name).map((l) => l.ends ?? l.starts);
  const busy = one?.lastWorkEnds === null ? grace : Math.max(one?.lastWorkEnds ?? 0, ...work.filter((w) => w < 200));
  return at + Math.max(IDLE_EXIT * turns, busy + EXIT);
}

/** Seconds of the wall that a scenario takes at a time scale, its deployment included. */
export const wallSeconds = (scenario: Scenario, timeScale: number): number =>
  DEPLOY_S + POD_S * podsOfScenario(scenario) + documentedSeconds(scenario) / timeScale + COLLECT_S;

/** Seconds of the wall that scenarios take in this order, `workers` side by side. */
export function runSeconds(scenarios: readonly Scenario[], timeScale: number, workers: number): number {
  const lanes = Array.from({ length: workers }, () => 0);
  for (const scenario of scenarios) {
    const least = lanes.indexOf(Math.min(...lanes));
    lanes[least] = (lanes[least] ?? 0) + wallSeconds(scenario, timeScale);
  }
  return FRAME_S + Math.max(0, ...lanes);
}

/** Minutes for which a scenario holds each accelerator of a real cluster, summed: real time, with a model to load. */
export function gpuMinutes(scenario: Scenario): number {
  const accelerators = rolesOf(scenario).reduce((sum, role) => sum + role.replicas * role.accelerators, 0);
  return (accelerators * (MODEL_LOAD + documentedSeconds(scenario))) / 60;
}

/** The scenarios that decide the most requirements within so many seconds: each time the one with the most new ids a second. */
export function withinBudget(
  all: readonly Scenario[],
  seconds: number,
  timeScale: number,
  workers: number,
): Scenario[] {
  const chosen = new Set<Scenario>();
  const decided = new Set<string>();
  const ordered = () => all.filter((s) => chosen.has(s));
  for (;;) {
    const best = all
      .filter((s) => !chosen.has(s))
      .map((s) => ({ s, fresh: new Set(s.decides.map((d) => d.requirement).filter((id) => !decided.has(id))).size }))
      .filter(({ s, fresh }) => {
        const tried = all.filter((one) => one === s || chosen.has(one));
        return fresh > 0 && runSeconds(tried, timeScale, workers) <= seconds;
      })
      .reduce<{ s: Scenario; fresh: number } | undefined>(
        (a, b) => (a && a.fresh / wallSeconds(a.s, timeScale) >= b.fresh / wallSeconds(b.s, timeScale) ? a : b),
        undefined,
      );
    if (!best) return ordered();
    chosen.add(best.s);
    for (const { requirement } of best.s.decides) decided.add(requirement);
  }
}
