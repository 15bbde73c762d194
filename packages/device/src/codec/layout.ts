/**
 * Describes the wire format of messages as data. A layout lists a message's fields in wire order; the message's
 * TypeScript type, reader and writer are derived from it. Numbers are little-endian.
 */

/** A message field. `choice` and `bits` map numbers to names. A `list` is a count byte followed by the items. */
export type Field =
  | { readonly type: 'u8' | 'u16' | 'u32' | 'i8' }
  | { readonly type: 'bool' }
  | { readonly type: 'text' | 'utf8' | 'bytes'; readonly size: number }
  | Choice
  | { readonly type: 'bits'; readonly members: { readonly [name: string]: BitMember } }
  | { readonly type: 'list'; readonly of: Layout; readonly max: number }
  | { readonly type: 'rest' };

/** A byte with named values. Other values read as `fallback`, or are invalid if there is none. */
type Choice = {
  readonly type: 'choice';
  readonly values: { readonly [name: string]: number };
  readonly fallback?: string;
};

/** A range of bits in a 16-bit field: a flag, or a named value as in {@link Choice}. */
export type BitMember =
  | { readonly bit: number }
  | {
      readonly bit: number;
      readonly width: number;
      readonly values: { readonly [name: string]: number };
      readonly fallback?: string;
    };

export type Layout = { readonly [name: string]: Field };

type BitValue<M extends BitMember> = M extends { readonly values: infer V } ? keyof V : boolean;

type FieldValue<F extends Field> = F extends { readonly type: 'u8' | 'u16' | 'u32' | 'i8' }
  ? number
  : F extends { readonly type: 'bool' }
    ? boolean
    : F extends { readonly type: 'text' | 'utf8' }
      ? string
      : F extends { readonly type: 'bytes' | 'rest' }
        ? Uint8Array
        : F extends { readonly type: 'choice'; readonly values: infer V }
          ? keyof V
          : F extends { readonly type: 'bits'; readonly members: infer M }
            ? { readonly [N in keyof M]: M[N] extends BitMember ? BitValue<M[N]> : never }
            : F extends { readonly type: 'list'; readonly of: infer L extends Layout }
              ? readonly ValueOf<L>[]
              : never;

/** The TypeScript type of a message with this layout. */
export type ValueOf<L extends Layout> = { readonly [N in keyof L]: FieldValue<L[N]> };

export const u8 = { type: 'u8' } as const;
export const u16 = { type: 'u16' } as const;
export const u32 = { type: 'u32' } as const;
export const i8 = { type: 'i8' } as const;
export const bool = { type: 'bool' } as const;
/** All remaining bytes of the payload. Only the last field can have this type. */
export const rest = { type: 'rest' } as const;
/** Creates an ASCII field padded with zero bytes. */
export const text = <const N extends number>(size: N) => ({ type: 'text', size }) as const;
/** Creates a UTF-8 field padded with zero bytes, for names from external sources. */
export const utf8 = <const N extends number>(size: N) => ({ type: 'utf8', size }) as const;
export const bytes = <const N extends number>(size: N) => ({ type: 'bytes', size }) as const;
export const choice = <const V extends { readonly [name: string]: number }>(values: V) =>
  ({ type: 'choice', values }) as const;
export const choiceOr = <
  const V extends { readonly [name: string]: number },
  const O extends keyof V & string,
>(
  values: V,
  fallback: O,
) => ({ type: 'choice', values, fallback }) as const;
export const bits = <const M extends { readonly [name: string]: BitMember }>(members: M) =>
  ({ type: 'bits', members }) as const;
export const list = <const L extends Layout>(of: L, max: number) =>
  ({ type: 'list', of, max }) as const;

/** Thrown for values that don't fit their layout and for bytes that violate it. `field` is the field's name. */
export class LayoutError extends Error {
  override readonly name = 'LayoutError';
  readonly field: string;

  constructor(field: string, problem: 'too_short' | 'out_of_range' | 'unknown_value') {
    super(`${field}: ${problem}`);
    this.field = field;
  }
}

