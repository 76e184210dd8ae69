/**
 * The value of a flag in either spelling (`--flag value`, `--flag=value`); `true` where it stands without one, undefined
 * where it is absent. The last one counts, as in every engine's own parser.
 */
export function flag(argv: readonly string[], name: string): string | true | undefined {
  for (let i = argv.length - 1; i >= 0; i -= 1) {
    const word = argv[i] ?? '';
    if (word.startsWith(`${name}=`)) return word.slice(name.length + 1);
    if (word !== name) continue;
    const next = argv[i + 1];
    return next === undefined || next.startsWith('--') ? true : next;
  }
  return undefined;
}

/** The value of a flag that takes a whole number of at least 0; `unset` where it is absent or no such number. */
export function numberFlag<T>(argv: readonly string[], name: string, unset: T): number | T {
  const value = flag(argv, name);
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : unset;
}

/** All words after a flag that takes several (`--selector a=b c=d`), up to the next flag; every mention counts. */
export function listFlag(argv: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let i = 0; i < argv.length; i += 1) {
    const word = argv[i] ?? '';
    if (word.startsWith(`${name}=`)) values.push(word.slice(name.length + 1));
    if (word !== name) continue;
    for (let next = argv[i + 1]; next !== undefined && !next.startsWith('--'); next = argv[i + 1]) {
      values.push(next);
      i += 1;
    }
  }
  return values;
}
