import { eventData, sourceOf } from '../history/event.ts';
import type { EventData, EventKind, EventOf, HistoryEvent, Recorder } from '../history/event.ts';

/** A history in memory, for tests: checks each event against its type as it is recorded, and can be waited on. */
export class MemoryRecorder implements Recorder {
  readonly events: HistoryEvent[] = [];
  readonly #waiting = new Set<() => void>();

  record<K extends EventKind>(kind: K, at: readonly [number, number], subject: string, data: EventData<K>): void {
    eventData[kind].parse(data);
    if (!(at[0] <= at[1])) throw new RangeError(`${kind}: ${at[0]} is after ${at[1]}`);
    const event = {
      seq: this.events.length,
      at,
      source: sourceOf(kind),
      kind,
      subject,
      data,
    } as unknown as HistoryEvent;
    this.events.push(event);
    for (const look of [...this.#waiting]) look();
  }

  of<K extends EventKind>(kind: K): EventOf<K>[] {
    return this.events.filter((event) => event.kind === kind) as EventOf<K>[];
  }

  /** Waits until there is an event of that kind that fits. */
  async until<K extends EventKind>(kind: K, fits: (event: EventOf<K>) => boolean = () => true): Promise<EventOf<K>> {
    for (;;) {
      const found = this.of(kind).find(fits);
      if (found) return found;
      await new Promise<void>((resolve) => {
        const look = () => {
          this.#waiting.delete(look);
          resolve();
        };
        this.#waiting.add(look);
      });
    }
  }
}
