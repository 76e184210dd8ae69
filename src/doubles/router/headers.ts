import type { IncomingHttpHeaders } from 'node:http';

// RFC 9110, section 7.6.1: what belongs to one connection is not passed on.
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'content-length',
  'expect',
]);

/** The headers that go through a proxy; `allows` narrows them further. */
export const passedOn = (
  headers: IncomingHttpHeaders,
  allows: (name: string) => boolean = () => true,
): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([k, v]) => (v === undefined || hopByHop.has(k) || !allows(k) ? [] : [[k, v]])),
  );
