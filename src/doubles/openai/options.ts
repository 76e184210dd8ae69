import { ENGINE_BEHAVIOUR_VARIABLE, type EngineBehaviour } from '../../engines/behaviour.ts';

/** What every engine's server is told in one way or another. */
export interface ServerOptions {
  /** Name under which the model is asked for. */
  model: string;
  host: string | undefined;
  port: number;
  maxRunning: number;
  tls: boolean;
  behaviour: EngineBehaviour;
}

/** What a Pod's double is told beyond its command line. */
export const behaviourOf = (env: NodeJS.ProcessEnv): EngineBehaviour =>
  JSON.parse(env[ENGINE_BEHAVIOUR_VARIABLE] || '{}') as EngineBehaviour;

export const asText = (value: string | true | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;
