import type { KubeClient } from '../../src/cluster/rest.ts';
import { pathsOf, runsInCluster, sweepRuns, type RunInCluster } from '../../src/cluster/sweep.ts';
import { explainConnection } from '../../src/cluster/target-error.ts';
import { sweep } from '../../src/embedded/sweep.ts';
import { exitCodes } from '../exit-codes.ts';
import { connect } from '../target/open.ts';
import { UsageError } from '../usage-error.ts';

export interface SweepCommandOptions {
  kubeconfig?: string;
  context?: string;
  wait?: boolean;
  dryRun?: boolean;
}

/**
 * `quiesce sweep`: removes processes and folders of embedded clusters whose owner is dead, or, with a kubeconfig, what dead runs
 * left in that cluster; prints what it removed.
 */
export async function sweepCommand(options: SweepCommandOptions): Promise<number> {
  const { kubeconfig, context } = options;
  if (kubeconfig !== undefined) return sweepCluster({ ...options, kubeconfig });
  const stray =
    context !== undefined ? '--context' : options.wait ? '--wait' : options.dryRun ? '--dry-run' : undefined;
  if (stray !== undefined) {
    throw new UsageError(`${stray} without --kubeconfig`, 'it only with a cluster', 'add --kubeconfig FILE');
  }
  const { processes, folders } = await sweep();
  console.log(`removed ${processes} processes and ${folders} folders of dead clusters`);
  return exitCodes.pass;
}

async function sweepCluster(options: SweepCommandOptions & { kubeconfig: string }): Promise<number> {
  const client = connect(options);
  try {
    const runs = await (options.wait ? untilDecided(client) : runsInCluster(client));
    for (const run of runs) if (run.state !== 'dead') console.error(kept(run));
    const dead = runs.filter((run) => run.state === 'dead');
    if (options.dryRun) {
      for (const path of pathsOf(dead)) console.log(`would remove ${path}`);
      return exitCodes.pass;
    }
    const left = await sweepRuns(client, dead, { told: (path) => console.log(`removing ${path}`) });
    for (const path of left) console.log(`still there: ${path}`);
    console.log(`removed ${pathsOf(dead).length - left.length} objects of ${dead.length} dead runs`);
    return left.length > 0 ? exitCodes.harnessError : exitCodes.pass;
  } catch (error) {
    throw explainConnection(error, client.connection.server);
  } finally {
    client.close();
  }
}

const reasons: Record<Exclude<RunInCluster['state'], 'dead'>, string> = {
  alive: 'its lease holds',
  unclear: 'what it has is so young that its lease may be about to come',
  foreign: 'a lease in its namespace names another holder',
};

const kept = ({ run, state }: RunInCluster) => `kept ${run}: ${state === 'dead' ? '' : reasons[state]}`;

/** Milliseconds between two looks at the leases: below the time between two renewals. */
const LOOK_MS = 2000;

/** Looks until each run is dead by its lease, or was seen to renew it. What is unclear stays so. */
async function untilDecided(client: KubeClient): Promise<RunInCluster[]> {
  const first = new Map<string, string | undefined>();
  for (;;) {
    const runs = await runsInCluster(client);
    const open = runs.filter(({ run, state, renewed }) => {
      if (state !== 'alive') return false;
      if (!first.has(run)) first.set(run, renewed);
      return first.get(run) === renewed;
    });
    if (open.length === 0) return runs;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
