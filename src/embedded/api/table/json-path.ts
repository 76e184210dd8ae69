/** One step of a path: a field, an index (negative from the end), a wildcard, or a comparison with a text. */
type Step = { field: string } | { index: number } | { all: true } | { path: Step[]; equals: string };

const parsed = new Map<string, Step[]>();

/** The values that a simple JSONPath (`.a.b[0]`, `.c[*].d`, `.e[?(@.type=="Ready")].status`) finds; none for others. */
export function jsonPath(object: unknown, text: string): unknown[] {
  let steps = parsed.get(text);
  if (!steps) parsed.set(text, (steps = parse(text.replace(/^\{(.*)\}$/, '$1'))));
  return walk([object], steps);
}

const step =
  /\.?\['([^']*)'\]|\.?\["([^"]*)"\]|\[(-?\d+)\]|\[\*\]|\[\?\(\s*@([^=]*?)\s*==\s*["']([^"']*)["']\s*\)\]|\.((?:\\.|[^.[\]])+)/y;

function parse(text: string): Step[] {
  const source = text.startsWith('.') || text.startsWith('[') ? text : `.${text}`;
  const steps: Step[] = [];
  let at = 0;
  while (at < source.length) {
    step.lastIndex = at;
    const found = step.exec(source);
    if (!found) return source === '.' ? [] : [{ field: '\0no such field' }];
    at += found[0].length;
    const [whole, single, double, index, filter, equals, field] = found;
    if (whole === '[*]' || field === '*') steps.push({ all: true });
    else if (index !== undefined) steps.push({ index: Number(index) });
    else if (filter !== undefined) steps.push({ path: parse(filter), equals: equals ?? '' });
    else steps.push({ field: (single ?? double ?? field ?? '').replace(/\\(.)/g, '$1') });
  }
  return steps;
}

function walk(values: unknown[], steps: Step[]): unknown[] {
  return steps.reduce((found, next) => found.flatMap((value) => follow(value, next)), values);
}

function follow(value: unknown, next: Step): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('all' in next) return Object.values(value);
  if ('index' in next) return Array.isArray(value) ? present(value.at(next.index)) : [];
  if ('field' in next)
    return Object.hasOwn(value, next.field) ? present((value as Record<string, unknown>)[next.field]) : [];
  return Object.values(value).filter((item) => walk([item], next.path).some((found) => found === next.equals));
}

const present = (value: unknown) => (value === undefined || value === null ? [] : [value]);
