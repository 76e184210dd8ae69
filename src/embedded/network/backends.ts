import type { EndpointSlice } from '../controllers/objects.ts';

/** Where a connection can be sent. */
export interface Backend {
  address: string;
  port: number;
}

/**
 * The backends of one port of a Service, as kube-proxy chooses them: the ready ones; where none is ready, those that are
 * leaving but still serve.
 */
export function backendsOf(slices: Iterable<EndpointSlice>, portName: string): Backend[] {
  const ready: Backend[] = [];
  const leaving: Backend[] = [];
  for (const { endpoints, ports } of slices) {
    const port = ports?.find((p) => (p.name ?? '') === portName && (p.protocol ?? 'TCP') === 'TCP')?.port;
    if (port === undefined) continue;
    for (const { addresses, conditions } of endpoints ?? []) {
      const address = addresses[0];
      if (address === undefined) continue;
      // An unset condition means true for `ready` and `serving`, false for `terminating`.
      if (conditions?.ready ?? true) ready.push({ address, port });
      else if (conditions?.terminating && (conditions.serving ?? true)) leaving.push({ address, port });
    }
  }
  const chosen = ready.length > 0 ? ready : leaving;
  return chosen.sort((a, b) => (a.address < b.address ? -1 : 1));
}
