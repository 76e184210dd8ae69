import type { ToleranceName } from './tolerances.ts';

/**
 * What the symbols of a formula mean. Instants count from the delete, in documented seconds; a symbol that names a
 * tolerance stands for the number that `tolerances.ts` gives it, with the reason.
 */
export const symbols = {
  // instants of a departing Pod
  D: 'the delete is sent',
  K: 'the kubelet begins to end the Pod: its hook starts',
  R: 'the hook returns',
  S: 'SIGTERM reaches the process',
  E: 'the process has ended',
  x: 'the last work ends: the client sees the end and the gauges are 0',
  G: 'the grace',
  read: 'a gauge read starts',
  failing: 'the first read that fails starts',
  chosen: 'a router chooses the replica for the last time',
  bound: 'a Pod that waits for the accelerator is bound',
  cut: 'a request is cut',
  proxySignal: 'SIGTERM reaches the routing proxy',
  delete: 'the delete of the n-th replica',
  gone: 'the Pods of the n-th replica, or the discovery records of a worker, are gone',
  n: 'place in the order of a rollout',
  // retirement
  started: 'the operation is first seen in status.retirement',
  draining: 'the operation enters Draining',
  aborted: 'the operation is seen as Aborted',
  execStart: 'a read by pods/exec begins',
  execEnd: 'it ends',
  answer: "the engine's answer is in",
  body: 'size of that answer, bytes',
  // Dynamo
  signal: 'the signal is sent to the component',
  graceBegins: 'the grace period begins to be waited for',
  unregistered: 'the last endpoint has left discovery',
  refused: 'the first new request is refused',
  served: 'a request sent straight to the worker is served',
  teardown: 'the runtime is torn down',
  live: '/live answers 200',
  lastBody: 'the last admitted body has ended',
  sessionEnd: 'the WebSocket session has ended',
  stopping: 'the frontend enters stopping',
  death: 'the engine dies',
  seen: 'the monitor sees it',
  P: 'DYN_GRACEFUL_SHUTDOWN_GRACE_PERIOD_SECS',
  T: 'DYN_RUNTIME_GRACEFUL_SHUTDOWN_TIMEOUT_SECS',
  H: 'DYN_HTTP_GRACEFUL_SHUTDOWN_TIMEOUT_SECS',
} as const;

/** Symbols that stand for a tolerance, and its name. */
export const toleranceSymbols = {
  r: 'read',
  p: 'processStart',
  g: 'gaugeLag',
  w: 'routerLearns',
  q: 'requeue',
  written: 'written',
  c: 'healthCheck',
  starts: 'hookStarts',
  follows: 'signalFollows',
  kill: 'kill',
  release: 'release',
  few: 'fewSeconds',
  about: 'about',
  unregister: 'unregister',
  timer: 'timer',
} as const satisfies Record<string, ToleranceName>;

/** Words of the language of formulas itself. */
export const keywords = ['in', 'min', 'max', 'and', 'whole'] as const;
