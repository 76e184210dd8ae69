/** A field as it stands in the bytes: a number, or bytes (also those of 8-byte and 4-byte values). */
export interface WireField {
  number: number;
  value: number | Buffer;
}

/** The fields of a protobuf message, in order. @throws RangeError where the bytes end early or make no sense */
export function readFields(bytes: Buffer): WireField[] {
  const fields: WireField[] = [];
  let at = 0;
  const take = (length: number): Buffer => {
    if (length < 0 || at + length > bytes.length) throw new RangeError('message ends early');
    const part = bytes.subarray(at, at + length);
    at += length;
    return part;
  };
  const varint = (): number => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = take(1).readUInt8(0);
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return Number(BigInt.asIntN(64, value));
    }
    throw new RangeError('number of more than ten bytes');
  };
  while (at < bytes.length) {
    const tag = varint();
    const number = Math.floor(tag / 8);
    const kind = tag & 7;
    if (kind === 0) fields.push({ number, value: varint() });
    else if (kind === 1) fields.push({ number, value: take(8) });
    else if (kind === 2) fields.push({ number, value: take(varint()) });
    else if (kind === 5) fields.push({ number, value: take(4) });
    else throw new RangeError(`wire type ${kind} is not used by Kubernetes`);
  }
  return fields;
}
