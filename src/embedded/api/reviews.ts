import { createHash, timingSafeEqual } from 'node:crypto';
import { parseObject } from './body.ts';
import type { Call } from './context.ts';
import { badRequest } from './errors.ts';
import { at, fieldsOf, textField } from './objects.ts';
import { sendJson } from './reply.ts';
import { apiVersionOf } from './resources.ts';

/** Who everybody is that has the token. */
const user = { username: 'quiesce-admin', groups: ['system:masters', 'system:authenticated'] };

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Compares in constant time. */
export const sameToken = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

const everything = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  incomplete: false,
};

/** Answers a review: the holder of the token may do everything. */
export function review(call: Call, token: string): void {
  const { resource, response } = call;
  const body = parseObject(call.body, call.type);
  if (!body) throw badRequest(`the body of the request must be a ${resource.kind}`);
  const answers: Record<string, () => unknown> = {
    SelfSubjectReview: () => ({ userInfo: user }),
    SelfSubjectRulesReview: () => everything,
    TokenReview: () =>
      sameToken(textField(at(body, 'spec', 'token')), token)
        ? { authenticated: true, user }
        : { authenticated: false, error: 'invalid bearer token' },
  };
  const status = answers[resource.kind]?.() ?? { allowed: true, reason: 'the holder of the token may do everything' };
  const metadata = { creationTimestamp: null, ...fieldsOf(body['metadata']) };
  sendJson(response, 201, { ...body, kind: resource.kind, apiVersion: apiVersionOf(resource), metadata, status });
}

/** `POST serviceaccounts/NAME/token`: there is one token for all. `now`: milliseconds since 1970. */
export function tokenRequest(call: Call, token: string): void {
  const body = parseObject(call.body, call.type) ?? {};
  const seconds = Number(at(body, 'spec', 'expirationSeconds') ?? 3600);
  const expirationTimestamp = new Date(call.api.now() + seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z');
  const metadata = { name: call.name, namespace: call.namespace };
  sendJson(call.response, 201, {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata,
    spec: fieldsOf(body['spec']),
    status: { token, expirationTimestamp },
  });
}
