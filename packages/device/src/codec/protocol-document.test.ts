/** Compares `PROTOCOL.md` with the code: the examples byte by byte, and the tables field by field. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ATTESTATION, BINDING_CONTEXT, CHANNEL_CONTEXT, WIFI_PROOF } from '../channel/keys.ts';
import { advertisement, decodeAdvertisement, encodeAdvertisement } from './advertisement.ts';
import { NOTIFY_UUID, SERVICE_UUID, WRITE_UUID } from './constants.ts';
import { FrameDecoder } from './frame.ts';
import {
  decodeReport,
  decodeRequest,
  decodeResponse,
  decodeStream,
  encodeRefusal,
  encodeReport,
  encodeRequest,
  encodeResponse,
  encodeStream,
} from './index.ts';
import { type Field, fieldSize, type Layout } from './layout.ts';
import {
  COMMANDS,
  operationItem,
  REPORTS,
  RESULTS,
  STREAM,
  sessionItem,
  wifiNetwork,
  wifiSession,
} from './messages.ts';

const page = readFileSync(join(import.meta.dirname, '../../PROTOCOL.md'), 'utf8');

/** Parses bytes such as `4c 4e` and `00*160`. Text after a semicolon is a comment. */
function readHex(text: string): Uint8Array {
  const tokens = text.replaceAll(/;.*$/gm, '').split(/\s+/).filter(Boolean);
  return Uint8Array.from(
    tokens.flatMap((token) => {
      const [digits = '', times = '1'] = token.split('*');
      const bytes = (digits.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16));
      return Array.from({ length: Number(times) }, () => bytes).flat();
    }),
  );
}

const readValue = (text: string) =>
  JSON.parse(text, (_, value) =>
    typeof value === 'string' && value.startsWith('hex:') ? readHex(value.slice(4)) : value,
  );

const allExamples = [...page.matchAll(/```golden (.+)\n([\s\S]+?)```/g)].map((match) => {
  const [kind = '', name = '', sequence = '', result = ''] = (match[1] ?? '').split(' ');
  const lines = (match[2] ?? '').split('\n');
  const json = lines[0]?.startsWith('{') ? lines.shift() : undefined;
  const value = json === undefined ? undefined : readValue(json);
  return {
    kind,
    name,
    sequence: Number(sequence),
    result,
    value,
    bytes: readHex(lines.join('\n')),
  };
});

/** True if an example is an advertisement. All other examples are frames. */
const isAdvertisement = ({ kind }: (typeof allExamples)[number]) => kind === 'advertisement';
const examples = allExamples.filter((example) => !isAdvertisement(example));

function encode(example: (typeof examples)[number]): Uint8Array {
  const { kind, name, sequence, value } = example;
  switch (kind) {
    case 'request':
      return encodeRequest(name as never, value as never, sequence);
    case 'response':
      return encodeResponse(name as never, value as never, sequence);
    case 'report':
      return encodeReport(name as never, value as never, sequence);
    case 'stream':
      return encodeStream(name as never, value as never, sequence);
    case 'refusal':
      return encodeRefusal(Number(name), example.result as never, sequence);
    default:
      throw new Error(`unknown kind of example: ${kind}`);
  }
}

function decode(example: (typeof examples)[number]): unknown {
  const [frame, ...others] = new FrameDecoder().push(example.bytes);
  if (!frame || others.length > 0) throw new Error('not exactly one frame');
  expect(frame.sequence).toBe(example.sequence);
  switch (example.kind) {
    case 'request': {
      const decoded = decodeRequest(frame);
      return decoded.ok && decoded.request.value;
    }
    case 'response': {
      const decoded = decodeResponse(example.name as never, frame);
      return decoded.kind === 'ok' && decoded.value;
    }
    case 'report':
      return decodeReport(frame)?.value;
    case 'stream':
      return decodeStream(frame)?.value;
    default: {
      const decoded = decodeResponse('recordStart', frame);
      expect(decoded.kind === 'refused' && decoded.name).toBe(example.result);
      return undefined;
    }
  }
}

test('the document has examples', () => {
  expect(examples.length).toBeGreaterThanOrEqual(12);
});

test.each(examples)('the codec agrees with the example $kind $name $sequence', (example) => {
  expect(encode(example)).toEqual(example.bytes);
  expect(decode(example)).toEqual(example.value);
});

test.each(allExamples.filter(isAdvertisement))(
  'the codec agrees with the example advertisement',
  ({ value, bytes }) => {
    expect(encodeAdvertisement(value)).toEqual(bytes);
    expect(decodeAdvertisement(bytes)).toEqual(value);
  },
);

const spaced = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function typeName(field: Field): string {
  if (field.type === 'text' || field.type === 'utf8' || field.type === 'bytes')
    return `${field.type}[${field.size}]`;
  return field.type === 'list' ? `list≤${field.max}` : field.type;
}

/** Returns the strings that the document must contain for a field, besides its name and offset. */
function requiredStrings(field: Field): string[] {
  if (field.type === 'choice') {
    return Object.entries(field.values).map(([name, number]) => `${number} ${name}`);
  }
  if (field.type !== 'bits') return [];
  return Object.entries(field.members).flatMap(([name, member]) => {
    if (!('values' in member)) return [`bit ${member.bit} ${spaced(name)}`];
    const last = member.bit + member.width - 1;
    const where = member.width === 1 ? `bit ${member.bit}` : `bits ${member.bit}–${last}`;
    const values = Object.entries(member.values).map(
      ([valueName, number]) => `${number} ${valueName}`,
    );
    return [`${where} ${spaced(name)} (${values.join(', ')})`];
  });
}

