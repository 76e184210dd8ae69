import { KubeClient } from '../../src/cluster/rest.ts';
import { absoluteKubeconfig, readKubeconfig } from '../../src/cluster/kubeconfig.ts';
import { missingRights } from '../../src/cluster/rights.ts';
import { surveyCluster, timeScaleOf, type Survey } from '../../src/cluster/survey.ts';
import { explainConnection, TargetError } from '../../src/cluster/target-error.ts';
import { profileNames, profiles, type Profile } from '../../src/requirements/profiles.ts';
import { everyAbility, kubernetesAbility, type Ability } from '../../src/scenario/abilities.ts';
import { installDefinitions } from '../../src/systems/gpustack/install.ts';
import { customResourceDefinitions } from '../../src/systems/gpustack/manifests.ts';
import { generationOfSchema } from '../../src/systems/gpustack/model-deployment.ts';
import { roles, rulesOf } from '../preflight/rules.ts';
import { UsageError } from '../usage-error.ts';

export interface TargetOptions {
  kubeconfig: string;
  context?: string | undefined;
  /** The release that the cluster is to serve. */
  profile: Profile;
  /** Create the resource definitions that are absent. */
  installCrds?: boolean | undefined;
  /** Containers of our doubles are on the nodes, under the images' names. */
  doubleImages?: boolean | undefined;
  /** The engines and the operator are those of the cluster. */
  realEngines?: boolean | undefined;
  /** Documented seconds in one second of the wall; absent: as the kubelets keep it. */
  timeScale?: number | undefined;
}

/** A cluster that is there already, as a run needs to know it. */
export interface Target {
  kubeconfig: string;
  timeScale: number;
  abilities: Ability[];
  sameClock: boolean;
  survey: Survey;
}

/** A client for the cluster of a kubeconfig. @throws KubeconfigError */
export const connect = ({ kubeconfig, context }: Pick<TargetOptions, 'kubeconfig' | 'context'>): KubeClient =>
  new KubeClient(readKubeconfig(absoluteKubeconfig(kubeconfig), context));

/**
 * Looks at the cluster before anything is deployed, and installs the resource definitions where that was asked for.
 * @throws KubeconfigError, TargetError or UsageError with what was seen and the next step
 */
export async function openTarget(options: TargetOptions): Promise<Target> {
  const client = connect(options);
  try {
    await checkRights(client, roles.run);
    const names = customResourceDefinitions().map(({ metadata }) => metadata.name);
    let survey = await surveyCluster(client, names);
    const absent = names.filter((name) => !survey.definitions.has(name));
    if (absent.length > 0 && options.installCrds) {
      await installDefinitions(client, 10_000, options.profile.generation);
      survey = await surveyCluster(client, names);
    } else if (absent.length > 0) {
      throw new TargetError(
        `the cluster does not serve ${absent.join(', ')}`,
        "the operator's resource definitions",
        'install the operator, or add --install-crds (they belong to the whole cluster and stay there)',
      );
    }
    checkGeneration(survey, options.profile);
    const abilities = abilitiesOf(survey, options);
    if (abilities.includes('doubles')) await checkRights(client, roles.doubles);
    return {
      kubeconfig: absoluteKubeconfig(options.kubeconfig),
      timeScale: chosenScale(survey, options.timeScale),
      abilities,
      sameClock: survey.nodes.every((node) => node.thisMachine),
      survey,
    };
  } finally {
    client.close();
  }
}

/** @throws TargetError that names every right which the user lacks, before anything is deployed */
async function checkRights(client: KubeClient, role: string): Promise<void> {
  const missing = await missingRights(client, rulesOf(role)).catch((error: unknown) => {
    throw explainConnection(error, client.connection.server);
  });
  if (missing.length === 0) return;
  throw new TargetError(
    `the user of this context may not ${missing.map(({ verb, resource }) => `${verb} ${resource}`).join(', ')}`,
    `the rights of ClusterRole ${role} in manifests/rbac.yaml`,
    'apply it and bind the user to it; quiesce preflight names the rule of each',
  );
}

/** @throws TargetError where the ModelDeployments served are of another generation than the profile's release has */
function checkGeneration({ definitions }: Survey, { release, generation }: Profile): void {
  const crd = definitions.get('modeldeployments.worker.gpustack.ai');
  const served = crd && generationOfSchema(crd);
  if (served === generation) return;
  const fits = profileNames.filter((name) => profiles[name].generation === served);
  throw new TargetError(
    `the cluster serves ModelDeployments of generation ${served}`,
    `generation ${generation}, that of operator ${release}`,
    [
      `run against a cluster with operator ${release}`,
      ...(fits.length > 0 ? [`choose the release that is there: --profile ${fits.join(' or ')}`] : []),
    ].join(', or '),
  );
}

/** @throws UsageError where the asked one is not what the kubelets keep */
function chosenScale({ nodes }: Survey, asked: number | undefined): number {
  const kept = timeScaleOf(nodes);
  if (asked === undefined || asked === kept) return kept;
  throw new UsageError(
    `--time-scale ${asked}, but the kubelets of this cluster keep ${kept}`,
    kept === 1 ? 'real time: 1' : `the time scale of the kubelets: ${kept}`,
    'leave --time-scale out',
  );
}

function abilitiesOf({ nodes, version }: Survey, { doubleImages, realEngines }: TargetOptions): Ability[] {
  const kubernetes = kubernetesAbility(version);
  if (realEngines) return ['engines', kubernetes];
  if (nodes.some((node) => node.embedded))
    return everyAbility.filter((ability) => !ability.startsWith('kubernetes') || ability === kubernetes);
  if (nodes.some((node) => node.ready && node.process)) return ['doubles', 'own-node', 'faults', kubernetes];
  return [...(doubleImages ? (['doubles'] as const) : []), kubernetes];
}
