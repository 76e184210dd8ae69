import type { Resource } from './resources.ts';

/** One reason of a 422, as it stands in `details.causes`. */
export interface Cause {
  reason: string;
  message: string;
  field?: string;
}

export interface Status {
  kind: 'Status';
  apiVersion: 'v1';
  metadata: Record<string, unknown>;
  status: 'Success' | 'Failure';
  message?: string;
  reason?: string;
  details?: Record<string, unknown>;
  code: number;
}

/** A refusal, as the Status object that the client gets. */
export class ApiError extends Error {
  readonly code = 'QUIESCE_API';
  readonly status: number;
  readonly body: Status;

  constructor(status: number, reason: string | undefined, message: string, details?: Record<string, unknown>) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.body = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      ...(reason === undefined ? {} : { reason }),
      ...(details ? { details } : {}),
      code: status,
    };
  }
}

type Named = Pick<Resource, 'group' | 'plural' | 'kind'>;

const qualified = (r: Named) => (r.group ? `${r.plural}.${r.group}` : r.plural);
const qualifiedKind = (r: Named) => (r.group ? `${r.kind}.${r.group}` : r.kind);
const details = (r: Named, name: string, kind = r.plural) => ({
  ...(name ? { name } : {}),
  ...(r.group ? { group: r.group } : {}),
  kind,
});

export const notFound = (r: Named, name: string) =>
  new ApiError(404, 'NotFound', `${qualified(r)} "${name}" not found`, details(r, name));

/** The path names nothing that is served. */
export const noSuchPath = () => new ApiError(404, 'NotFound', 'the server could not find the requested resource', {});

export const alreadyExists = (r: Named, name: string) =>
  new ApiError(409, 'AlreadyExists', `${qualified(r)} "${name}" already exists`, details(r, name));

export const conflict = (r: Named, name: string, why = MODIFIED) =>
  new ApiError(409, 'Conflict', `Operation cannot be fulfilled on ${qualified(r)} "${name}": ${why}`, details(r, name));

const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again';

export const forbidden = (r: Named, name: string, why: string, causes?: Cause[]) =>
  new ApiError(403, 'Forbidden', `${qualified(r)}${name ? ` "${name}"` : ''} is forbidden: ${why}`, {
    ...details(r, name),
    ...(causes ? { causes } : {}),
  });

export const badRequest = (message: string) => new ApiError(400, 'BadRequest', message);

/** A kind that the version of the path does not have. */
export const unregistered = (kind: string, wanted: string) =>
  badRequest(
    `${kind} in version "v1" cannot be handled as a ${wanted}: no kind "${kind}" is registered for version "v1" in scheme "pkg/runtime/scheme.go:110"`,
  );

/** An error of the server that has no reason of its own. */
export const plainError = (message: string) => new ApiError(500, undefined, message);

export const unauthorized = () => new ApiError(401, 'Unauthorized', 'Unauthorized');

export const methodNotAllowed = () =>
  new ApiError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {});

export const tooLarge = (limit: number) =>
  new ApiError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limit}`);

export const unsupportedMedia = (accepted: string[]) =>
  new ApiError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  );

export const expired = (message: string) => new ApiError(410, 'Expired', message);

/** A 422 with its causes, worded as the real server does. */
export const invalid = (r: Named, name: string, causes: Cause[]) => {
  const lines = causes.map((c) => (c.field ? `${c.field}: ${c.message}` : c.message));
  const text = lines.length === 1 ? lines[0] : `[${lines.join(', ')}]`;
  return new ApiError(422, 'Invalid', `${qualifiedKind(r)} "${name}" is invalid: ${text}`, {
    ...details(r, name, r.kind),
    causes,
  });
};
