import { differenceNames, differences, type DifferenceName } from '../../requirements/differences.ts';
import type { Fault } from './fault.ts';

/** What an entry of the registry says of a known difference: what the implementation does, what that breaks, where it was read. */
export function difference(name: DifferenceName): Pick<Fault, 'does' | 'breaks' | 'seenInField'> {
  const { breaks, implementation } = differences[name];
  return { does: `as implemented: ${implementation.does}`, breaks, seenInField: implementation.source };
}

/** Every known difference at once: the operator as it was read in its source, where its documents say otherwise. */
export const asImplemented: Fault = {
  name: 'as-implemented',
  double: 'gpustack-operator',
  does: `behaves as implemented wherever that is known to differ from the documents: ${differenceNames.join(', ')}`,
  breaks: [...new Set(differenceNames.flatMap((name) => differences[name].breaks))],
  of: differenceNames,
  seenInField: 'the sources of the differences',
};
