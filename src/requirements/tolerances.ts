/** How much more than a documented number is still accepted, and why. */
export interface Tolerance {
  value: number;
  /** `wall`: seconds that do not shrink with the time scale. `documented`: seconds that do. */
  unit: 'wall' | 'documented';
  reason: string;
}

const wall = (value: number, reason: string): Tolerance => ({ value, unit: 'wall', reason });
const documented = (value: number, reason: string): Tolerance => ({ value, unit: 'documented', reason });

/** Every tolerance of every judge, by name; formulas name them by their symbols (`symbols.ts`). */
export const tolerances = {
  // how late the harness sees things
  arrival: wall(0.02, 'a watch event or log line arrives within 15 ms of its cause on a quiet machine (200 of 200)'),
  gapBacklog: wall(0.5, 'what a watch or log missed arrives within this long after it is open again'),
  written: wall(0.5, 'a controller decides, writes a status and it is seen: 0.1 s and more on a busy real API server'),
  statusDelay: wall(0.3, "a container's end is in the Pod's status 164 to 278 ms after it on a real kubelet"),
  alive: wall(0.3, 'gauges are read every 0.1 s, so a process is known to live up to at most so long before its end'),
  // what a bound is widened by, and by how much at most
  overheadCap: documented(1, 'a pass uses no more overhead than this, whatever was measured: two reads lie 1 s apart'),
  read: wall(0.1, 'r: a gauge read; the largest probe of the window is used where there is one'),
  gaugeLag: wall(0.1, 'g: gauges of vLLM follow the end of a request within one read of 0.1 s (measured)'),
  processStart: wall(0.4, 'p: start of the hook; 45 ms alone, up to 340 ms with 18 runnable tasks on two cores'),
  operatorStarts: wall(
    8,
    'a new operator process is at work; 5.5 s to its first line with 28 runnable tasks on two cores',
  ),
  hookEnds: wall(0.05, 'part of p: exit of the hook and SIGTERM, 10 ms after it on a quiet machine'),
  kubeletBegins: wall(0.1, 'K - D of a Pod that was Ready for 3 s: p50 20 ms, max 67 ms'),
  kubeletBeginsYoung: documented(2, 'K - D of a Pod that became Ready less than 3 s before: up to 2.0 s'),
  rested: documented(3, 'from so long after Ready a real kubelet ends a Pod without delay'),
  hookStarts: documented(1, '"at the delete": the hook starts within this'),
  signalFollows: documented(1, '"once the hook returns": SIGTERM 10 ms after the hook on a real kubelet'),
  late: documented(2, 'what comes later than this is not "at once" on any machine'),
  // numbers that the document leaves open
  routerLearns: documented(2, 'w: no number in the document; measured 12 ms to 1.0 s'),
  routerNote: documented(0.1, 'measured routers drop a replica within 12 ms; slower passes with a note'),
  fewSeconds: documented(2, '"a few seconds": vLLM leaves within 2 s of SIGTERM'),
  fewSecondsAtMost: documented(10, '"a few seconds" can be stretched to this, not further'),
  wholeSeconds: documented(1, 'a kubelet takes the whole seconds of its hook off the grace: it may kill so much later'),
  kill: wall(0.2, '"at G": the process is gone this long after the kill at the latest'),
  release: wall(1.2, 'the end of an engine is in the object 0.39 to 1.2 s after it'),
  sameExit: documented(1, 'two idle replicas that differ in G leave equally early up to this'),
  about: documented(1, '"up to about": one second more'),
  requeue: documented(5, 'q: one requeue of the controller, not documented'),
  healthCheck: documented(1, 'c: duration of one health check'),
  unregister: wall(0.02, 'u: unregistering an endpoint took 20 ms at most'),
  timer: documented(0.5, 'a timer of the runtime fires within this'),
  stamps: wall(0.05, 'a log line or a watch event is known to 22 ms: two of them may seem so much too close'),
  silent: documented(3, 'a stream that sent nothing for this long and three tokens was silent already'),
} as const satisfies Record<string, Tolerance>;

export type ToleranceName = keyof typeof tolerances;
