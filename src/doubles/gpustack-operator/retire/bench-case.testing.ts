import { after, before } from 'node:test';
import { openBench, type Bench } from './bench.testing.ts';
import { RetireLab } from './lab.testing.ts';

/** One server for a test file, and a namespace of its own for each test; all are closed at the end. */
export function bench(name: string): { opened: () => Bench; open: () => Promise<RetireLab> } {
  let found: Bench | undefined;
  let count = 0;
  const labs: RetireLab[] = [];
  before(async () => {
    found = await openBench();
  });
  after(async () => {
    await Promise.all(labs.map((lab) => lab.close()));
    await found?.close();
  });
  const opened = (): Bench => {
    if (!found) throw new Error('the bench is not open yet');
    return found;
  };
  return {
    opened,
    open: async () => {
      const lab = await RetireLab.open(opened(), `${name}-${(count += 1)}`);
      labs.push(lab);
      return lab;
    },
  };
}
