// `npm run parity`: the experiments of suites/parity on the embedded cluster, compared with a real Kubernetes: the one that a
// kubeconfig names, or what one answered when it was recorded. Its last line is `N experiments, N unexplained`.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { bundle, isBuilt } from '../build.mjs';
import { exitCodes } from '../exit-codes.ts';
import { experiments } from '../../suites/parity/index.ts';
import { embeddedCluster, realCluster } from './clusters.ts';
import { performAll } from './experimenting.ts';
import type { Answers } from './experimenting.ts';
import type { Cluster } from './lab.ts';
import { readRecordings, record } from './recordings.ts';
import { judge, tell } from './verdict.ts';

const usage = `usage: npm run parity -- [--kubeconfig FILE [--context NAME] [--image IMAGE] [--record]] [--only PATTERN]...
  --kubeconfig  a real cluster of one Node to compare with; without it, the recorded answers
  --context     context of the kubeconfig (default: its current one)
  --image       image on that cluster, with busybox's sh, sleep, cat, httpd in its PATH (default localhost/host:1)
  --record      keep what the real cluster answers as the recording, and run nothing on the embedded one
  --only        ids that begin so, such as api. or kubelet.hook (repeatable)
  --time-scale  documented seconds in one second of the wall, on the embedded cluster (default 1)
  --answers     file for all answers of the embedded cluster, as JSON`;

function readOptions() {
  const { values } = parseArgs({
    options: {
      kubeconfig: { type: 'string' },
      context: { type: 'string' },
      image: { type: 'string', default: 'localhost/host:1' },
      record: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [''] },
      'time-scale': { type: 'string', default: '1' },
      answers: { type: 'string' },
    },
  });
  const factor = Number(values['time-scale']);
  if (!(factor > 0 && factor <= 100)) throw new RangeError(`--time-scale ${values['time-scale']}: expected 0 to 100`);
  if (values.record && !values.kubeconfig)
    throw new RangeError('--record needs --kubeconfig: only a real cluster is recorded');
  const chosen = experiments.filter(({ id }) => values.only.some((begin) => id.startsWith(begin)));
  if (chosen.length === 0) throw new RangeError(`--only ${values.only.join(', ')}: no experiment's id begins so`);
  return { ...values, factor, chosen };
}

/** Performs the experiments on a cluster and stops it. */
async function answersOf(
  opening: Promise<Cluster>,
  { chosen }: Options,
): Promise<{ answers: Answers; version: string }> {
  const cluster = await opening;
  const stop = () => void cluster.stop().finally(() => process.exit(exitCodes.interrupted));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const begun = performance.now();
    const answers = await performAll(cluster, chosen);
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    console.log(`${cluster.name} ${cluster.version}: ${chosen.length} experiments in ${seconds} s`);
    return { answers, version: cluster.version };
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    await cluster.stop();
  }
}

type Options = ReturnType<typeof readOptions>;

async function main(options: Options): Promise<number> {
  const { chosen, kubeconfig, context, image, factor } = options;
  const all = experiments.map(({ id }) => id);
  const live = kubeconfig ? await answersOf(realCluster(kubeconfig, context, image), options) : undefined;
  if (live && options.record) {
    record(live.answers, live.version, all);
    console.log(`${chosen.length} experiments, recorded`);
    return exitCodes.pass;
  }
  if (!isBuilt()) await bundle();
  const embedded = await answersOf(embeddedCluster(factor), options);
  if (options.answers) writeFileSync(options.answers, JSON.stringify(embedded.answers, null, 1));
  const recorded = readRecordings(all);
  const real = live?.answers ?? recorded.answers;
  console.log(
    live ? `compared with the real ${live.version}` : `compared with what ${recorded.versions.join(', ')} answered`,
  );
  const whole = chosen.length === experiments.length;
  const verdict = judge(
    chosen.map(({ id }) => id),
    real,
    embedded.answers,
    whole,
  );
  for (const line of tell(verdict)) console.log(line);
  console.log(`${verdict.equal} of them equal in every field`);
  console.log(`${chosen.length} experiments, ${verdict.unexplained.length} unexplained`);
  return verdict.unexplained.length === 0 ? exitCodes.pass : exitCodes.fail;
}

let options: Options | undefined;
try {
  options = readOptions();
} catch (error) {
  console.error(`parity: ${(error as Error).message}\n${usage}`);
  process.exitCode = exitCodes.usage;
}
if (options) process.exitCode = await main(options);
