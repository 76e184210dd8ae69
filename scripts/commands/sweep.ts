import { sweep } from '../../src/embedded/sweep.ts';

/** `quiesce sweep`: removes processes and folders of embedded clusters whose owner is dead; prints what it removed. */
export async function sweepCommand(): Promise<number> {
  const { processes, folders } = await sweep();
  console.log(`removed ${processes} processes and ${folders} folders of dead clusters`);
  return 0;
}
