import { parseDynamoLine } from '../../engines/dynamo/log.ts';
import { mayTell, parseEngineLine } from '../../engines/log.ts';
import { routingProxy } from '../../routers/routing-proxy.ts';
import type { LinedEvent } from '../../history/reader.ts';
import type {
  Collected,
  CollectedAction,
  CollectedPod,
  CollectedRequest,
  KubeEventFields,
  Sighting,
} from './collected.ts';
import { parseKubeletLine } from './klog.ts';
import type { ObjectFields, PodFields } from './objects.ts';
import type { Widener } from './widen.ts';

/** Sorts the events of a history by what they are about, each once, whatever their order. */
export function collect(events: readonly LinedEvent[], widener: Widener, startedAt: number): Collected {
  const all: Collected = {
    pods: new Map(),
    objects: new Map(),
    requests: new Map(),
    actions: new Map(),
    cases: new Map(),
    kubelet: [],
    offsets: new Map(),
  };
  let last = -1;
  for (const event of bySequence(events)) {
    if (event.seq === last) continue;
    last = event.seq;
    take(all, event, widener, startedAt);
  }
  return all;
}

/** The events in the order in which they were written, so that shuffled lines give the same verdicts to the byte. */
function bySequence(events: readonly LinedEvent[]): readonly LinedEvent[] {
  for (let i = 1; i < events.length; i++) {
    if ((events[i] as LinedEvent).seq < (events[i - 1] as LinedEvent).seq)
      return [...events].sort((a, b) => a.seq - b.seq);
  }
  return events;
}

function take(all: Collected, event: LinedEvent, widener: Widener, startedAt: number): void {
  switch (event.kind) {
    case 'object.added':
    case 'object.modified':
    case 'object.deleted':
      takeObject(all, event, { at: widener.at(event), event });
      return;
    case 'log.line':
      takeLine(all, event, widener, startedAt);
      return;
    case 'log.opened':
      if (event.data.container === 'main') podOf(all, event.data.uid).logOpened ??= { at: event.at, event };
      return;
    case 'gauges': {
      // The harness stamps both ends of a read itself: a stall in between is part of its duration.
      const at = [Math.min(event.at[0], event.at[1] - event.data.durationMs), event.at[1]] as const;
      podOf(all, event.data.uid).samples.push({ at, event, data: event.data });
      return;
    }
    case 'probe.http': {
      const at = [Math.min(event.at[0], event.at[1] - event.data.durationMs), event.at[1]] as const;
      podOf(all, event.data.uid).paths.push({ at, event, data: event.data });
      return;
    }
    case 'request.planned':
      requestOf(all, event.data.id).planned = event.data;
      return;
    case 'request.sent':
      requestOf(all, event.data.id).sent = { at: event.at, event, address: event.data.address };
      return;
    case 'request.headers':
      requestOf(all, event.data.id).headers = { at: widener.arrived(event.at[1]), event, status: event.data.status };
      return;
    case 'request.chunk': {
      const request = requestOf(all, event.data.id);
      if (request.lastChunk && request.lastChunk.event.at[1] >= event.at[1]) return;
      request.lastChunk = { at: widener.arrived(event.at[1]), event, tokens: event.data.tokens };
      return;
    }
    case 'request.end':
      requestOf(all, event.data.id).end = { at: widener.arrived(event.at[1]), event, data: event.data };
      return;
    case 'action.sent':
      actionOf(all, event.data.id).sent = { at: event.at, event, verb: event.data.verb, target: event.data.target };
      return;
    case 'action.answered':
      actionOf(all, event.data.id).answered = { at: event.at, event, data: event.data };
      return;
    case 'action.proved':
      actionOf(all, event.data.id).proved = { at: event.at, event, proof: event.data.proof };
      return;
    case 'case.bound':
      all.cases.set(event.data.case, event);
      return;
    case 'clock.offset':
      all.offsets.set(event.data.node, event.data.offset);
      return;
    case 'zero':
      all.zero = { at: event.at, event, plannedAt: event.data.plannedAt };
      return;
    case 'window.ended':
      all.windowEnded = { at: event.at, event };
      return;
    default:
  }
}

function takeObject(
  all: Collected,
  event: LinedEvent,
  mark: { at: readonly [number, number]; event: LinedEvent },
): void {
  const { object } = event.data as { object: ObjectFields };
  const kind = event.subject.slice(0, event.subject.indexOf('/'));
  const uid = object.metadata.uid ?? event.subject;
  const sighting: Sighting = { ...mark, object, type: event.kind.slice(7) as Sighting['type'] };
  if (kind === 'Pod') podOf(all, uid).sightings.push(sighting as Sighting<PodFields>);
  else if (kind === 'Event') {
    const { reason, message = '', involvedObject: about } = object as KubeEventFields;
    const ofMain =
      about?.fieldPath === undefined ? message.includes('container main') : about.fieldPath.includes('{main}');
    if (reason === 'Killing' && about?.uid && ofMain) podOf(all, about.uid).killing.push(mark);
  } else {
    const list = all.objects.get(kind);
    if (list) list.push(sighting);
    else all.objects.set(kind, [sighting]);
  }
}

function takeLine(all: Collected, event: LinedEvent & { kind: 'log.line' }, widener: Widener, startedAt: number): void {
  const { uid, container, line } = event.data;
  if (container === 'kubelet') {
    const said = parseKubeletLine(line, startedAt);
    if (said) all.kubelet.push({ ...said, event, node: uid });
    return;
  }
  if (container === routingProxy.container && line.includes(routingProxy.signalledMark))
    podOf(all, uid).proxySignals.push({ at: widener.at(event), event });
  if (container !== 'main') return;
  const pod = podOf(all, uid);
  const at = widener.at(event);
  if (!pod.lastLine || at[0] > pod.lastLine.at[0]) pod.lastLine = { at, event };
  const spoken = parseDynamoLine(line);
  if (spoken) pod.said.push({ at, event, ...spoken });
  if (!mayTell(line)) return;
  const said = parseEngineLine(line);
  if (said?.mark === 'signalled') pod.signals.push({ at, event });
  else if (said?.mark === 'access' && said.method === 'GET' && said.path.split('?')[0] === '/metrics') {
    pod.reads.push({ at, event, client: said.client, status: said.status });
  } else if (said?.mark === 'received') {
    pod.received.push({ at, event, request: said.request });
    requestOf(all, said.request).received.push({ at, event, uid });
  }
}

function podOf(all: Collected, uid: string): CollectedPod {
  let pod = all.pods.get(uid);
  if (!pod) {
    const lines = { signals: [], proxySignals: [], reads: [], received: [], said: [] };
    pod = { uid, sightings: [], killing: [], samples: [], paths: [], ...lines };
    all.pods.set(uid, pod);
  }
  return pod;
}

function requestOf(all: Collected, id: string): CollectedRequest {
  let request = all.requests.get(id);
  if (!request) all.requests.set(id, (request = unknownRequest(id)));
  return request;
}

/** All fields from the start: objects of one shape are read and copied several times as fast. */
const unknownRequest = (id: string): CollectedRequest => ({
  id,
  planned: undefined,
  sent: undefined,
  headers: undefined,
  lastChunk: undefined,
  end: undefined,
  received: [],
});

function actionOf(all: Collected, id: string): CollectedAction {
  let action = all.actions.get(id);
  if (!action) all.actions.set(id, (action = { id }));
  return action;
}
