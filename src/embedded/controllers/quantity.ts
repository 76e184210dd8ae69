const powers: Record<string, number> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** The number that a Kubernetes quantity means (`500m`, `2Gi`, `1e3`); NaN where it means none. */
export function quantity(text: string | number | undefined): number {
  if (typeof text === 'number') return text;
  const match = /^([+-]?[\d.]+(?:[eE][+-]?\d+)?)([A-Za-z]{0,2})$/.exec(text ?? '');
  const power = match ? powers[match[2] ?? ''] : undefined;
  return power === undefined ? NaN : Number(match?.[1]) * power;
}
