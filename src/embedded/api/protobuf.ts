/** Writes the few protobuf messages that old clients ask for. A field is its number and its content. */
export type Field = readonly [number: number, content: string | Buffer];

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest & 127) | 128);
  }
}

/** A message of length-delimited fields: texts and other messages. */
export const message = (...fields: Field[]): Buffer =>
  Buffer.concat(
    fields.flatMap(([number, content]) => {
      const bytes = Buffer.from(content as Buffer);
      return [varint((number << 3) | 2), varint(bytes.length), bytes];
    }),
  );
