/** Generates random protocol messages for tests. The generators are derived from the codec's tables. */
import fc from 'fast-check';
import type { BitMember, Field, Layout } from '../layout.ts';
import {
  encodeRefusal,
  encodeReport,
  encodeRequest,
  encodeResponse,
  encodeStream,
} from '../message.ts';
import {
  COMMANDS,
  type CommandName,
  REPORTS,
  RESULTS,
  type ReportName,
  STREAM,
  type StreamName,
} from '../messages.ts';

export const sequences = fc.integer({ min: 0, max: 0xffff });
export const commandNames = Object.keys(COMMANDS) as CommandName[];
export const reportNames = Object.keys(REPORTS) as ReportName[];
export const streamNames = Object.keys(STREAM) as StreamName[];

/** Returns a generator for all values a field can contain. */
function arbitraryValue(field: Field): fc.Arbitrary<unknown> {
  switch (field.type) {
    case 'u8':
      return fc.integer({ min: 0, max: 0xff });
    case 'u16':
      return fc.integer({ min: 0, max: 0xffff });
    case 'u32':
      return fc.integer({ min: 0, max: 0xffffffff });
    case 'i8':
      return fc.integer({ min: -128, max: 127 });
    case 'bool':
      return fc.boolean();
    case 'text':
      return fc.string({ unit: 'grapheme-ascii', maxLength: field.size });
    case 'utf8':
      return fc
        .string({ unit: 'grapheme', maxLength: field.size })
        .map((name) => name.replaceAll('\0', ''))
        .filter((name) => new TextEncoder().encode(name).length <= field.size);
    case 'bytes':
      return fc.uint8Array({ minLength: field.size, maxLength: field.size });
    case 'choice':
      return fc.constantFrom(...Object.keys(field.values));
    case 'bits':
      return fc.record(
        Object.fromEntries(
          Object.entries(field.members).map(([name, member]) => [name, bitValues(member)]),
        ),
      );
    case 'list':
      return fc.array(arbitraryMessage(field.of), { maxLength: field.max });
    case 'rest':
      return fc.uint8Array({ maxLength: 1600 });
  }
}

function bitValues(member: BitMember): fc.Arbitrary<unknown> {
  return 'values' in member ? fc.constantFrom(...Object.keys(member.values)) : fc.boolean();
}

/** Returns a generator for messages with a given layout. */
export function arbitraryMessage(layout: Layout): fc.Arbitrary<Record<string, unknown>> {
  return fc.record(
    Object.fromEntries(
      Object.entries(layout).map(([name, field]) => [name, arbitraryValue(field)]),
    ),
  );
}

/** Generates encoded frames, covering all messages. */
export const anyMessage: fc.Arbitrary<Uint8Array> = fc.oneof(
  ...commandNames.flatMap((name) => [
    anyEncoded(COMMANDS[name].request, (value, at) => encodeRequest(name, value as never, at)),
    anyEncoded(COMMANDS[name].response, (value, at) => encodeResponse(name, value as never, at)),
  ]),
  ...reportNames.map((name) =>
    anyEncoded(REPORTS[name].layout, (value, at) => encodeReport(name, value as never, at)),
  ),
  ...streamNames.map((name) =>
    anyEncoded(STREAM[name].layout, (value, at) => encodeStream(name, value as never, at)),
  ),
  fc
    .constantFrom(...Object.keys(RESULTS).filter((name) => name !== 'ok'))
    .map((name) => encodeRefusal(COMMANDS.status.number, name as never, 1)),
);

function anyEncoded(
  layout: Layout,
  encode: (value: unknown, sequence: number) => Uint8Array,
): fc.Arbitrary<Uint8Array> {
  return fc
    .tuple(arbitraryMessage(layout), sequences)
    .map(([value, sequence]) => encode(value, sequence));
}
