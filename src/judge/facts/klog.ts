/** What a line of the kubelet's log says about the end of a container; real kubelets say the like at -v=3. */
export interface KubeletLine {
  what: 'hook-start' | 'hook-alive' | 'hook-end' | 'signal';
  /** `NAMESPACE/NAME`. */
  pod: string;
  /** Milliseconds since 1970 on the node's clock. */
  wall: number;
}

const header = /^[IWEF](\d\d)(\d\d) (\d\d):(\d\d):(\d\d)\.(\d{3})(\d*)/;

/** Reads a klog line about a container `main`; klog writes no year, so it is taken from `startedAt`. */
export function parseKubeletLine(line: string, startedAt: number): KubeletLine | undefined {
  const what = line.includes('Running preStop hook')
    ? 'hook-start'
    : line.includes('PreStop hook process alive')
      ? 'hook-alive'
      : line.includes('PreStop hook completed') || line.includes('PreStop hook failed')
        ? 'hook-end'
        : line.includes('Sending signal') && !/KILL|signal="?9\b/.test(line)
          ? 'signal'
          : undefined;
  if (what === undefined) return undefined;
  const time = header.exec(line);
  const pod = /pod="([^"]+)"/.exec(line)?.[1];
  const container = /containerName="([^"]+)"/.exec(line)?.[1];
  if (!time || !pod || container !== 'main') return undefined;
  const [month, day, hour, minute, second, ms] = time.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const micros = Number(`0.${time[7] || '0'}`);
  const year = new Date(startedAt).getUTCFullYear();
  // A run that began in the last days of a year may log in the next one.
  const candidates = [year, year + 1].map((y) => Date.UTC(y, month - 1, day, hour, minute, second, ms) + micros);
  const wall = candidates.reduce((a, b) => (Math.abs(a - startedAt) <= Math.abs(b - startedAt) ? a : b));
  return { what, pod, wall };
}
