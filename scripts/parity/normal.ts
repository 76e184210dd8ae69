// What two clusters cannot agree on (uids, versions, times, addresses, generated names) is replaced by what it is, so that
// the rest can be compared. Equal ids stay equal: the second uid of an experiment is `<uid 2>` wherever it stands.

export interface Names {
  namespace: string;
  image: string;
  node: string;
}

type Fields = Record<string, unknown>;

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const IP = /\b(?!0\.0\.0\.0)(?:\d{1,3}\.){3}\d{1,3}\b/g;
const TIME = /\b(?!1970-01-01)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g;
const HEX = /\b[0-9a-f]{64}\b/g;
/** Letters and digits of which Kubernetes makes names. */
const SAFE = '[bcdfghjklmnpqrstvwxz2456789]';

/** Normalises all that one experiment has answered. */
export function normalise(entries: unknown, names: Names): unknown {
  const replaced: [string, string][] = [
    [names.namespace, '<ns>'],
    [names.image, '<image>'],
  ];
  collect(entries, replaced);
  const uids = new Map<string, string>();
  const text = (value: string): string => {
    let out = value;
    for (const [from, to] of replaced) out = out.replaceAll(from, to);
    return out
      .replace(UUID, (uid) => {
        if (!uids.has(uid)) uids.set(uid, `<uid ${uids.size + 1}>`);
        return uids.get(uid) ?? '';
      })
      .replace(TIME, (_all, fraction?: string) => (fraction ? '<microtime>' : '<time>'))
      .replace(HEX, '<hex64>')
      .replace(IP, '<ip>')
      .replace(new RegExp(`(?<![\\w-])${names.node.replace(/[^\w]/g, '\\$&')}(?![\\w-])`, 'g'), '<node>');
  };
  return walk(entries, '', text);
}

/** Hashes of templates and generated names, which stand in other names and in messages too. */
function collect(value: unknown, replaced: [string, string][]): void {
  if (Array.isArray(value)) return value.forEach((item) => collect(item, replaced));
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value as Fields)) {
    if (key === 'pod-template-hash' && typeof item === 'string') add(replaced, item, '<hash>');
    collect(item, replaced);
  }
  const { name, generateName } = value as Fields;
  if (typeof name === 'string' && typeof generateName === 'string' && name.startsWith(generateName)) {
    const rest = name.slice(generateName.length);
    if (rest.length === 5) add(replaced, rest, '<5>');
  }
}

function add(replaced: [string, string][], from: string, to: string): void {
  if (!replaced.some(([known]) => known === from)) replaced.push([from, to]);
}

/** Fields whose value says nothing beyond that there is one. */
const opaque = new Set(['containerID', 'imageID', 'continue', 'selfLink']);

function walk(value: unknown, key: string, text: (value: string) => string): unknown {
  if (Array.isArray(value)) {
    return ordered(
      key,
      value.map((item) => walk(item, '', text)),
    );
  }
  if (typeof value === 'string') {
    if (opaque.has(key)) return value === '' ? '' : `<${key}>`;
    if (key === 'resourceVersion') return value === '' || value === '0' ? value : '<version>';
    // A generated name that was seen in a message or as a name only.
    return text(value)
      .replace(/((?:R|r)eplica ?[Ss]et "?[\w.-]+?-)[a-z0-9]{6,10}(?=[" ]|$)/g, '$1<hash>')
      .replace(new RegExp(`(-<hash>-)${SAFE}{5}\\b`, 'g'), '$1<5>')
      .replace(/((?:Created|Deleted) pod: [\w.<>-]+-)[a-z0-9]{5}$/, '$1<5>');
  }
  if (typeof value !== 'object' || value === null) return value;
  // In the order of their names, so that uids are numbered alike.
  const sorted = Object.entries(value as Fields).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, item]) => [text(name), walk(item, name, text)]));
}

/** Lists whose order is no promise, or that of names which say nothing. */
function ordered(key: string, items: unknown[]): unknown[] {
  if (key === 'list' || (key === 'items' && !items.every(isNamed))) {
    const texts = items.map((item) => JSON.stringify(item)).sort();
    return texts.map((text) => JSON.parse(text) as unknown);
  }
  // States that differed in what is left out here.
  if (key === 'states') return items.filter((item, i) => JSON.stringify(item) !== JSON.stringify(items[i - 1]));
  const by = { conditions: 'type', managedFields: 'manager' }[key];
  if (by === undefined) return items;
  const of = (item: unknown) => String((item as Fields)[by]);
  return [...items].sort((a, b) => of(a).localeCompare(of(b)));
}

const isNamed = (item: unknown): boolean => {
  const { name } = ((item as Fields | undefined)?.['metadata'] ?? {}) as { name?: string };
  return name !== undefined && !name.includes('<');
};