/** Returns the rows of the table below a section's `title` line, without its header. */
function rowsUnder(section: string, title: string | undefined): string[][] {
  const start = title === undefined ? 0 : section.indexOf(`\n${title}\n`);
  if (start === -1) return [];
  const from = section.slice(start + (title?.length ?? 0) + 1);
  const table = /^\| Offset .*\n\|[-|]+\n((?:\|.*\n)*)/m.exec(from)?.[1] ?? '';
  return table
    .split('\n')
    .filter(Boolean)
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

function readSection(heading: string): string {
  const start = page.indexOf(`${heading}\n`);
  if (start === -1) throw new Error(`no section "${heading}"`);
  const remainder = page.slice(start + heading.length);
  const end = remainder.search(/\n#{2,4} /);
  return end === -1 ? remainder : remainder.slice(0, end + 1);
}

function expectTableToMatch(rows: string[][], layout: Layout, firstOffset: number): void {
  let offset = firstOffset;
  const expected = Object.entries(layout).map(([name, field]) => {
    const row = [String(offset), name, typeName(field)];
    offset += fieldSize(field);
    return row;
  });
  expect(rows.map((row) => row.slice(0, 3))).toEqual(expected);
  for (const [index, field] of Object.values(layout).entries()) {
    for (const words of requiredStrings(field)) expect(rows[index]?.[3]).toContain(words);
  }
}

const hex = (number: number) => `0x${number.toString(16).toUpperCase().padStart(2, '0')}`;

describe('the codec agrees with the tables', () => {
  test('of the advertisement', () => {
    expectTableToMatch(
      rowsUnder(readSection('### The advertisement'), undefined),
      advertisement,
      0,
    );
  });

  test.each(Object.entries(COMMANDS))('of %s', (name, command) => {
    const text = readSection(`### ${name} — ${hex(command.number)}`);
    expectTableToMatch(rowsUnder(text, 'Request'), command.request, 0);
    expectTableToMatch(rowsUnder(text, 'Response'), command.response, 1);
  });

  test('of session items', () => {
    const text = readSection(`### sessionList — ${hex(COMMANDS.sessionList.number)}`);
    expectTableToMatch(rowsUnder(text, 'Item'), sessionItem, 0);
  });

  test.each([
    ['wifiOpen', 'Session', wifiSession],
    ['wifiSearch', 'Network', wifiNetwork],
  ] as const)('of items in %s', (name, title, layout) => {
    const text = readSection(`### ${name} — ${hex(COMMANDS[name].number)}`);
    expectTableToMatch(rowsUnder(text, title), layout, 0);
  });

  test.each([
    ['Binding context', BINDING_CONTEXT],
    ['Channel context', CHANNEL_CONTEXT],
  ] as const)('of %s', (title, layout) => {
    expectTableToMatch(rowsUnder(readSection('### Keys'), title), layout, 0);
  });

  test('of the attestation', () => {
    expectTableToMatch(rowsUnder(readSection('### Attestation'), 'Message'), ATTESTATION, 0);
  });

  test('of the Wi-Fi link proof', () => {
    expectTableToMatch(
      rowsUnder(readSection('### A link under version 2'), 'Message'),
      WIFI_PROOF,
      0,
    );
  });

  test('of log entries', () => {
    const text = readSection(`### operationData — ${hex(COMMANDS.operationData.number)}`);
    expectTableToMatch(rowsUnder(text, 'Operation'), operationItem, 0);
  });

  test.each(Object.entries(STREAM))('of %s', (name, { number, kind, layout }) => {
    expectTableToMatch(
      rowsUnder(readSection(`### ${name} — ${hex(number)}, ${kind}`), undefined),
      layout,
      0,
    );
  });

  test.each(Object.entries(REPORTS))('of the report %s', (name, { status, layout }) => {
    expectTableToMatch(rowsUnder(readSection(`#### ${name} — ${status}`), undefined), layout, 2);
  });

  test('of results', () => {
    const rows = [...readSection('## 7. Results').matchAll(/^\| (-?\d+) \| (\w+) \|/gm)];
    expect(Object.fromEntries(rows.map(([, number, name]) => [name, Number(number)]))).toEqual(
      RESULTS,
    );
  });

  test('of enumerations that may gain values', () => {
    const rows = [
      ...readSection('## 9. Reserved numbers').matchAll(/^\| (`.+) \| (\d+), (\w+) \|$/gm),
    ].map(([, fields = '', number, name]) => ({ fields, number: Number(number), name }));
    const layouts = [
      ...Object.entries(COMMANDS).map(([name, { response }]) => [name, response] as const),
      ...Object.values(REPORTS).map(({ status, layout }) => [`${status}`, layout] as const),
      ['operationData', operationItem] as const,
    ];
    const extensible = layouts.flatMap(([message, layout]) =>
      Object.entries<Field>(layout).flatMap(([field, { ...definition }]) =>
        definition.type === 'choice' ? [{ message, field, ...definition }] : [],
      ),
    );
    for (const { message, field, values, fallback = 'none' } of extensible) {
      const row = rows.find(
        ({ fields }) => fields.startsWith(`\`${field}\` of`) && fields.includes(message),
      );
      expect(row, `${field} of ${message}`).toMatchObject({ name: fallback });
      expect(row?.number).toBe(values[fallback]);
    }
    expect(extensible.length).toBeGreaterThanOrEqual(rows.length);
  });

  test('of UUIDs', () => {
    for (const uuid of [SERVICE_UUID, WRITE_UUID, NOTIFY_UUID]) expect(page).toContain(uuid);
  });
});
