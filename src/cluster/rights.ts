import type { KubeClient, KubeObject } from './rest.ts';

/** One rule of a Role. */
export interface Rule {
  apiGroups: string[];
  resources: string[];
  verbs: string[];
}

/** A right of a rule that the user lacks, in all namespaces. */
export interface MissingRight {
  rule: Rule;
  group: string;
  resource: string;
  verb: string;
}

/** Reviews at once at most: a real API server holds back who asks too much. */
const SIDE_BY_SIDE = 8;

/**
 * The rights of these rules that the user of `client` lacks; the API server itself is asked about each (SelfSubjectAccessReview,
 * which every user may create).
 * @throws KubeError where it does not answer
 */
export async function missingRights(client: KubeClient, rules: readonly Rule[]): Promise<MissingRight[]> {
  const rights = rules.flatMap((rule) =>
    rule.apiGroups.flatMap((group) =>
      rule.resources.flatMap((resource) => rule.verbs.map((verb) => ({ rule, group, resource, verb }))),
    ),
  );
  const allowed: boolean[] = [];
  const waiting = rights.map((right, i) => [right, i] as const);
  const ask = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) allowed[next[1]] = await isAllowed(client, next[0]);
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, ask));
  return rights.filter((_, i) => !allowed[i]);
}

async function isAllowed(client: KubeClient, { group, resource: name, verb }: MissingRight): Promise<boolean> {
  const [resource, subresource] = name.split('/');
  const review = await client.create<KubeObject & { status?: { allowed?: boolean } }>(
    '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { group, resource, verb, ...(subresource ? { subresource } : {}) } },
    },
  );
  return review.status?.allowed === true;
}

/** A rule as a person reads it: `get, list on pods`, the group after the resource where there is one. */
export const ruleText = ({ apiGroups, resources, verbs }: Rule): string =>
  `${verbs.join(', ')} on ${apiGroups.flatMap((g) => resources.map((r) => (g === '' ? r : `${r}.${g}`))).join(', ')}`;
