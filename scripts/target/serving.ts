import type { Serving } from '../../src/engines/serving.ts';
import { UsageError } from '../usage-error.ts';

/** Seconds that real engines may take to be ready where nobody says: to pull an image, and to load and compile a model. */
const READY_SECONDS = 15 * 60;

/** Real engines, as they are typed. */
export interface ChosenServing {
  model?: string;
  engine?: Serving['releases'];
  instanceType?: string;
  /** Seconds that a system may take to be ready. */
  ready?: number;
  doubleImages?: boolean;
}

/**
 * What `--model` and its companions ask for; undefined without it.
 * @throws UsageError for a companion without it, or what contradicts it
 */
export function chooseServing({ model, engine, instanceType, doubleImages }: ChosenServing): Serving | undefined {
  if (model === undefined) {
    const [lonely] = [engine && '--engine', instanceType !== undefined && '--instance-type'].filter(Boolean);
    if (!lonely) return undefined;
    throw new UsageError(`${lonely} without --model`, 'the model that the real engines serve', 'add --model NAME');
  }
  if (model.trim() === '')
    throw new UsageError('--model ""', 'the name of a model', 'name one, such as Qwen/Qwen3-0.6B');
  if (doubleImages)
    throw new UsageError('--model with --double-images', 'real engines or our doubles', 'leave one of them out');
  return { model, releases: engine, instanceType };
}

/** Milliseconds that a system may take to be ready; undefined: as long as doubles may. */
export const readyMsOf = ({ ready, model }: ChosenServing): number | undefined => {
  const seconds = ready ?? (model === undefined ? undefined : READY_SECONDS);
  return seconds === undefined ? undefined : seconds * 1000;
};
