import { now } from '../time/clock.ts';
import type { Bound } from './bind.ts';
import type { Live } from './live.ts';
import { isLeaving, isReady, podsOf } from './pods.ts';
import type { Precondition, Scenario } from './scenario.ts';

/** What a precondition came to, with the numbers that it was judged by. */
interface Answer {
  met: boolean;
  detail: string;
}

const describe = (p: Precondition): string =>
  Object.entries(p)
    .map(([key, value]) => (key === 'kind' ? String(value) : `${key}=${value}`))
    .join(' ');

/** Looks at every precondition of the scenario just before its action and records what it found. */
export function checkPreconditions(scenario: Scenario, live: Live, bound: Bound): boolean {
  let all = true;
  for (const precondition of scenario.before ?? []) {
    const { met, detail } = look(precondition, live, bound);
    all &&= met;
    const at = now();
    live.record('precondition', [at, at], 'harness', { name: describe(precondition), met, detail });
  }
  return all;
}

function look(precondition: Precondition, live: Live, bound: Bound): Answer {
  switch (precondition.kind) {
    case 'stream-open': {
      const uid = bound.get(precondition.case)?.metadata.uid;
      const open = [...live.requests.values()].filter(
        (r) => r.servedBy === uid && r.sent && !r.end && (!precondition.request || r.group === precondition.request),
      );
      return { met: open.length > 0, detail: `${open.length} streams open on ${precondition.case}` };
    }
    case 'request-flows': {
      const flowing = [...live.requests.values()].filter(
        (r) => r.group === precondition.request && r.tokens > 0 && !r.end,
      );
      return { met: flowing.length > 0, detail: `${flowing.length} streams of ${precondition.request} flow` };
    }
    case 'idle': {
      const uid = bound.get(precondition.case)?.metadata.uid ?? '';
      const values = Object.values(live.gauges.get(uid) ?? {});
      const idle = values.length > 0 && values.every((v) => v === 0);
      return { met: idle, detail: `gauges ${values.join(', ') || 'not read yet'}` };
    }
    case 'chosen-by-router': {
      const uid = bound.get(precondition.case)?.metadata.uid;
      const chosen = [...live.requests.values()].filter((r) => r.servedBy === uid).length;
      return { met: chosen >= precondition.atLeast, detail: `${chosen} requests reached ${precondition.case}` };
    }
    case 'survivor-ready': {
      const roles = new Set(Object.values(scenarioRoles(precondition, live)));
      const ready = [...roles]
        .flatMap((role) => podsOf(live, precondition.deployment, role))
        .filter((p) => isReady(p) && !isLeaving(p));
      return { met: ready.length > 1, detail: `${ready.length} replicas ready before the action` };
    }
  }
}

const scenarioRoles = (p: { deployment: string }, live: Live): string[] => [
  ...new Set(
    live
      .of('Pod')
      .filter((pod) => pod.metadata.labels?.['app.kubernetes.io/instance'] === p.deployment)
      .flatMap((pod) => pod.metadata.labels?.['app.kubernetes.io/component'] ?? []),
  ),
];