const integerRange = {
  u8: { size: 1, min: 0, max: 0xff },
  u16: { size: 2, min: 0, max: 0xffff },
  u32: { size: 4, min: 0, max: 0xffffffff },
  i8: { size: 1, min: -128, max: 127 },
} as const;
type IntegerType = keyof typeof integerRange;

/** Returns a field's size in bytes, or its minimum size if it varies. */
export function fieldSize(field: Field): number {
  switch (field.type) {
    case 'u8':
    case 'u16':
    case 'u32':
    case 'i8':
      return integerRange[field.type].size;
    case 'bool':
    case 'choice':
    case 'list':
      return 1;
    case 'bits':
      return 2;
    case 'text':
    case 'utf8':
    case 'bytes':
      return field.size;
    case 'rest':
      return 0;
  }
}

class Writer {
  private buffer = new Uint8Array(64);
  private length = 0;

  integer(name: string, type: IntegerType, value: number): void {
    const { size, min, max } = integerRange[type];
    if (!Number.isInteger(value) || value < min || value > max) {
      throw new LayoutError(name, 'out_of_range');
    }
    this.rawBytes(Uint8Array.from({ length: size }, (_, index) => (value >> (8 * index)) & 0xff));
  }

  rawBytes(value: Uint8Array): void {
    const end = this.length + value.length;
    if (end > this.buffer.length) {
      const grown = new Uint8Array(2 * end);
      grown.set(this.buffer);
      this.buffer = grown;
    }
    this.buffer.set(value, this.length);
    this.length = end;
  }

  finish(): Uint8Array {
    return this.buffer.slice(0, this.length);
  }
}

class Reader {
  private offset = 0;
  private readonly source: Uint8Array;

  constructor(source: Uint8Array) {
    this.source = source;
  }

  integer(name: string, type: IntegerType): number {
    const { size, max } = integerRange[type];
    const part = this.rawBytes(name, size);
    let value = 0;
    for (let index = size - 1; index >= 0; index--) value = value * 256 + (part[index] ?? 0);
    return type === 'i8' && value > max ? value - 256 : value;
  }

  rawBytes(name: string, size: number): Uint8Array {
    if (this.offset + size > this.source.length) throw new LayoutError(name, 'too_short');
    this.offset += size;
    return this.source.subarray(this.offset - size, this.offset);
  }

  remaining(): Uint8Array {
    const part = this.source.slice(this.offset);
    this.offset = this.source.length;
    return part;
  }
}

function findName(values: { readonly [name: string]: number }, value: number): string | undefined {
  return Object.keys(values).find((key) => values[key] === value);
}

function findNumber(
  name: string,
  values: { readonly [name: string]: number },
  key: string,
): number {
  const value = Object.hasOwn(values, key) ? values[key] : undefined;
  if (value === undefined) throw new LayoutError(name, 'unknown_value');
  return value;
}

function writeText(writer: Writer, name: string, size: number, value: string): void {
  if (value.length > size) throw new LayoutError(name, 'out_of_range');
  const buffer = new Uint8Array(size);
  for (let index = 0; index < value.length; index++) {
    const code = value.charCodeAt(index);
    if (code < 0x20 || code > 0x7e) throw new LayoutError(name, 'out_of_range');
    buffer[index] = code;
  }
  writer.rawBytes(buffer);
}

function readText(name: string, rawBytes: Uint8Array): string {
  const end = rawBytes.indexOf(0);
  let value = '';
  for (const code of end === -1 ? rawBytes : rawBytes.subarray(0, end)) {
    if (code < 0x20 || code > 0x7e) throw new LayoutError(name, 'unknown_value');
    value += String.fromCharCode(code);
  }
  return value;
}

function writeUtf8(writer: Writer, name: string, size: number, value: string): void {
  const encoded = new TextEncoder().encode(value);
  if (encoded.length > size || encoded.includes(0)) throw new LayoutError(name, 'out_of_range');
  const buffer = new Uint8Array(size);
  buffer.set(encoded);
  writer.rawBytes(buffer);
}

/** Replaces invalid UTF-8, so that one network's malformed name doesn't invalidate the whole list. */
function readUtf8(rawBytes: Uint8Array): string {
  const end = rawBytes.indexOf(0);
  return new TextDecoder().decode(end === -1 ? rawBytes : rawBytes.subarray(0, end));
}

