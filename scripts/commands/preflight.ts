import { KubeError } from '../../src/cluster/errors.ts';
import { explainConnection, TargetError } from '../../src/cluster/target-error.ts';
import { plainTable } from '../../reports/plain-table.ts';
import { exitCodes } from '../exit-codes.ts';
import { no, type Answer } from '../preflight/answer.ts';
import { tryCanary } from '../preflight/canary.ts';
import { askCluster, askRights } from '../preflight/look.ts';
import { roles } from '../preflight/rules.ts';
import { connect } from '../target/open.ts';

export interface PreflightCommandOptions {
  kubeconfig: string;
  context?: string;
  need: string[];
  canary: boolean;
  canaryImage?: string;
  json?: boolean;
}

/** An image with a shell: on a process kubelet the host's own, elsewhere what every registry has. */
const canaryImages = { process: 'quiesce/pause:1', real: 'busybox:1.36' } as const;

/**
 * `quiesce preflight`: what a cluster can give and what is missing, before anything is deployed. Rights come first; the canary
 * is the only thing that is created, in a namespace of its own, and it is removed.
 */
export async function preflightCommand(options: PreflightCommandOptions): Promise<number> {
  const client = connect(options);
  const answers: Answer[] = [];
  try {
    answers.push(...(await askRights(client, roles.run, true)));
    const missing = answers.some((a) => a.is === 'no');
    const known = await askCluster(client).catch((error: unknown) => {
      // What is forbidden is named above; the rest cannot be looked at.
      if (missing && error instanceof TargetError && isForbidden(error)) return undefined;
      throw error;
    });
    answers.push(...(known?.answers ?? []));
    answers.push(...(await askRights(client, roles.doubles, has(answers, 'doubles'))));
    if (options.canary && known && !missing)
      answers.push(...(await canaryAnswers(options, client, answers, known.survey)));
  } catch (error) {
    throw explainConnection(error, client.connection.server);
  } finally {
    client.close();
  }
  for (const name of options.need) {
    if (!answers.some((a) => a.feature === name)) answers.push(no(name, 'no answer of preflight has that name'));
  }
  const lacking = answers.filter((a) => a.is !== 'yes' && (a.needed || options.need.includes(a.feature)));
  if (options.json) console.log(JSON.stringify(answers, null, 2));
  else {
    console.log(
      plainTable(
        ['feature', 'answer', 'seen'],
        [44, 10, 'rest'],
        answers.map((a) => [a.feature, a.is, a.detail]),
      ),
    );
    console.log(
      lacking.length === 0 ? 'ready' : `not ready: ${[...new Set(lacking.map((a) => a.feature))].join(', ')}`,
    );
  }
  return lacking.length === 0 ? exitCodes.pass : exitCodes.harnessError;
}

const isForbidden = ({ cause }: TargetError) => cause instanceof KubeError && cause.status === 403;

const has = (answers: readonly Answer[], feature: string) =>
  answers.some((a) => a.feature === feature && a.is === 'yes');

async function canaryAnswers(
  { canaryImage }: PreflightCommandOptions,
  { connection }: ReturnType<typeof connect>,
  answers: readonly Answer[],
  { nodes }: Awaited<ReturnType<typeof askCluster>>['survey'],
): Promise<Answer[]> {
  const image = canaryImage ?? (has(answers, 'doubles') ? canaryImages.process : canaryImages.real);
  const timeScale = nodes.find((n) => n.ready)?.timeScale ?? 1;
  try {
    return await tryCanary(connection, { image, timeScale });
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
    return [no('canary', error.message)];
  }
}
