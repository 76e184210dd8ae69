import type { Program } from '../program.ts';

export type Level = 'DEBUG' | 'INFO' | 'WARN' | 'ERROR' | 'CRITICAL';

/** Writes one line of a component's log. */
export type Journal = (level: Level, message: string, fields?: Record<string, unknown>) => void;

/** The log as `DYN_LOGGING_JSONL=1` gives it: one JSON object a line, its fields at the top level. */
export const journalOf =
  ({ log }: Program, target: string): Journal =>
  (level, message, fields = {}) =>
    log(JSON.stringify({ time: new Date().toISOString(), level, target, message, ...fields }));