function writeField(writer: Writer, name: string, field: Field, value: unknown): void {
  switch (field.type) {
    case 'u8':
    case 'u16':
    case 'u32':
    case 'i8':
      writer.integer(name, field.type, value as number);
      return;
    case 'bool':
      writer.integer(name, 'u8', value ? 1 : 0);
      return;
    case 'choice':
      writer.integer(name, 'u8', findNumber(name, field.values, value as string));
      return;
    case 'bits': {
      let packed = 0;
      for (const [member, range] of Object.entries(field.members)) {
        const part = (value as Record<string, string | boolean>)[member];
        const number =
          'values' in range ? findNumber(member, range.values, part as string) : part ? 1 : 0;
        packed |= number << range.bit;
      }
      writer.integer(name, 'u16', packed);
      return;
    }
    case 'text':
      writeText(writer, name, field.size, value as string);
      return;
    case 'utf8':
      writeUtf8(writer, name, field.size, value as string);
      return;
    case 'bytes':
      if ((value as Uint8Array).length !== field.size) throw new LayoutError(name, 'out_of_range');
      writer.rawBytes(value as Uint8Array);
      return;
    case 'list': {
      const items = value as readonly Record<string, unknown>[];
      if (items.length > field.max) throw new LayoutError(name, 'out_of_range');
      writer.integer(name, 'u8', items.length);
      for (const item of items) writeFields(writer, field.of, item);
      return;
    }
    case 'rest':
      writer.rawBytes(value as Uint8Array);
      return;
  }
}

function readField(reader: Reader, name: string, field: Field): unknown {
  switch (field.type) {
    case 'u8':
    case 'u16':
    case 'u32':
    case 'i8':
      return reader.integer(name, field.type);
    case 'bool':
      return reader.integer(name, 'u8') !== 0;
    case 'choice': {
      const knownName = findName(field.values, reader.integer(name, 'u8')) ?? field.fallback;
      if (knownName === undefined) throw new LayoutError(name, 'unknown_value');
      return knownName;
    }
    case 'bits': {
      const packed = reader.integer(name, 'u16');
      const value: Record<string, string | boolean> = {};
      for (const [member, range] of Object.entries(field.members)) {
        if (!('values' in range)) {
          value[member] = ((packed >> range.bit) & 1) === 1;
          continue;
        }
        const number = (packed >> range.bit) & ((1 << range.width) - 1);
        const knownName = findName(range.values, number) ?? range.fallback;
        if (knownName === undefined) throw new LayoutError(member, 'unknown_value');
        value[member] = knownName;
      }
      return value;
    }
    case 'text':
      return readText(name, reader.rawBytes(name, field.size));
    case 'utf8':
      return readUtf8(reader.rawBytes(name, field.size));
    case 'bytes':
      return reader.rawBytes(name, field.size).slice();
    case 'list': {
      const count = reader.integer(name, 'u8');
      if (count > field.max) throw new LayoutError(name, 'out_of_range');
      return Array.from({ length: count }, () => readFields(reader, field.of));
    }
    case 'rest':
      return reader.remaining();
  }
}

function writeFields(writer: Writer, layout: Layout, value: Record<string, unknown>): void {
  for (const [name, field] of Object.entries(layout)) writeField(writer, name, field, value[name]);
}

function readFields(reader: Reader, layout: Layout): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(layout)) value[name] = readField(reader, name, field);
  return value;
}

/** Encodes a message. @throws {LayoutError} if a value doesn't fit its field */
export function writeLayout<const L extends Layout>(layout: L, value: ValueOf<L>): Uint8Array {
  const writer = new Writer();
  writeFields(writer, layout, value);
  return writer.finish();
}

/**
 * Decodes a message. Ignores bytes after the last field, because a newer peer may have added fields.
 * @throws {LayoutError} if the source is too short or contains an unknown value
 */
export function readLayout<const L extends Layout>(layout: L, source: Uint8Array): ValueOf<L> {
  return readFields(new Reader(source), layout) as ValueOf<L>;
}
