import jsonpatch from 'fast-json-patch';
import type { Operation } from 'fast-json-patch';
import { ApiError, badRequest } from '../errors.ts';
import { clone, goType, isFields } from '../objects.ts';
import type { Fields } from '../objects.ts';

/** Most operations of one patch, as in a real API server. */
const OPERATION_LIMIT = 10_000;

/** Characters that all `copy` operations of one patch may copy, as in a real API server: each may double the object. */
const COPY_LIMIT = 3 * 1024 * 1024;

/** RFC 6902. @throws ApiError 400 for a malformed patch, 413 for too many operations, 422 for one that does not fit */
export function jsonPatch(target: Fields, patch: unknown): Fields {
  if (!Array.isArray(patch) || !patch.every(isFields)) {
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${goType(patch)} into Go value of type []handlers.jsonPatchOp`,
    );
  }
  if (patch.length > OPERATION_LIMIT) {
    throw new ApiError(
      413,
      'RequestEntityTooLarge',
      `The allowed maximum operations in a JSON patch is ${OPERATION_LIMIT}`,
    );
  }
  try {
    return applied(clone(target), patch as unknown as Operation[]);
  } catch {
    // A real server does not say which operation failed, or why.
    throw new ApiError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
  }
}

function applied(target: Fields, patch: readonly Operation[]): Fields {
  let copied = 0;
  return patch.reduce((object, operation, index) => {
    if (operation.op === 'copy') {
      const value: unknown = jsonpatch.getValueByPointer(object, operation.from);
      copied += JSON.stringify(value ?? null).length;
      if (copied > COPY_LIMIT) throw new Error(`copies of more than ${COPY_LIMIT} bytes`);
    }
    return jsonpatch.applyOperation(object, operation, true, true, true, index).newDocument;
  }, target);
}
