import type { ProfileName } from '../requirements/profiles.ts';
import type { Seconds } from '../time/scale.ts';
import type { Case, Decision } from '../history/manifest.ts';
import type { EngineControl } from '../engines/behaviour.ts';
import type { EngineName } from '../engines/command.ts';
import type { PlacedLoad, SteadyArrivals } from '../load/plan.ts';
import type { Release } from '../systems/gpustack/operator.ts';
import type { GraphInput } from '../systems/dynamo/types.ts';
import type { DeploymentInput, RetirementState, RoleInput, RouterInput } from '../systems/gpustack/types.ts';

/** A role as a scenario states it. */
export type RoleSpec = RoleInput;

export interface GpustackDeploy {
  kind: 'gpustack';
  /** Release of the operator at the start, in place of the profile's; `before-drain-window` renders neither hook nor grace. */
  operator?: Release;
  /** The Kubernetes that it needs. Default: any; the embedded cluster then is 1.34. */
  kubernetes?: '<1.29' | '>=1.29';
  /** Accelerators of the scenario's own node. Default: exactly what the roles ask for. */
  accelerators?: number;
  /** `engine`: default vLLM. */
  deployments: {
    name: string;
    engine?: EngineName;
    roles: RoleSpec[];
    router?: RouterInput;
    kvTransfer?: NonNullable<DeploymentInput['kvTransfer']>;
  }[];
}

export interface DynamoDeploy {
  kind: 'dynamo';
  /** Graphs as the Dynamo operator would render them; their discovery is that of Kubernetes. */
  deployments: GraphInput[];
  /** The graphs themselves are created, and an operator renders them. Default: what it would render is created. */
  operator?: boolean;
}

/** What is done to the system. `at` counts documented seconds from the planned zero. */
export type Step = { at: Seconds } & (
  | { do: 'delete'; cases: string[] }
  | { do: 'evict'; cases: string[] }
  /** To the first process of the container `main`, without a delete. Only a process kubelet lets `KILL` through. */
  | { do: 'signal'; cases: string[]; signal: 'INT' | 'TERM' | 'KILL' }
  /** Kills what a Dynamo worker's engine runs in, by a command in its container. */
  | { do: 'kill-engine'; cases: string[] }
  /** Lists a folder, relative to the container's root; `restarted`: once the container has started again. */
  | { do: 'list-files'; cases: string[]; folder: string; restarted?: boolean }
  | { do: 'preempt'; name: string; accelerators: number }
  | { do: 'create-waiting-pod'; name: string; accelerators: number }
  /** JSON patch on a ModelDeployment. */
  | { do: 'edit'; deployment: string; patch: object[]; expect?: 'accepted' | 'refused'; name?: string }
  /** Creates a ModelDeployment from a role and removes it again at once where it was accepted. */
  | {
      do: 'submit';
      name: string;
      role: Omit<RoleSpec, 'terminationGracePeriodSeconds'>;
      grace: unknown;
      expect: 'accepted' | 'refused';
    }
  | { do: 'control-engine'; cases: string[]; control: EngineControl }
  /** Reads ModelDeployments and all their Pods: what is still there is a fact, where a watch only lacks a delete. */
  | { do: 'look'; deployments: string[] }
  /** JSON patch on the Pod of a case, its labels say: what no operator undoes. */
  | { do: 'patch-pod'; cases: string[]; patch: object[]; name?: string }
  /** To the release of the profile. */
  | { do: 'upgrade-operator' }
  | { do: 'restart-operator' }
  /**
   * Kills the operator (SIGKILL) once the retirement of a deployment is in a state, at an instant of the documented seconds
   * after it that the seed of the run draws from `within`. `at`: from when on it lies in wait.
   */
  | { do: 'kill-operator'; deployment: string; state: RetirementState; within: Seconds }
);

/** A condition that the history must have shown before the action; without it the scenario is inconclusive. */
export type Precondition =
  | { kind: 'stream-open'; case: string; request?: string }
  /** A request of this group has tokens and no end, whoever serves it. */
  | { kind: 'request-flows'; request: string }
  | { kind: 'idle'; case: string }
  | { kind: 'chosen-by-router'; case: string; atLeast: number }
  | { kind: 'survivor-ready'; deployment: string };

export interface Scenario {
  id: string;
  title: string;
  document: 'gpustack' | 'dynamo';
  section: string;
  tags?: string[];
  /** Profiles whose documents have what it tries; others have a scenario of their own for it. Default: all. */
  profiles?: readonly ProfileName[];
  deploy: GpustackDeploy | DynamoDeploy;
  cases: Record<string, Case>;
  load?: { placed?: PlacedLoad[]; steady?: SteadyArrivals[]; tokenSeconds?: Seconds };
  before?: Precondition[];
  act: Step[];
  /**
   * When to stop looking: once every case is gone, or has turned over, or runs again, plus `then` documented seconds; `atMost`
   * after zero in any case.
   */
  until: { gone?: string[]; turnedOver?: string[]; restarted?: string[]; then?: Seconds; atMost: Seconds };
  decides: Decision[];
  /**
   * Of those, what only doubles can be tried on, with the reason: a run with real programs leaves it out. A requirement, or a part
   * of one (`DY-ED-03 router`).
   */
  onDoubles?: Readonly<Record<string, string>>;
  /** Faults that must break exactly these requirements of this scenario. */
  controls: { fault: string; breaks: string[] }[];
}
