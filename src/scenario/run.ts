import { openBundle } from '../history/bundle.ts';
import { now } from '../time/clock.ts';
import { exactly } from '../time/interval.ts';
import type { Seconds } from '../time/scale.ts';
import { DOUBLES_MODEL } from '../engines/serving.ts';
import { planLoad, type Destination } from '../load/plan.ts';
import { startLoad, type Load } from '../load/driver.ts';
import { turns } from './acting.ts';
import type { Acting } from './acting.ts';
import { actionId, doStep } from './act.ts';
import { bindCases, podOf, type Binding, type Bound } from './bind.ts';
import { checkPlacement, deploySystem, namespaceLabels, removeSystem } from './system.ts';
import type { Environment } from './environment.ts';
import { DeadlineError, Live } from './live.ts';
import { manifestOf } from './manifest.ts';
import { Observer } from './observer.ts';
import { addressOfDestination } from './destinations.ts';
import { untilAdmitted } from './preemption.ts';
import { measurePace } from './pace.ts';
import { checkPreconditions } from './preconditions.ts';
import { untilReady } from './ready.ts';
import type { Scenario } from './scenario.ts';
import { remember, untilOver } from './until.ts';
import { actions } from '../cluster/actions.ts';

/** Documented seconds that a victim rests after Ready: a real kubelet delays the end of a younger Pod by up to 1.5 s. */
const REST_SECONDS = 3;

/** Milliseconds of the wall without a byte after which a stream that is still open counts as silent. */
const SILENCE_MS = 700;

/** Milliseconds of the wall between two recorded chunks of a stream. */
const SAMPLE_MS = 250;

/**
 * Runs one scenario: deploy, warm, prove the precondition, act, prove that the action took effect, observe, collect.
 * It leaves a bundle in `env.folder` and judges nothing. What goes wrong on the way is in the bundle, as a precondition
 * that was not met or as a problem of the harness; only what keeps the bundle itself from being written is thrown.
 * @throws BundleError where the folder cannot be used or the disk is full
 */
export async function runScenario(scenario: Scenario, env: Environment): Promise<void> {
  let failed: Error | undefined;
  const bundle = openBundle(env.folder, manifestOf(scenario, env), {
    secrets: env.client.connection.token ? [env.client.connection.token] : [],
    onFailure: (error) => {
      failed = error;
      live.abort(error);
    },
  });
  if (env.unsupported?.length) return bundle.close('complete');
  const live: Live = new Live(bundle);
  const interrupted = () => live.abort(new InterruptedError());
  env.signal.addEventListener('abort', interrupted);
  if (env.signal.aborted) interrupted();
  const observer = new Observer(env, live);
  let ended: 'complete' | 'interrupted' = 'complete';
  try {
    await conduct(scenario, env, live, observer);
  } catch (error) {
    if (failed) throw failed;
    if (error instanceof InterruptedError) ended = 'interrupted';
    else problem(live, error);
  } finally {
    env.signal.removeEventListener('abort', interrupted);
    if (!failed) await collect(env, live, observer);
    observer.stop();
    live.seal();
    if (!failed) bundle.close(ended);
    await removeSystem(scenario, env);
  }
}

/** The run was asked to stop. */
export class InterruptedError extends Error {
  readonly code = 'QUIESCE_INTERRUPTED';
  constructor() {
    super('the run was interrupted');
    this.name = 'InterruptedError';
  }
}

async function conduct(scenario: Scenario, env: Environment, live: Live, observer: Observer): Promise<void> {
  const phase = (name: string) => live.record('phase', exactly(now()), 'harness', { name });
  phase('deploy');
  await observer.start(scenario);
  const lease = await deploySystem(scenario, env);
  try {
    await warmAndAct(scenario, env, live, observer, phase);
  } finally {
    lease.stop();
  }
}

