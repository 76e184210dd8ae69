import type { CollectedAction } from '../facts/collected.ts';
import type { Facts } from '../facts/facts.ts';
import type { ObjectFields } from '../facts/objects.ts';
import { evidenceOf, demand } from '../rule.ts';
import type { RuleInput } from '../rule.ts';
import type { Finding } from '../verdict.ts';

const FIELD = 'terminationGracePeriodSeconds';

/** One write of a grace, and what was expected of it. */
export interface Attempt {
  action: string;
  expect: 'accepted' | 'refused';
  /** The grace that was written, from the request; undefined where the request is not in the history. */
  value: unknown;
}

/** The attempts that a decision names. */
export function attemptsOf({ facts, given }: RuleInput): Attempt[] {
  const named = Array.isArray(given['attempts']) ? (given['attempts'] as Partial<Attempt>[]) : [];
  return named.flatMap(({ action, expect }) =>
    typeof action === 'string' && (expect === 'accepted' || expect === 'refused')
      ? [{ action, expect, value: writtenBy(facts.all.actions.get(action)) }]
      : [],
  );
}

/** The grace in the body of a create, or in a JSON patch. */
function writtenBy(action: CollectedAction | undefined): unknown {
  const { data } = action?.sent?.event ?? {};
  const request = (data as { request?: unknown } | undefined)?.request;
  if (Array.isArray(request)) {
    return (request as { path?: string; value?: unknown }[]).find((op) => op.path?.endsWith(FIELD))?.value;
  }
  const roles = (request as { spec?: { roles?: Record<string, unknown>[] } } | undefined)?.spec?.roles;
  return roles?.find((role) => FIELD in role)?.[FIELD];
}

/** Statuses with which schema, webhook or policy refuse an object for what it says. */
const admissionSays = (status: number) => [400, 403, 422].includes(status);

/** Whether admission answered one write as it should, and a refused one left nothing behind. */
export function judgeAttempt({ all }: Facts, { action: id, expect, value }: Attempt): Finding {
  const action = all.actions.get(id);
  const { sent, answered } = action ?? {};
  const after = all.actions.get(`${id}-after`)?.answered;
  const before = all.actions.get(`${id}-before`)?.answered;
  const formula = `${JSON.stringify(value) ?? 'no grace'} is ${expect}`;
  demand(
    sent !== undefined && answered !== undefined && answered.data.status > 0,
    `the answer to ${id} is not in the history`,
    'action.sent and action.answered of it',
  );
  const { status, message = '', reason = '' } = answered.data;
  const marks = [
    { mark: sent, what: `${id} sent` },
    { mark: answered, what: `answered ${status} ${reason} ${message}`.trim().slice(0, 200) },
    ...(after ? [{ mark: after, what: `read after it: ${after.data.status}` }] : []),
  ];
  const base = { formula, evidence: evidenceOf({ marks }) };
  const taken = status < 300;
  // A number that is no integer, or a text, is refused by the type of the field whatever its range: that proves nothing.
  const typed = value !== undefined && !Number.isInteger(value);
  if (taken !== (expect === 'accepted')) {
    const seen = `${id} answered ${status} ${message}`.trim();
    if (typed)
      return { ...base, seen, outcome: 'pass', note: 'the type of the field is not what this statement is about' };
    demand(
      taken || admissionSays(status),
      `${id} was not judged by admission: ${status}`,
      'an answer of admission',
      marks,
    );
    return { ...base, seen, outcome: 'fail' };
  }
  if (taken) return { ...base, seen: `${id} answered ${status}`, outcome: 'pass' };
  demand(admissionSays(status), `${id} was not judged by admission: ${status}`, 'an answer of admission', marks);
  demand(
    message.includes(FIELD),
    `the refusal of ${id} does not name ${FIELD}: ${message.slice(0, 120)}`,
    'a refusal for this field and no other',
    marks,
  );
  demand(
    after !== undefined && after.data.status > 0,
    `no read after the refusal of ${id} is in the history`,
    `a read action ${id}-after`,
    marks,
  );
  const version = (answer: typeof after) => (answer.data.object as ObjectFields | undefined)?.metadata?.resourceVersion;
  if (sent.verb === 'create') {
    return {
      ...base,
      seen: `refused with ${status}; a read after it answers ${after.data.status}`,
      outcome: after.data.status === 404 ? 'pass' : 'fail',
    };
  }
  demand(
    before !== undefined && version(before) !== undefined && version(after) !== undefined,
    `no read before the refusal of ${id} is in the history`,
    `a read action ${id}-before`,
    marks,
  );
  const seen = `refused with ${status}; resourceVersion ${version(before)} before, ${version(after)} after`;
  if (version(before) === version(after)) return { ...base, seen, outcome: 'pass' };
  const other = otherWrite(all.actions, id, sent.target, before.at[0], after.at[1]);
  demand(
    other === undefined,
    `${seen}; ${other} wrote to it between the two reads`,
    'no other write of ours to the object between the reads',
    marks,
  );
  const stored = (answer: typeof after) => JSON.stringify((answer.data.object as { spec?: unknown } | undefined)?.spec);
  if (stored(before) !== stored(after)) return { ...base, seen: `${seen}, and the spec has changed`, outcome: 'fail' };
  return {
    ...base,
    seen,
    outcome: 'inconclusive',
    wouldDecide: 'an object that nobody else writes to: its version rose, its spec did not change',
  };
}

/** A write of ours to the same object that may have been stored between two instants. */
const otherWrite = (actions: Facts['all']['actions'], id: string, target: string, from: number, to: number) =>
  [...actions.values()].find(
    (a) =>
      a.id !== id &&
      a.sent?.target === target &&
      a.sent.verb !== 'get' &&
      a.sent.at[0] <= to &&
      (a.answered === undefined || (a.answered.at[1] >= from && a.answered.data.status < 300)),
  )?.id;
