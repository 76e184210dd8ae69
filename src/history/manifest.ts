import { z } from 'zod';

/** The bundle format that this version writes, and the newest that it reads. */
export const BUNDLE_FORMAT = 1;

/** A departing Pod, or the departing Pods of a role, under a name that judges and requests refer to. */
export const caseSchema = z.object({
  /** Name of the ModelDeployment in the scenario's namespace. */
  deployment: z.string(),
  role: z.string(),
  /** Index among the role's Pods sorted by name at the end of the warm phase; absent: every Pod of the role that leaves. */
  index: z.number().int().nonnegative().optional(),
  /** In place of the index: the ordinal of the replica, as its Pods' label says, and its member (default 0, the leader). */
  ordinal: z.number().int().nonnegative().optional(),
  member: z.number().int().nonnegative().optional(),
  /** In place of the index: the case in whose Pod's place its Pod comes; it is bound as soon as its container runs. */
  replaces: z.string().optional(),
  /**
   * What is planned for it, in documented seconds after the planned zero: when its last work ends (`undefined`: idle
   * from the start; `Infinity` is written as null: work outlasts the grace).
   */
  lastWorkEnds: z.number().nullable().optional(),
});
export type Case = z.infer<typeof caseSchema>;

/** One requirement that a scenario decides, on which of its cases; `part` names a sub-verdict (a cause, say). */
export const decisionSchema = z.object({
  requirement: z.string(),
  cases: z.array(z.string()).default([]),
  part: z.string().optional(),
  /** Further facts that the rule of this requirement asks for; plain data. */
  given: z.record(z.string(), z.unknown()).optional(),
});
export type Decision = z.infer<typeof decisionSchema>;

export const manifestSchema = z.object({
  format: z.number().int(),
  tool: z.object({ name: z.literal('quiesce'), version: z.string(), node: z.string() }),
  scenario: z.object({
    id: z.string(),
    title: z.string(),
    document: z.enum(['gpustack', 'dynamo']),
    section: z.string(),
    cases: z.record(z.string(), caseSchema),
    decides: z.array(decisionSchema),
  }),
  target: z.enum(['embedded', 'kubernetes']),
  /** Parts that were real programs in the place of doubles; no judge reads it. */
  real: z.array(z.string()).optional(),
  /** Why the scenario could not be tried on its target; then the history is empty, and every verdict unsupported. */
  unsupported: z.array(z.string()).optional(),
  /** The nodes were the harness's own machine: their stamps are on its clock. Absent: as the target says. */
  sameClock: z.boolean().optional(),
  versions: z.record(z.string(), z.string()),
  /** Which release's documents it is judged by; absent where the system has one, and in bundles from before profiles. */
  profile: z.string().optional(),
  namespace: z.string(),
  timeScale: z.number(),
  seed: z.number().int(),
  faults: z.array(z.string()),
  /** Wall-clock time (RFC 3339) of the zero of the history's clock. */
  startedAt: z.string(),
  /** Whether the run came to its own end; absent while it is written. */
  ended: z.enum(['complete', 'interrupted']).optional(),
  /** SHA-256 of every other file of the bundle but verdicts.json, by path. */
  hashes: z.record(z.string(), z.string()).default({}),
});
export type Manifest = z.infer<typeof manifestSchema>;
