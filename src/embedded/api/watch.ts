import type { ServerResponse } from 'node:http';
import type { KubeObject } from '../../cluster/rest.ts';
import type { Call } from './context.ts';
import { badRequest, expired, invalid } from './errors.ts';
import { forbiddenField } from './causes.ts';
import { remembered } from './memo.ts';
import { readVersion, selected, selection } from './read.ts';
import { flag, wholeNumber } from './request-info.ts';
import { apiVersionOf } from './resources.ts';
import type { Resource } from './resources.ts';
import type { Predicate } from './selectors.ts';
import type { StoreEvent } from './store.ts';
import { showOne, viewKey, viewOf } from './view.ts';
import type { View } from './view.ts';

/** Wall milliseconds between bookmarks. A real server sends one about every minute. */
const BOOKMARK_MS = 10_000;
/** Bytes that may wait for a watcher that does not read, before it is dropped; it resumes or lists again. */
const BACKLOG_LIMIT = 32 * 1024 * 1024;
/** Longest watch of a client that names no timeout: half an hour to an hour, as in a real server. */
const [LEAST_TIMEOUT_S, TIMEOUT_SPREAD_S] = [1800, 1800];

type EventType = StoreEvent['type'];

/** Lines of the change that is being told, made once for all watchers that see it alike. */
let told: { event: StoreEvent; lines: Map<string, Buffer> } | undefined;

/** Answers `watch=true`: what happened since a version, and all that happens from now on. */
export function watch(call: Call): void {
  const { api, resource, response, query } = call;
  const initial = query.get('sendInitialEvents') === 'true';
  checkWatch(call);
  const from = readVersion(query);
  const view = viewOf(call.request, query);
  const matches = selection(call);
  const past = from ? api.store.since(resource.storage, from) : undefined;
  const start = initial || !from ? selected(call) : undefined;
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-cache, private' });
  response.flushHeaders();
  if (!initial && from && !past) return gone(response, from);
  const seen = { namespace: call.namespace, resource, view, matches };
  const send = (event: StoreEvent) => {
    const line = lineOf(event, seen, api.now());
    if (line !== undefined) write(response, line);
  };
  for (const object of start ?? []) write(response, eventLine('ADDED', showOne(object, resource, view, api.now())));
  if (initial) write(response, bookmark(resource, api.store.version, true));
  if (!start) for (const event of past ?? []) send(event);
  const stop = api.store.subscribe(resource.storage, send);
  const bookmarks = flag(query, 'allowWatchBookmarks')
    ? setInterval(() => write(response, bookmark(resource, api.store.version, false)), BOOKMARK_MS)
    : undefined;
  const seconds = wholeNumber(query, 'timeoutSeconds') || LEAST_TIMEOUT_S + Math.random() * TIMEOUT_SPREAD_S;
  const timeout = setTimeout(() => response.end(), seconds * 1000);
  response.on('close', () => {
    stop();
    clearInterval(bookmarks);
    clearTimeout(timeout);
  });
}

const options = { group: 'meta.k8s.io', plural: 'listoptions', kind: 'ListOptions' };

function checkWatch({ query }: Call): void {
  const initial = query.get('sendInitialEvents');
  const match = query.get('resourceVersionMatch') ?? '';
  if (initial === null) {
    if (!match) return;
    const why = 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided';
    throw invalid(options, '', [forbiddenField('resourceVersionMatch', why)]);
  }
  if (initial !== 'true' && initial !== 'false')
    throw badRequest(`sendInitialEvents: invalid value ${JSON.stringify(initial)}`);
  if (match === 'NotOlderThan') return;
  const why = 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan';
  throw invalid(options, '', [forbiddenField('resourceVersionMatch', why)]);
}

function gone(response: ServerResponse, from: number): void {
  const { body } = expired(`too old resource version: ${from}`);
  response.end(`${JSON.stringify({ type: 'ERROR', object: body })}\n`);
}

interface Sight {
  namespace: string;
  resource: Resource;
  view: View;
  matches: Predicate | undefined;
}

/** The line that a watcher gets for a change; undefined where it does not concern it. */
function lineOf(event: StoreEvent, { namespace, resource, view, matches }: Sight, now: number): Buffer | undefined {
  if (namespace && event.object.metadata.namespace !== namespace) return undefined;
  const type = matches ? typeFor(event, matches) : event.type;
  if (!type) return undefined;
  if (told?.event !== event) told = { event, lines: new Map() };
  const key = `${type}|${apiVersionOf(resource)}|${viewKey(view)}`;
  return remembered(told.lines, key, () =>
    Buffer.from(eventLine(type, showOne(shown(event, type), resource, view, now))),
  );
}

/** An object that comes to match a selector is added for its watcher, one that ceases to is deleted. */
function typeFor({ type, object, previous }: StoreEvent, matches: Predicate): EventType | undefined {
  const before = previous !== undefined && matches(previous);
  const now = type !== 'DELETED' && matches(object);
  if (before && now) return 'MODIFIED';
  if (now) return 'ADDED';
  return before ? 'DELETED' : undefined;
}

/** A watcher that loses an object sees it as it was when it still matched, with the version of the change. */
function shown({ type, object, previous }: StoreEvent, as: EventType): KubeObject {
  if (as !== 'DELETED' || type === 'DELETED' || !previous) return object;
  const { resourceVersion } = object.metadata;
  return { ...previous, metadata: { ...previous.metadata, ...(resourceVersion ? { resourceVersion } : {}) } };
}

const eventLine = (type: string, text: string) => `{"type":"${type}","object":${text}}\n`;

function bookmark(resource: Resource, version: number, initialEnd: boolean): string {
  const annotations = initialEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {};
  const object = {
    kind: resource.kind,
    apiVersion: apiVersionOf(resource),
    metadata: { resourceVersion: String(version), creationTimestamp: null, ...annotations },
  };
  return eventLine('BOOKMARK', JSON.stringify(object));
}

function write(response: ServerResponse, line: string | Buffer): void {
  if (response.writableEnded || response.destroyed) return;
  if (response.writableLength > BACKLOG_LIMIT) response.destroy();
  else response.write(line);
}
