import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decodeReport,
  decodeRequest,
  decodeResponse,
  decodeStream,
  encodeFrame,
  encodeRefusal,
  encodeReport,
  encodeRequest,
  encodeResponse,
  encodeStream,
  type Frame,
  FrameDecoder,
} from './index.ts';
import { fieldSize, type Layout, LayoutError, writeLayout } from './layout.ts';
import { COMMANDS, REPORTS, RESULTS, STREAM, sessionItem } from './messages.ts';
import {
  arbitraryMessage,
  commandNames,
  reportNames,
  sequences,
  streamNames,
} from './testing/any-message.ts';

function decodeOnlyFrame(bytes: Uint8Array): Frame {
  const frames = new FrameDecoder().push(bytes);
  expect(frames).toHaveLength(1);
  return frames[0] as Frame;
}

describe('encoding and decoding', () => {
  test.each(commandNames)('preserves the request %s', (name) => {
    fc.assert(
      fc.property(arbitraryMessage(COMMANDS[name].request), sequences, (value, sequence) => {
        const frame = decodeOnlyFrame(encodeRequest(name, value as never, sequence));
        expect(frame.sequence).toBe(sequence);
        expect(decodeRequest(frame)).toEqual({ ok: true, request: { name, value } });
      }),
    );
  });

  test.each(commandNames)('preserves the response %s', (name) => {
    fc.assert(
      fc.property(arbitraryMessage(COMMANDS[name].response), sequences, (value, sequence) => {
        const frame = decodeOnlyFrame(encodeResponse(name, value as never, sequence));
        expect(decodeResponse(name, frame)).toEqual({ kind: 'ok', value });
      }),
    );
  });

  test.each(reportNames)('preserves the report %s', (name) => {
    fc.assert(
      fc.property(arbitraryMessage(REPORTS[name].layout), sequences, (value, sequence) => {
        const frame = decodeOnlyFrame(encodeReport(name, value as never, sequence));
        expect(decodeReport(frame)).toEqual({ name, value });
      }),
    );
  });

  test.each(streamNames)('preserves the stream frame %s', (name) => {
    fc.assert(
      fc.property(arbitraryMessage(STREAM[name].layout), sequences, (value, sequence) => {
        const frame = decodeOnlyFrame(encodeStream(name, value as never, sequence));
        expect(decodeStream(frame)).toEqual({ name, value });
      }),
    );
  });

  test.each(Object.keys(RESULTS).filter((name) => name !== 'ok'))(
    'preserves the refusal %s',
    (name) => {
      const result = RESULTS[name as keyof typeof RESULTS];
      const frame = decodeOnlyFrame(encodeRefusal(0x10, name as never, 9));
      expect(decodeResponse('recordStart', frame)).toEqual({ kind: 'refused', result, name });
    },
  );
});

test('every command, report and result has a unique number', () => {
  const unique = (numbers: number[]) => expect(new Set(numbers).size).toBe(numbers.length);
  unique([
    ...commandNames.map((name) => COMMANDS[name].number),
    ...streamNames.map((name) => STREAM[name].number),
  ]);
  unique(reportNames.map((name) => REPORTS[name].status));
  unique(Object.values(RESULTS));
});

test('decodes or refuses arbitrary payloads without throwing', () => {
  const frames = fc.record({
    version: fc.constant(1),
    flags: fc.constant(0),
    kind: fc.constantFrom('request', 'response', 'report', 'stream', 'acknowledgement'),
    command: fc.integer({ min: 0, max: 255 }),
    sequence: sequences,
    payload: fc.uint8Array({ maxLength: 200 }),
  }) as fc.Arbitrary<Frame>;
  fc.assert(
    fc.property(frames, fc.constantFrom(...commandNames), (frame, name) => {
      decodeRequest(frame);
      decodeResponse(name, frame);
      decodeReport(frame);
      decodeStream(frame);
    }),
    { numRuns: 2000 },
  );
});

test.each(commandNames)('reports a truncated request or response %s as malformed', (name) => {
  const smallest = (layout: Layout) =>
    fc.sample(arbitraryMessage(layout), { numRuns: 1, seed: 1 })[0] as never;
  const { request, response, number } = COMMANDS[name];
  const bareFrame = { version: 1, flags: 0, command: number, sequence: 1 } as const;
  const encoded = writeLayout(request, smallest(request));
  if (encoded.length > 0) {
    const frame = { ...bareFrame, kind: 'request', payload: encoded.subarray(0, -1) } as const;
    expect(decodeRequest(frame)).toEqual({ ok: false, result: 'request_malformed' });
  }
  const answered = writeLayout(response, smallest(response));
  const payload = Uint8Array.of(0, ...answered).subarray(0, -1);
  expect(decodeResponse(name, { ...bareFrame, kind: 'response', payload })).toEqual({
    kind: 'malformed',
  });
});

