import type { HistoryEvent } from '../../src/history/event.ts';
import { parseEngineLine } from '../../src/engines/log.ts';

/** What one event says to a reader; undefined for those that only a judge needs. */
export function tell(event: HistoryEvent): string | undefined {
  switch (event.kind) {
    case 'object.added':
      return event.subject.startsWith('Event/') ? eventText(event.data.object) : `added ${event.subject}`;
    case 'object.modified':
      return event.subject.startsWith('Pod/') ? podText(event.data.object, event.subject) : undefined;
    case 'object.deleted':
      return event.subject.startsWith('Event/') ? undefined : `gone ${event.subject}`;
    case 'log.line': {
      const mark = parseEngineLine(event.data.line);
      if (mark?.mark === 'signalled') return `SIGTERM logged by ${event.subject}`;
      return mark?.mark === 'access' && mark.path === '/metrics' && !/^127\.0\.0\.[89]$/.test(mark.client)
        ? `gauge read at ${event.subject} (${mark.status})`
        : undefined;
    }
    case 'request.sent':
      return `request ${event.data.id} sent`;
    case 'request.end':
      return `request ${event.data.id}: ${event.data.end} after ${event.data.tokens} tokens`;
    case 'action.sent':
      return `ACTION ${event.data.verb} ${event.data.target}`;
    case 'action.answered':
      return `answered ${event.data.status} ${event.data.message ?? ''}`.trim();
    case 'action.proved':
      return `proved: ${event.data.proof}`;
    case 'precondition':
      return `precondition ${event.data.name}: ${event.data.met ? 'met' : 'NOT MET'} (${event.data.detail})`;
    case 'watch.gap':
      return `GAP in ${event.data.path}: ${event.data.reason}`;
    case 'stall':
      return event.data.to - event.data.from > 50
        ? `${event.data.scope} stalled ${(event.data.to - event.data.from).toFixed(0)} ms`
        : undefined;
    case 'phase':
      return `phase ${event.data.name}`;
    case 'window.ended':
      return `window ended: ${event.data.reason}`;
    case 'problem':
      return `PROBLEM ${event.data.where}: ${event.data.message}`;
    default:
      return undefined;
  }
}

const eventText = (object: Record<string, unknown>): string =>
  `event ${String(object['reason'])} ${(object['involvedObject'] as { name?: string } | undefined)?.name ?? ''}: ${String((object['message'] as string | undefined) ?? '')}`;

function podText(object: Record<string, unknown>, subject: string): string {
  const { deletionTimestamp } = object['metadata'] as { deletionTimestamp?: string };
  const status = (object['status'] ?? {}) as {
    phase?: string;
    conditions?: { type: string; status: string }[];
    containerStatuses?: { state?: { terminated?: { exitCode: number } } }[];
  };
  const ready = status.conditions?.find((c) => c.type === 'Ready')?.status ?? '-';
  const code = status.containerStatuses?.[0]?.state?.terminated?.exitCode;
  return `${subject} ${status.phase ?? ''} Ready=${ready}${deletionTimestamp ? ' leaving' : ''}${code === undefined ? '' : ` exit ${code}`}`;
}
