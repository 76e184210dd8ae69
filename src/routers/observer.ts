import { z } from 'zod';

/**
 * How the operator asks a router which replicas it would choose. Source: the patches of the operator's router image
 * (`pack/llm-router/patches`) and the operator's reader of them, as of v0.9.2.
 */
export const observer = {
  path: '/observer/endpoints',
  /** Port of each router's own Pod: llm-d-router answers on its metrics listener, the others on that of requests. */
  port: { 'llm-d-router': 9090, 'vllm-router': 8081, 'sglang-gateway': 8081 },
  /** Seconds for which a view tells of the present, and for which a dispatch counts as recent. */
  freshness: 15,
  /** Seconds that one pass over all routers of a deployment may take. */
  pass: 14,
  /** Bytes of a body beyond which a view is refused. */
  maxBytes: 4_194_304,
} as const;

const selection = z.strictObject({
  registered: z.boolean(),
  healthy: z.boolean(),
  circuit_open: z.boolean(),
  /** Whether a new request could go there. */
  in_selection: z.boolean(),
});

const row = z.strictObject({
  url: z.string().default(''),
  port: z.string().nullish(),
  role: z.string().default(''),
  /** For people only: neither this nor `worker_id` says which Pod it is. */
  pod_hint: z.string().default(''),
  worker_id: z.string().default(''),
  selection,
  /** sglang-gateway: its own work on this worker. */
  lane: z.strictObject({ busy: z.boolean(), waiting: z.number() }).nullish(),
  /** llm-d-router: `{"recent_dispatch":true}`; sglang-gateway: a status of its own that nobody interprets. */
  last_job: z.unknown().optional(),
});

const whole = z.number().nonnegative().refine(Number.isInteger, 'expected a whole number');

const view = z.strictObject({
  router: z.strictObject({
    /** Another one after each start. llm-d-router's is in nanoseconds, beyond what a number holds exactly: compare only. */
    boot_generation: whole.refine((n) => n > 0, 'expected a boot generation, found 0'),
    now_ms: whole.default(0),
  }),
  registry_revision: whole.default(0),
  workers: z.array(row),
});

export type ObserverView = z.infer<typeof view>;
export type ObservedWorker = ObserverView['workers'][number];

/** An answer of a router from which nothing can be concluded. */
export class ObserverViewError extends Error {
  readonly code = 'QUIESCE_OBSERVER_VIEW';
  constructor(problem: string, options?: ErrorOptions) {
    super(`no view of a router's endpoints: ${problem}`, options);
    this.name = 'ObserverViewError';
  }
}

/**
 * Reads a view as strictly as the operator does: an unknown field, a selection that is not whole, a missing list of
 * workers or a boot generation of 0 make all of it void.
 * @throws ObserverViewError which says what was found
 */
export function parseObserverView(text: string): ObserverView {
  if (Buffer.byteLength(text) > observer.maxBytes) {
    throw new ObserverViewError(`more than ${observer.maxBytes} bytes`);
  }
  try {
    return view.parse(JSON.parse(text));
  } catch (error) {
    const problem = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    throw new ObserverViewError(problem, { cause: error });
  }
}

/**
 * Whether llm-d-router says of a row that it sent something there less than {@link observer.freshness} seconds ago. Asked of
 * rows out of selection alone.
 * @throws ObserverViewError where the row has a journal that does not say it
 */
export function recentDispatch({ last_job: job }: ObservedWorker): boolean {
  if (job === undefined) return false;
  const recent = typeof job === 'object' && job !== null && 'recent_dispatch' in job ? job.recent_dispatch : undefined;
  if (typeof recent !== 'boolean') throw new ObserverViewError('last_job without recent_dispatch');
  return recent;
}
