import { message } from './protobuf.ts';
import type { Field } from './protobuf.ts';
import type { Resource } from './resources.ts';

/** The form in which kubectl takes `/openapi/v2`, as a real server names it in its answer. */
export const OPENAPI_V2 = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

/** A query parameter of gnostic's `openapi_v2.Document`: Parameter > NonBodyParameter > QueryParameterSubSchema. */
function queryParameter(name: string): Field {
  const sub = message([2, 'query'], [4, name], [6, 'string']);
  return [8, message([1, message([2, message([3, sub])])])];
}

/** The extension by which kubectl finds the operations of a kind. */
function kindExtension({ group, version, kind }: Resource): Field {
  const yaml = `group: ${JSON.stringify(group)}\nkind: ${kind}\nversion: ${version}\n`;
  return [13, message([1, 'x-kubernetes-group-version-kind'], [2, message([2, yaml])])];
}

function path(r: Resource): Field {
  const base = r.group ? `/apis/${r.group}/${r.version}` : '/api/v1';
  const name = `${base}${r.namespaced ? '/namespaces/{namespace}' : ''}/${r.plural}/{name}`;
  const parameters = ['dryRun', 'fieldManager', 'fieldValidation', 'force'].map(queryParameter);
  const responses = message([1, message([1, '200'], [2, message([1, message([1, 'OK'])])])]);
  const patch = message(...parameters, [9, responses], kindExtension(r));
  return [2, message([1, name], [2, message([8, patch])])];
}

/**
 * What kubectl before 1.29 asks of `/openapi/v2` before it applies anything: which kinds let the server check their
 * fields. It holds no schemas.
 */
export function openapiV2(resources: Resource[]): Buffer {
  const info = message([1, 'Kubernetes'], [2, 'v1.34.4']);
  return message([1, '2.0'], [2, info], [8, message(...resources.map(path))]);
}
