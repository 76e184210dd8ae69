import { flag, numberFlag } from '../../../engines/argv.ts';
import { servesTls } from '../../../engines/command.ts';
import { defaults } from '../../../systems/gpustack/names.ts';
import type { ModelDeploymentSpec, Role } from '../../../systems/gpustack/types.ts';

/** Where a role's engine listens, as far as the operator can tell. */
export interface Listener {
  /** The port that the operator renders: the Service's, and the engine's unless a routing proxy stands before it. */
  port: number;
  scheme: 'http' | 'https';
  /** The role's own `--port` or `--host` moves the engine away from what is rendered: no probe can be claimed. */
  moved: boolean;
  /** The engine asks clients for a certificate, so no probe gets through. */
  asksForCertificate: boolean;
}

/** The first declared port is the serving port; without one it is 8000, whatever `--port` says. */
export function listenerOf(role: Role): Listener {
  const args = role.extraArgs ?? [];
  const port = role.ports?.[0]?.port ?? defaults.servingPort;
  const own = numberFlag(args, '--port', port);
  return {
    port,
    scheme: servesTls(args) ? 'https' : 'http',
    moved: own !== port || !['0.0.0.0', undefined].includes(stringFlag(args, '--host')),
    asksForCertificate: numberFlag(args, '--ssl-cert-reqs', 0) > 0,
  };
}

/** A decode role whose requests come through a routing proxy in its own Pod: llm-d-router, with direct KV transfer. */
export const isDirectDecoder = ({ router, kvTransfer }: ModelDeploymentSpec, role: Role): boolean =>
  router?.name === 'llm-d-router' &&
  kvTransfer !== undefined &&
  role.kind === 'Decode' &&
  (role.command?.length ?? 0) === 0;

/** The port of the engine itself: hook, scrape annotations and member reads go there. */
export function enginePortOf(spec: ModelDeploymentSpec, role: Role): number {
  const { port } = listenerOf(role);
  if (!isDirectDecoder(spec, role)) return port;
  const taken = new Set(role.ports?.map((p) => p.port));
  let free: number = defaults.proxiedPort;
  while (free === port || taken.has(free)) free += 1;
  return free;
}

function stringFlag(args: string[], name: string): string | undefined {
  const value = flag(args, name);
  return value === undefined ? undefined : String(value);
}
