/** Reasons by Node, in the real scheduler's words, such as `0/2 nodes are available: 1 Insufficient cpu, 1 Too many pods.` */
export function unavailable(nodes: number, reasons: string[]): string {
  if (nodes === 0) return 'no nodes available to schedule pods';
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const told = [...counts].map(([reason, count]) => `${count} ${reason}`).sort();
  return `0/${nodes} nodes are available: ${told.join(', ')}.`;
}

/** The words for a resource that does not suffice. */
export const lackOf = (resource: string): string =>
  resource === 'pods' ? 'Too many pods' : `Insufficient ${resource}`;
