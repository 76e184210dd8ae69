import type { KubeObject } from '../../cluster/rest.ts';
import type { Call } from './context.ts';
import { ApiError, badRequest, expired } from './errors.ts';
import { remembered } from './memo.ts';
import { sendText } from './reply.ts';
import { wholeNumber } from './request-info.ts';
import { fieldPredicate, labelPredicate } from './selectors.ts';
import type { Predicate } from './selectors.ts';
import { showList, showOne, viewOf } from './view.ts';
import { existing } from './typed.ts';

export function get(call: Call): void {
  const { api, resource, request, response, query } = call;
  sendText(response, 200, showOne(existing(call), resource, viewOf(request, query), api.now()));
}

/** What the selectors of a request ask for; undefined: everything. @throws ApiError 400 */
export function selection({ query, resource, name }: Call): Predicate | undefined {
  const parts = [
    labelPredicate(query.get('labelSelector') ?? ''),
    fieldPredicate(query.get('fieldSelector') ?? '', resource),
    name ? (object: KubeObject) => object.metadata.name === name : undefined,
  ].filter((part) => part !== undefined);
  if (parts.length === 0) return undefined;
  return parts.length === 1 ? parts[0] : (object) => parts.every((holds) => holds(object));
}

/** The objects that a collection request is about. */
export function selected(call: Call): KubeObject[] {
  const { api, resource, namespace } = call;
  const all = api.store.list(resource.storage, namespace || undefined);
  const wanted = selection(call);
  return wanted ? all.filter(wanted) : all;
}

/** The rest of a list that was read in pieces: what its first piece saw, whatever changed since. */
interface Snapshot {
  version: string;
  storage: string;
  rest: KubeObject[];
}

/** Lists in pieces whose next piece may still come; the oldest is forgotten (410). */
const SNAPSHOT_LIMIT = 64;
const snapshots = new WeakMap<object, Map<string, Snapshot>>();
let lastSnapshot = 0;

export function list(call: Call): void {
  const { api, resource, request, response, query } = call;
  checkVersion(call);
  const token = query.get('continue');
  const snapshot = token
    ? resume(call, token)
    : { version: String(api.store.version), storage: resource.storage, rest: selected(call) };
  const limit = wholeNumber(query, 'limit') ?? 0;
  const cut = limit > 0 && snapshot.rest.length > limit;
  const items = cut ? snapshot.rest.slice(0, limit) : snapshot.rest;
  const metadata: Record<string, unknown> = { resourceVersion: snapshot.version };
  if (cut) {
    const rest = snapshot.rest.slice(limit);
    metadata['continue'] = keep(call, { ...snapshot, rest });
    // Of a selection only its end tells how many there are.
    if (!selective(call)) metadata['remainingItemCount'] = rest.length;
  }
  sendText(response, 200, showList(items, resource, viewOf(request, query), api.now(), metadata));
}

const selective = ({ query }: Call) => Boolean(query.get('labelSelector') ?? query.get('fieldSelector'));

function keep({ api }: Call, snapshot: Snapshot): string {
  const known = remembered(snapshots, api.store, () => new Map<string, Snapshot>());
  const token = Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: snapshot.version, n: ++lastSnapshot })).toString(
    'base64url',
  );
  known.set(token, snapshot);
  const oldest = known.size > SNAPSHOT_LIMIT ? known.keys().next().value : undefined;
  if (oldest !== undefined) known.delete(oldest);
  return token;
}

function resume({ api, resource }: Call, token: string): Snapshot {
  const snapshot = snapshots.get(api.store)?.get(token);
  if (snapshot?.storage === resource.storage) return snapshot;
  if (!/^[\w-]+$/.test(token)) throw badRequest('continue key is not valid');
  throw expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.',
  );
}

const matches = new Set(['', 'NotOlderThan', 'Exact']);

/** @throws ApiError 400 (no version), 410 (past, asked for exactly), 504 (not reached yet) */
function checkVersion({ api, query }: Call): void {
  const match = query.get('resourceVersionMatch') ?? '';
  const wanted = readVersion(query);
  if (!matches.has(match)) throw badRequest(`resourceVersionMatch: Unsupported value: ${JSON.stringify(match)}`);
  if (match && wanted === undefined)
    throw badRequest('resourceVersionMatch is forbidden unless resourceVersion is provided');
  if (wanted === undefined || wanted === 0) return;
  const { version } = api.store;
  if (wanted > version) {
    throw new ApiError(504, 'Timeout', `Timeout: Too large resource version: ${wanted}, current: ${version}`, {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    });
  }
  if (match === 'Exact' && wanted < version) throw expired(`The resourceVersion for the provided list is too old.`);
}

/** The `resourceVersion` of a query; undefined where there is none. @throws ApiError 400 */
export function readVersion(query: URLSearchParams): number | undefined {
  const text = query.get('resourceVersion') ?? '';
  if (text === '') return undefined;
  if (!/^\d{1,15}$/.test(text)) {
    const value = JSON.stringify(text);
    throw badRequest(
      `invalid resource version: resourceVersion: Invalid value: ${value}: strconv.ParseUint: parsing ${value}: invalid syntax`,
    );
  }
  return Number(text);
}
