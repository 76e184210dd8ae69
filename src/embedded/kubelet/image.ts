import type { TimeScale } from '../../time/scale.ts';
import type { PodContext } from './context.ts';
import type { ContainerSpec } from './pod.ts';
import { pause } from './stamps.ts';

/** Documented seconds from the first failed pull to `ImagePullBackOff`, and between two later pulls at first and at most. */
const BACK_OFF = 10;
const LONGEST = 300;

/**
 * Waits until a program stands for the image; false where the container was stopped first. The states in between are those
 * of a pull that fails.
 */
export async function awaitImage(
  context: PodContext,
  spec: ContainerSpec,
  waiting: (reason: string, message: string) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const { programs, scale } = context.shared;
  const tell = (type: 'Normal' | 'Warning', reason: string, text: string) =>
    void context.event(type, reason, text, spec);
  for (let backOff = BACK_OFF; !programs.known(spec.image); backOff = Math.min(LONGEST, backOff * 2)) {
    const example = JSON.stringify({ [spec.image]: { commands: { COMMAND: { file: '/path/of/program', args: [] } } } });
    const problem =
      `no program stands for the image "${spec.image}": the process kubelet runs programs of this host; ` +
      `map it in an image map, such as ${example}`;
    if (spec.imagePullPolicy === 'Never') {
      const absent = `Container image "${spec.image}" is not present with pull policy of Never`;
      tell('Warning', 'ErrImageNeverPull', absent);
      tell('Warning', 'Failed', 'Error: ErrImageNeverPull');
      waiting('ErrImageNeverPull', absent);
      if (!(await rest(scale, backOff, signal))) return false;
      continue;
    }
    tell('Normal', 'Pulling', `Pulling image "${spec.image}"`);
    tell('Warning', 'Failed', `Failed to pull image "${spec.image}": ${problem}`);
    tell('Warning', 'Failed', 'Error: ErrImagePull');
    waiting('ErrImagePull', problem);
    if (!(await rest(scale, BACK_OFF, signal))) return false;
    tell('Normal', 'BackOff', `Back-off pulling image "${spec.image}"`);
    tell('Warning', 'Failed', 'Error: ImagePullBackOff');
    waiting('ImagePullBackOff', `Back-off pulling image "${spec.image}": ErrImagePull: ${problem}`);
    if (!(await rest(scale, backOff, signal))) return false;
  }
  tell('Normal', 'Pulled', `Container image "${spec.image}" already present on machine`);
  return true;
}

const rest = (scale: TimeScale, seconds: number, signal: AbortSignal) => pause(scale.toMs(seconds), signal);
