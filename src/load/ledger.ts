import { endKinds } from '../history/event.ts';
import type { EndKind, HistoryEvent } from '../history/event.ts';
import { Delays } from '../time/delays.ts';
import type { DelaySummary } from '../time/delays.ts';

/** Above this p99 of the start delay, in milliseconds, what depends on the load's instants cannot be decided. */
export const MAX_START_DELAY_MS = 10;

export type EndCounts = Record<EndKind, number>;

/** What became of every request of a load. */
export interface Ledger {
  planned: number;
  sent: number;
  ends: EndCounts;
  groups: Record<string, EndCounts>;
  /** Milliseconds from the planned instant to the hand-over to the socket layer. */
  startDelay: DelaySummary;
  /** Requests a second of the wall; 0 where fewer than two make no rate. */
  rate: { planned: number; achieved: number };
  /** Whether the start delay is above {@link MAX_START_DELAY_MS}. */
  late: boolean;
  /** Ids that have no end yet. */
  open: string[];
  /** What does not add up; empty where each planned request has exactly one end, and never-sent ones were not sent. */
  problems: string[];
}

interface Entry {
  group: string;
  sent: boolean;
  end?: EndKind;
}

/** Books every request: planned = the sum over all kinds of end, plus those still open. */
export class RequestBook {
  readonly #entries = new Map<string, Entry>();
  readonly #delays = new Delays();
  readonly #problems: string[] = [];
  readonly #plannedSpan = new Span();
  readonly #sentSpan = new Span();
  #ended = 0;

  planned(id: string, group: string, plannedAt: number): void {
    if (this.#entries.has(id)) this.#problems.push(`${id}: planned twice`);
    else this.#entries.set(id, { group, sent: false });
    this.#plannedSpan.add(plannedAt);
  }

  sent(id: string, at: number, delayMs: number): void {
    const entry = this.#entry(id, 'sent');
    if (entry?.sent) this.#problems.push(`${id}: sent twice`);
    if (entry?.end) this.#problems.push(`${id}: sent after its end`);
    if (!entry) return;
    entry.sent = true;
    this.#delays.add(delayMs);
    this.#sentSpan.add(at);
  }

  ended(id: string, end: EndKind): void {
    const entry = this.#entry(id, 'ended');
    if (!entry) return;
    if (entry.end) this.#problems.push(`${id}: ended twice, ${entry.end} and ${end}`);
    else {
      entry.end = end;
      this.#ended += 1;
    }
    if (entry.sent === (end === 'never-sent')) {
      this.#problems.push(`${id}: ended as ${end}, but was ${entry.sent ? '' : 'not '}sent`);
    }
  }

  /** Whether every planned request has its end. */
  get closed(): boolean {
    return this.#ended === this.#entries.size;
  }

  /** Ids that were sent and have no end. */
  flowing(): string[] {
    return [...this.#entries].filter(([, { sent, end }]) => sent && !end).map(([id]) => id);
  }

  ledger(): Ledger {
    const ends = noEnds();
    const groups: Record<string, EndCounts> = {};
    const open: string[] = [];
    let sent = 0;
    for (const [id, entry] of this.#entries) {
      const group = (groups[entry.group] ??= noEnds());
      if (entry.sent) sent += 1;
      if (!entry.end) open.push(id);
      else {
        ends[entry.end] += 1;
        group[entry.end] += 1;
      }
    }
    const startDelay = this.#delays.summary();
    const rate = { planned: this.#plannedSpan.rate, achieved: this.#sentSpan.rate };
    const late = startDelay.p99 > MAX_START_DELAY_MS;
    return {
      planned: this.#entries.size,
      sent,
      ends,
      groups,
      startDelay,
      rate,
      late,
      open,
      problems: [...this.#problems],
    };
  }

  #entry(id: string, what: string): Entry | undefined {
    const entry = this.#entries.get(id);
    if (!entry) this.#problems.push(`${id}: ${what}, but never planned`);
    return entry;
  }
}

/** The ledger of a recorded history: the same figures from its events alone. */
export function ledgerOf(events: Iterable<HistoryEvent>): Ledger {
  const book = new RequestBook();
  for (const event of events) {
    if (event.kind === 'request.planned') book.planned(event.data.id, event.data.group, event.data.plannedAt);
    else if (event.kind === 'request.sent') book.sent(event.data.id, event.at[0], event.data.delayMs);
    else if (event.kind === 'request.end') book.ended(event.data.id, event.data.end);
  }
  return book.ledger();
}

/** The figures of a ledger as a `cost` event carries them. */
export const loadCost = ({ startDelay, rate, sent }: Ledger): Record<string, number> => ({
  requestsSent: sent,
  startDelayP50Ms: startDelay.p50,
  startDelayP99Ms: startDelay.p99,
  startDelayMaxMs: startDelay.max,
  plannedRequestsPerSecond: rate.planned,
  achievedRequestsPerSecond: rate.achieved,
});

const noEnds = (): EndCounts => Object.fromEntries(endKinds.map((kind) => [kind, 0])) as EndCounts;

/** First and last of some instants, and how many. */
class Span {
  #first = Infinity;
  #last = -Infinity;
  #count = 0;

  add(at: number): void {
    this.#first = Math.min(this.#first, at);
    this.#last = Math.max(this.#last, at);
    this.#count += 1;
  }

  /** Instants a second. */
  get rate(): number {
    return this.#last > this.#first ? ((this.#count - 1) * 1000) / (this.#last - this.#first) : 0;
  }
}
