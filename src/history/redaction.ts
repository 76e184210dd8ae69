/** What stands where a secret stood. */
export const REDACTED = '[redacted]';

const secretKeys =
  'authorization|proxy-authorization|cookie|set-cookie|token|id-?token|access-?token|refresh-?token|bearer-?token|password|passwd|client-?secret|api-?key|client-key-data';

// `"key": "value"` in JSON, also where it is quoted once more inside a string; a value stops at its own closing quote.
const jsonPair = new RegExp(String.raw`(\\*")(${secretKeys})\1(\s*:\s*)\1((?:(?!\1)(?:\\.|[^"\\]))*)\1`, 'gi');
// `token: value` in YAML and `Authorization: Bearer value` in text.
const textPair =
  /\b(token|password|client-key-data|authorization)(:\s+)(?!\[redacted\])(?:(?:Bearer|Basic)\s+)?[^\s"\\,]{4,}/gi;
const bearer = /\b(Bearer|Basic)\s+(?!\[redacted\])[A-Za-z0-9._~+/-]{8,}=*/g;
const jwt = /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g;
const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;

// One cheap look decides whether the expensive ones are needed: nearly no line of a history has any of these.
const suspicious =
  /earer|basic |authori|"token\\*"|-?token\\*"\s*:|token: |passw|secret|api-?key|cookie|key-data|eyJ|PRIVATE KEY/i;

/** `text` without anything that looks like a credential, and without the values in `known`. */
export function redactText(text: string, known: readonly string[] = []): string {
  let out = text;
  for (const value of known) if (value && out.includes(value)) out = out.split(value).join(REDACTED);
  if (!suspicious.test(out)) return out;
  return out
    .replace(
      jsonPair,
      (_, quote: string, key: string, colon: string) => `${quote}${key}${quote}${colon}${quote}${REDACTED}${quote}`,
    )
    .replace(textPair, `$1$2${REDACTED}`)
    .replace(bearer, `$1 ${REDACTED}`)
    .replace(jwt, REDACTED)
    .replace(privateKey, REDACTED);
}

/** A Secret without its data (its names stay); anything else as it is. */
export function redactObject(object: unknown, kind?: string): unknown {
  if (typeof object !== 'object' || object === null) return object;
  const secret = object as Record<string, unknown>;
  if ((kind ?? secret['kind']) !== 'Secret') return object;
  const blank = (data: unknown) =>
    typeof data === 'object' && data !== null
      ? Object.fromEntries(Object.keys(data).map((name) => [name, REDACTED]))
      : undefined;
  const { data, stringData, metadata, ...rest } = secret;
  // kubectl keeps a copy of the whole object in an annotation.
  const annotations = blank((metadata as { annotations?: unknown } | undefined)?.annotations);
  return {
    ...rest,
    metadata: { ...(metadata as object), ...(annotations ? { annotations } : {}) },
    ...(data === undefined ? {} : { data: blank(data) }),
    ...(stringData === undefined ? {} : { stringData: blank(stringData) }),
  };
}
