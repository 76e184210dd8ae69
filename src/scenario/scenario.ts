import type { Seconds } from '../time/scale.ts';
import type { Case, Decision } from '../history/manifest.ts';
import type { EngineBehaviour, EngineControl } from '../engines/behaviour.ts';

export type { EngineBehaviour, EngineControl };

export interface RoleSpec {
  name: string;
  replicas: number;
  terminationGracePeriodSeconds?: number;
  extraArgs?: string[];
  command?: string[];
  ports?: { port: number; protocol?: 'TCP' }[];
  env?: Record<string, string>;
  /** `nvidia.com/gpu` of each Pod. Default 1. */
  accelerators?: number;
  engine?: EngineBehaviour;
}

export interface GpustackDeploy {
  kind: 'gpustack';
  /** Release of the operator at the start; `before-drain-window` renders neither hook nor grace. */
  operator?: 'v0.9.2' | 'before-drain-window';
  /** Accelerators of the scenario's own node. Default: exactly what the roles ask for. */
  accelerators?: number;
  deployments: { name: string; roles: RoleSpec[]; router?: { replicas?: number; extraArgs?: string[] } }[];
}

/** Where a request goes: through the router of the deployment, through a role's Service, or straight to a case's Pod (a stale route). */
export type Destination = { router: string } | { service: string; role: string } | { case: string };

/** Requests sent at one planned instant. Seconds count from the planned zero, the instant of the action. */
export interface PlacedRequest {
  name: string;
  to: Destination;
  starts: Seconds;
  /** When its last token is due; absent with `tokens`. */
  ends?: Seconds;
  tokens?: number;
  /** Copies, sent one after the other so that round robin spreads them. Default 1. */
  copies?: number;
  /** Documented seconds that it waits for its KV (`vllm:num_requests_waiting`) before the first token. */
  waitsForKv?: Seconds;
  /** TLS to the engine. */
  tls?: boolean;
}

/** Short requests that arrive at a steady rate. */
export interface SteadyLoad {
  name: string;
  to: Destination;
  /** Requests a documented second. */
  rate: number;
  arrivals: 'constant' | 'poisson';
  starts: Seconds;
  ends: Seconds;
  tokens: number;
}

/** What is done to the system. `at` counts documented seconds from the planned zero. */
export type Step = { at: Seconds } & (
  | { do: 'delete'; cases: string[] }
  | { do: 'evict'; cases: string[] }
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
  | { do: 'upgrade-operator'; to: 'v0.9.2' }
  | { do: 'restart-operator' }
);

/** A condition that the history must have shown before the action; without it the scenario is inconclusive. */
export type Precondition =
  | { kind: 'stream-open'; case: string; request?: string }
  | { kind: 'idle'; case: string }
  | { kind: 'chosen-by-router'; case: string; atLeast: number }
  | { kind: 'survivor-ready'; deployment: string };

export interface Scenario {
  id: string;
  title: string;
  document: 'gpustack' | 'dynamo';
  section: string;
  tags?: string[];
  deploy: GpustackDeploy;
  cases: Record<string, Case>;
  load?: { placed?: PlacedRequest[]; steady?: SteadyLoad[]; tokenSeconds?: Seconds };
  before?: Precondition[];
  act: Step[];
  /** When to stop looking: once every case is gone, plus `then` documented seconds; `atMost` after zero in any case. */
  until: { gone?: string[]; turnedOver?: string[]; then?: Seconds; atMost: Seconds };
  decides: Decision[];
  /** Faults that must break exactly these requirements of this scenario. */
  controls: { fault: string; breaks: string[] }[];
}
