/**
 * Why a retirement is held or refused, and how `status.retirement.reason` names it. The page promises that the reason
 * names which hold or refusal applied; the words are the operator's own, so a reason that names its cause in other words
 * is a matter of a version, kept here and nowhere else. Source: reference of the operator, section 3.5, v0.9.2.
 */
export const holds = {
  /** The member still serves requests. */
  working: /holds? \d+ in flight/,
  /** The answer lacks a gauge, was refused, or was an HTTP error. */
  incomplete: /served no |is missing |incomplete envelope|no in-flight measurement/,
  /** Values that are no finite counts. */
  unreadable: /unreadable values|unusable activity|not a finite count/,
  /** The exec failed or took more than 5 s. */
  unread: /exec into |could not be read|is unobserved/,
  /** A body of more than 1 MiB. */
  tooBig: /byte bound/,
  /** The container restarted, or was replaced. */
  restarted: /has restarted \d+ time|was replaced while|restarted while|rather than running/,
  /** A take-over replica. */
  takeOver: /no usable metrics endpoint annotation/,
  /** A prefill or decode replica. */
  split: /no verifiable decoder-side release/,
  /** An engine without a gauge list. */
  unlisted: /no in-flight gauge list/,
  /** No member carries the leader index. */
  noLeader: /no member carrying the leader index|no member declares which seat/,
  /** More than one member carries the leader index. */
  twoLeaders: /\d+ members carrying the leader index|both claim seat/,
  /** The members disagree on the size of their group. */
  disagree: /declare group totals|disagree/,
  /** The group is not of the size that it was built at. */
  otherSize: /short of the group it was built at|of a replica declaring only/,
  /** Nothing observes the connections through the role's Service. */
  noRouter: /declares no router/,
} as const;
export type Hold = keyof typeof holds;

/** Every hold that a reason names. A reason may name a general one beside a special one. */
export const holdsIn = (reason: string): Hold[] =>
  (Object.keys(holds) as Hold[]).filter((hold) => holds[hold].test(reason));