test('ignores unknown trailing fields', () => {
  const known = decodeOnlyFrame(encodeResponse('recordEnd', { sessionId: 3, fileSize: 480 }, 1));
  const extended = { ...known, payload: Uint8Array.of(...known.payload, 1, 2, 3) };
  expect(decodeResponse('recordEnd', decodeOnlyFrame(encodeFrame(extended)))).toEqual({
    kind: 'ok',
    value: { sessionId: 3, fileSize: 480 },
  });
});

/** A number that no choice defines. */
const UNKNOWN = 250;

/** Returns the size in bytes of the fields before the given one. */
function computeOffset(layout: Layout, name: string): number {
  const before = Object.entries(layout).slice(0, Object.keys(layout).indexOf(name));
  return before.reduce((sum, [, field]) => sum + fieldSize(field), 0);
}

const findChoices = (layout: Layout) =>
  Object.entries(layout).flatMap(([name, field]) =>
    field.type === 'choice' ? [{ field: name, fallback: field.fallback }] : [],
  );
const sample = (layout: Layout) =>
  fc.sample(arbitraryMessage(layout), { numRuns: 1, seed: 1 })[0] as never;

describe('unknown numbers', () => {
  const inResponses = commandNames.flatMap((name) =>
    findChoices(COMMANDS[name].response).map((choice) => ({ name, ...choice })),
  );
  test.each(inResponses)(
    'are decoded as the fallback in $field of the response to $name',
    ({ name, field, fallback }) => {
      const layout: Layout = COMMANDS[name].response;
      const known = decodeOnlyFrame(encodeResponse(name, sample(layout), 1));
      const payload = known.payload.slice();
      payload[1 + computeOffset(layout, field)] = UNKNOWN;
      const before = decodeResponse(name, known);
      const read = decodeResponse(name, { ...known, payload });
      if (before.kind !== 'ok' || read.kind !== 'ok') return expect.fail(read.kind);
      expect(fallback).toBeDefined();
      expect(read.value).toEqual({ ...before.value, [field]: fallback });
    },
  );

  const inReports = reportNames.flatMap((name) =>
    findChoices(REPORTS[name].layout).map((choice) => ({ name, ...choice })),
  );
  test.each(inReports)(
    'are decoded as the fallback in $field of the report $name',
    ({ name, field, fallback }) => {
      const { layout } = REPORTS[name];
      const known = decodeOnlyFrame(encodeReport(name, sample(layout), 1));
      const payload = known.payload.slice();
      payload[2 + computeOffset(layout, field)] = UNKNOWN;
      const value = { ...decodeReport(known)?.value, [field]: fallback };
      expect(fallback).toBeDefined();
      expect(decodeReport({ ...known, payload })).toEqual({ name, value });
    },
  );

  const inRequests = commandNames.flatMap((name) =>
    findChoices(COMMANDS[name].request).map((choice) => ({ name, ...choice })),
  );
  test.each(inRequests)('are refused in $field of the request $name', ({ name, field }) => {
    const layout: Layout = COMMANDS[name].request;
    const known = decodeOnlyFrame(encodeRequest(name, sample(layout), 1));
    const payload = known.payload.slice();
    payload[computeOffset(layout, field)] = UNKNOWN;
    expect(decodeRequest({ ...known, payload })).toEqual({
      ok: false,
      result: 'request_malformed',
    });
  });
});

test('reads a session with scene 0 as a note', () => {
  const session = { sessionId: 7, fileSize: 160, startTime: 0, durationMs: 20 };
  const attr = { mode: 'call', scene: 'note', hasMarkers: true, stillRecording: false } as const;
  const value = { more: false, items: [{ ...session, attr }] };
  const known = decodeOnlyFrame(encodeResponse('sessionList', value, 1));
  // The result, `more` and the number of items precede the item. Its ninth byte contains `attr`.
  const attrOffset = 3 + 8;
  const payload = known.payload.slice();
  payload[attrOffset] = (payload[attrOffset] ?? 0) & ~0b110;
  expect(payload).not.toEqual(known.payload);
  expect(decodeResponse('sessionList', { ...known, payload })).toEqual({ kind: 'ok', value });
});

test('refuses to encode values that don’t fit their fields', () => {
  const item = {
    sessionId: 1,
    fileSize: 160,
    attr: { mode: 'normal', scene: 'note', hasMarkers: false, stillRecording: false },
    startTime: 0,
    durationMs: 20,
  } as const;
  expect(() => writeLayout(sessionItem, { ...item, fileSize: 2 ** 32 })).toThrow(LayoutError);
  expect(() => encodeRequest('token', { token: 'seventeen letters' }, 1)).toThrow(LayoutError);
  expect(() =>
    encodeResponse('sessionList', { more: false, items: Array(8).fill(item) }, 1),
  ).toThrow(LayoutError);
});

test('adds at most 16 bytes to a chunk of 1600 bytes', () => {
  const frame = encodeStream('chunk', { chunkIndex: 0, data: new Uint8Array(1600) }, 1);
  expect(frame.length).toBeLessThanOrEqual(1616);
});
