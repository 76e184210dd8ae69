import type { ContainerSpec } from './pod.ts';

/** The number of a port that a probe or hook names. @throws Error where the container has no port of that name */
export function portNumber(container: ContainerSpec, port: number | string): number {
  if (typeof port === 'number') return port;
  const named = container.ports?.find((p) => p.name === port)?.containerPort;
  if (named !== undefined) return named;
  if (/^\d+$/.test(port)) return Number(port);
  throw new Error(`couldn't find port: name ${JSON.stringify(port)} in container "${container.name}"`);
}
