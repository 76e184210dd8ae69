/** FNV-1a, 64 bits, as 16 hexadecimal digits: what the operator names Pod groups and queues by. */
export function fnv64(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, '0');
}
