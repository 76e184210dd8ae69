import type { GuardedClient } from '../cluster/guard.ts';
import type { KubeObject } from '../cluster/rest.ts';
import type { Serving } from '../engines/serving.ts';
import type { Generation, Profile } from '../requirements/profiles.ts';
import type { TimeScale } from '../time/scale.ts';

/** What a scenario runs on; the caller knows the target, the scenario does not. */
export interface Environment {
  client: GuardedClient;
  target: 'embedded' | 'kubernetes';
  /** Parts that are real programs in the place of doubles: they take no field of a request that only a double reads. */
  real?: readonly string[];
  /** The engines are real, of a model of the cluster, and so is its operator. Absent: they are doubles. */
  serving?: Serving;
  /** `gitVersion` of the API server, where it was asked. */
  kubernetes?: string;
  /** Why the scenario cannot be tried on this target; then nothing is deployed. Absent or empty: it can. */
  unsupported?: readonly string[];
  /** The nodes are this machine, so that their stamps are on our clock; the embedded cluster's always are. */
  sameClock?: boolean;
  /** The release whose documents it is judged by, and which our operator is started as. */
  profile: Profile;
  /** How the cluster takes a ModelDeployment: as the definition says that it serves. */
  generation: Generation;
  /** Id of the run: the value of the label on all that it owns. */
  runId: string;
  /** Namespace of this scenario alone. */
  namespace: string;
  scale: TimeScale;
  seed: number;
  faults: readonly string[];
  /** Annotations of the namespace: the faults that are switched on in it, say. */
  annotations: Record<string, string>;
  /** The scenario's own Node where the target lets us have one (the embedded cluster does). */
  node?: (accelerators: number) => KubeObject;
  /** Whether the operator is a double of ours, one for each namespace. */
  ownOperator: boolean;
  /** Milliseconds of the wall that the system may need to become ready. Default: 150 documented seconds, 30 s at least. */
  readyMs?: number;
  /** Folder of the bundle. */
  folder: string;
  tool: { version: string };
  /** Aborted when the run is interrupted: the scenario ends early and its bundle says so. */
  signal: AbortSignal;
}
