import type { Profile } from '../../src/requirements/profiles.ts';
import { everyAbility } from '../../src/scenario/abilities.ts';
import { DEFAULT_TIME_SCALE } from '../../src/time/scale.ts';
import { UsageError } from '../usage-error.ts';
import { openTarget } from './open.ts';
import { chooseServing, readyMsOf, type ChosenServing } from './serving.ts';

/** Where to run, as it is typed. */
export interface ChosenTarget extends ChosenServing {
  target: 'embedded' | 'kubernetes';
  kubeconfig?: string;
  context?: string;
  installCrds?: boolean;
  timeScale?: number;
}

/** Where the run takes place. @throws UsageError, KubeconfigError or TargetError with the next step */
export async function chooseTarget(options: ChosenTarget, profile: Profile) {
  const { target, kubeconfig, context, timeScale = DEFAULT_TIME_SCALE } = options;
  const serving = chooseServing(options);
  if (target === 'embedded') {
    const foreign = (['kubeconfig', 'context', 'installCrds', 'doubleImages', 'model'] as const).find(
      (name) => options[name],
    );
    if (!foreign) return { target, abilities: everyAbility, sameClock: true, timeScale };
    // Never on doubles what was meant for a cluster: its verdicts would be taken for those of the cluster.
    throw new UsageError(
      `--${foreign.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)} with --target embedded`,
      'it only with a cluster that is there already',
      'add --target kubernetes, or leave it out',
    );
  }
  if (!kubeconfig) {
    throw new UsageError(
      '--target kubernetes without --kubeconfig',
      'the kubeconfig of the cluster',
      'add --kubeconfig FILE',
    );
  }
  const { survey, ...opened } = await openTarget({
    ...options,
    kubeconfig,
    profile,
    realEngines: serving !== undefined,
  });
  console.error(
    `Kubernetes ${survey.version}, ${survey.nodes.length} nodes; abilities: ${opened.abilities.join(', ') || 'none'}`,
  );
  const readyMs = readyMsOf(options);
  return {
    target,
    ...opened,
    ...(context ? { context } : {}),
    ...(serving ? { serving } : {}),
    ...(readyMs ? { readyMs } : {}),
  };
}
