interface Memory<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/** The value at a key of a map, made and kept where there is none. */
export function remembered<K, V>(memory: Memory<K, V>, key: K, make: () => V): V {
  const known = memory.get(key);
  if (known !== undefined) return known;
  const value = make();
  memory.set(key, value);
  return value;
}