async function warmAndAct(
  scenario: Scenario,
  env: Environment,
  live: Live,
  observer: Observer,
  phase: (name: string) => void,
): Promise<void> {
  let bound: Binding;
  let pace: Seconds | undefined;
  const model = env.serving?.model ?? DOUBLES_MODEL;
  const addressOf = (cases: Bound) => (to: Destination) => addressOfDestination(to, env, live, cases);
  try {
    await untilReady(scenario, live, env.scale, env.readyMs);
    checkPlacement(env, live);
    await untilAdmitted(scenario, env, live);
    phase('warm');
    await observer.logsOpen(scenario);
    bound = bindCases(scenario, live);
    observer.sample(scenario, bound);
    await observer.enginesAnswer();
    await observer.frontendsKnow();
    pace =
      env.serving && (await measurePace(scenario.load, { live, scale: env.scale, model, resolve: addressOf(bound) }));
  } catch (error) {
    if (!(error instanceof DeadlineError)) throw error;
    const data = { name: 'deployed', met: false, detail: error.message };
    live.record('precondition', exactly(now()), 'harness', data);
    return;
  }
  const readyAt = now();
  const before = remember(scenario, live);
  const plan = planLoad({
    ...scenario.load,
    tokenSeconds: scenario.load?.tokenSeconds ?? 0.25,
    pace,
    seed: env.seed,
    scale: env.scale,
  });
  const first = Math.min(-REST_SECONDS, ...plan.map((r) => r.at - 0.5), ...scenario.act.map((s) => s.at - 0.5));
  const zeroAt = readyAt + env.scale.toMs(-first);
  live.record('zero', exactly(now()), 'harness', { plannedAt: zeroAt });
  const load = startLoad({
    plan,
    zeroAt,
    scale: env.scale,
    resolve: addressOf(bound),
    recorder: live,
    silenceMs: SILENCE_MS,
    sampleEveryMs: SAMPLE_MS,
    model,
    listener: env.serving ? 'engines' : env.real?.length ? 'dynamo' : 'doubles',
    userAgent: `quiesce/${scenario.id}`,
  });
  try {
    await actAndObserve(scenario, env, live, bound, before, zeroAt, phase);
  } finally {
    await hangUp(load);
  }
}

async function actAndObserve(
  scenario: Scenario,
  env: Environment,
  live: Live,
  bound: Binding,
  before: ReturnType<typeof remember>,
  zeroAt: number,
  phase: (name: string) => void,
): Promise<void> {
  const acting: Acting = {
    env,
    live,
    bound,
    podOf: (name) => podOf(name, scenario.cases, bound, live),
    actions: actions(env.client, live),
    labels: namespaceLabels(env),
    problem: (where, message) => live.record('problem', exactly(now()), 'harness', { where, message }),
    inTurn: turns(),
  };
  const steps = scenario.act.map(async (step, index) => {
    await live.pause(Math.max(0, zeroAt + env.scale.toMs(step.at) - now()));
    if (step.at === 0 && index === scenario.act.findIndex((s) => s.at === 0)) {
      checkPreconditions(scenario, live, bound);
      phase('act');
    }
    try {
      await doStep(step, index, acting);
    } catch (error) {
      if (error instanceof InterruptedError) throw error;
      acting.problem(`action ${actionId(step, index)}`, (error as Error).message);
    }
  });
  const [reason] = await Promise.all([untilOver(scenario, live, bound, before, zeroAt, now, env.scale), ...steps]);
  live.record('window.ended', exactly(now()), 'harness', { reason });
}

const hangUp = async (load: Load): Promise<void> => {
  await load.stop('the window ended');
};

async function collect(env: Environment, live: Live, observer: Observer): Promise<void> {
  try {
    live.record('phase', exactly(now()), 'harness', { name: 'collect' });
    await observer.collect();
  } catch (error) {
    problem(live, error);
  }
  live.record('cost', exactly(now()), 'harness', observer.cost());
}

const problem = (live: Live, error: unknown) =>
  live.record('problem', exactly(now()), 'harness', {
    where: 'scenario',
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
