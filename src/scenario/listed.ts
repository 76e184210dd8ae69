/** What the bodies of a frontend's `/health` and `/v1/models` list; nothing where it is no such body. */
interface Lists {
  instances?: ListedInstance[];
  data?: unknown[];
}

/** An endpoint of an instance. A double names no namespace. */
interface ListedInstance {
  instance_id?: number | string;
  namespace?: string;
}

/**
 * How many instances of a Dynamo namespace a frontend knows, by its `/health`: a real one lists every endpoint of an instance, and
 * those of all graphs of its Kubernetes namespace.
 */
export function instancesIn(body: string | undefined, own: string | undefined): number {
  const listed = parsed(body).instances ?? [];
  return new Set(listed.filter(({ namespace = own }) => namespace === own).map(({ instance_id: id }) => id)).size;
}

/** How many models a frontend serves, by its `/v1/models`. */
export const modelsIn = (body: string | undefined): number => (parsed(body).data ?? []).length;

function parsed(body = '{}'): Lists {
  try {
    return JSON.parse(body) as Lists;
  } catch {
    return {};
  }
}
