import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { crc8, crc16 } from './crc.ts';
import {
  encodeFrame,
  FRAME_KINDS,
  type Frame,
  FrameDecoder,
  type FrameKind,
  HEADER_SIZE,
  MAX_PAYLOAD,
  SYNC_MARKER,
} from './frame.ts';

const anyFrame: fc.Arbitrary<Frame> = fc.record({
  version: fc.integer({ min: 1, max: 15 }),
  flags: fc.integer({ min: 0, max: 15 }),
  kind: fc.constantFrom(...(Object.keys(FRAME_KINDS) as FrameKind[])),
  command: fc.integer({ min: 0, max: 255 }),
  sequence: fc.integer({ min: 0, max: 65535 }),
  payload: fc.uint8Array({ maxLength: 300 }),
});
const validFrame: Frame = {
  version: 1,
  flags: 0,
  kind: 'response',
  command: 6,
  sequence: 7,
  payload: Uint8Array.of(1, 2, 3),
};

function concat(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

function splitBytes(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let offset = 0;
  for (let round = 0; offset < bytes.length; round++) {
    const size = sizes[round % sizes.length] ?? 1;
    parts.push(bytes.subarray(offset, offset + size));
    offset += size;
  }
  return parts;
}

test('computes the published check values of both checksums', () => {
  const digits = new TextEncoder().encode('123456789');
  expect(crc16(digits)).toBe(0x29b1);
  expect(crc8(digits)).toBe(0xfb);
});

test('decodes frames in order regardless of how the stream is split', () => {
  fc.assert(
    fc.property(
      fc.array(anyFrame, { minLength: 1, maxLength: 6 }),
      fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 5 }),
      (frames, sizes) => {
        const decoder = new FrameDecoder();
        const stream = concat(...frames.map(encodeFrame));
        expect(splitBytes(stream, sizes).flatMap((part) => decoder.push(part))).toEqual(frames);
        expect(decoder.pending).toBe(0);
        expect(decoder.skippedBytes).toBe(0);
      },
    ),
  );
});

test('skips stray bytes between frames', () => {
  const strayWithoutMarker = fc
    .uint8Array({ maxLength: 60 })
    .map((bytes) => bytes.filter((byte) => byte !== SYNC_MARKER[0]));
  fc.assert(
    fc.property(strayWithoutMarker, anyFrame, strayWithoutMarker, (before, frame, after) => {
      const decoder = new FrameDecoder();
      const frames = decoder.push(concat(before, encodeFrame(frame), after));
      expect(frames).toEqual([frame]);
      expect(decoder.skippedBytes).toBe(before.length + after.length);
    }),
  );
});

test('decodes the frame after a damaged frame', () => {
  fc.assert(
    fc.property(
      anyFrame,
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      fc.integer({ min: 1, max: 64 }),
      (frame, position, flip, size) => {
        const damagedFrame = encodeFrame(frame);
        const index = position % damagedFrame.length;
        damagedFrame[index] = (damagedFrame[index] ?? 0) ^ flip;
        const decoder = new FrameDecoder();
        const parts = splitBytes(concat(damagedFrame, encodeFrame(validFrame)), [size]);
        const frames = [...parts.flatMap((part) => decoder.push(part)), ...decoder.abandon()];
        expect(frames.at(-1)).toEqual(validFrame);
        expect(frames).toHaveLength(1);
      },
    ),
    { numRuns: 500 },
  );
});

test('decodes the next frame once a truncated frame is abandoned', () => {
  fc.assert(
    fc.property(anyFrame, fc.nat(), (frame, keep) => {
      const encoded = encodeFrame(frame);
      const decoder = new FrameDecoder();
      const stream = concat(encoded.subarray(0, keep % encoded.length), encodeFrame(validFrame));
      // Skip cases in which the next frame happens to start with exactly the missing bytes.
      fc.pre(!encoded.every((byte, index) => stream[index] === byte));
      const frames = [...decoder.push(stream), ...decoder.abandon()];
      expect(frames).toEqual([validFrame]);
      expect(decoder.pending).toBe(0);
    }),
  );
});

test('accepts noise without throwing, buffers at most one frame, and decodes the next valid frame', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 3000 }), { maxLength: 5 }), (noise) => {
      const decoder = new FrameDecoder();
      for (const part of noise) decoder.push(part);
      expect(decoder.pending).toBeLessThan(HEADER_SIZE + MAX_PAYLOAD + 2);
      decoder.abandon();
      expect(decoder.push(encodeFrame(validFrame))).toEqual([validFrame]);
    }),
  );
});

describe('FrameDecoder', () => {
  test('does not decode markers and complete frames inside a payload', () => {
    const innerBytes = concat(SYNC_MARKER, SYNC_MARKER, encodeFrame(validFrame), SYNC_MARKER);
    const outerFrame = { ...validFrame, payload: innerBytes };
    const decoder = new FrameDecoder();
    expect(
      [...encodeFrame(outerFrame)].flatMap((byte) => decoder.push(Uint8Array.of(byte))),
    ).toEqual([outerFrame]);
  });

  test('rejects a damaged length because of the header checksum', () => {
    const damagedFrame = encodeFrame(validFrame);
    damagedFrame[7] = 0xff;
    expect(new FrameDecoder().push(concat(damagedFrame, encodeFrame(validFrame)))).toEqual([
      validFrame,
    ]);
  });

  test('rejects a length beyond the limit even if the header checksum is valid', () => {
    const header = Uint8Array.of(0x10, 1, 1, 0, 0, 0xff, 0xff);
    const damagedBytes = concat(SYNC_MARKER, header, Uint8Array.of(crc8(header)));
    expect(new FrameDecoder().push(concat(damagedBytes, encodeFrame(validFrame)))).toEqual([
      validFrame,
    ]);
  });

  test('finds a marker split across two notifications', () => {
    const decoder = new FrameDecoder();
    const bytes = encodeFrame(validFrame);
    expect(decoder.push(concat(Uint8Array.of(0x4c, 0x4c, 0), bytes.subarray(0, 1)))).toEqual([]);
    expect(decoder.push(bytes.subarray(1))).toEqual([validFrame]);
  });

  test('skips a valid frame of an unknown kind', () => {
    const header = Uint8Array.of(0x10, 9, 1, 0, 0, 17, 0);
    const innerFrame = encodeFrame({ ...validFrame, payload: Uint8Array.of(1, 2, 3, 4, 5) });
    const body = concat(header, Uint8Array.of(crc8(header)), innerFrame);
    const check = crc16(body);
    const unknown = concat(SYNC_MARKER, body, Uint8Array.of(check & 0xff, check >> 8));
    const decoder = new FrameDecoder();
    expect(decoder.push(concat(unknown, encodeFrame(validFrame)))).toEqual([validFrame]);
    expect(decoder.skippedBytes).toBe(0);
  });

  test('accepts more bytes at once than the buffer can hold', () => {
    const many = Array.from({ length: 50 }, (_, sequence) => ({
      ...validFrame,
      sequence,
      payload: new Uint8Array(MAX_PAYLOAD).fill(sequence),
    }));
    expect(new FrameDecoder().push(concat(...many.map(encodeFrame)))).toEqual(many);
  });

  test('refuses to encode a payload beyond the limit', () => {
    expect(() => encodeFrame({ ...validFrame, payload: new Uint8Array(MAX_PAYLOAD + 1) })).toThrow(
      RangeError,
    );
  });
});

test.each([1, 2])('decodes all frames when each has lost its last %d bytes', (lost) => {
  // Collect frames whose checksum ends with a complete or partial sync marker.
  const marker = SYNC_MARKER.slice(0, lost);
  const framesEndingWithMarker: Frame[] = [];
  for (let number = 0; framesEndingWithMarker.length < 20; number++) {
    const payload = Uint8Array.of(number >> 16);
    const frame = { ...validFrame, sequence: number & 0xffff, payload };
    if (encodeFrame(frame).slice(-lost).join() === marker.join())
      framesEndingWithMarker.push(frame);
  }
  const stream = concat(
    ...framesEndingWithMarker.map((frame) => encodeFrame(frame).slice(0, -lost)),
  );
  const joined = concat(stream, encodeFrame(validFrame));
  for (const size of [1, 3, 8, 9, 10, 11, 4000, joined.length]) {
    const decoder = new FrameDecoder();
    const frames = splitBytes(joined, [size]).flatMap((part) => decoder.push(part));
    expect(frames).toEqual([...framesEndingWithMarker, validFrame]);
    expect(decoder.skippedBytes).toBe(0);
  }
});

test('decodes the frame after a complete frame that ends with a marker', () => {
  let number = 0;
  const createNextFrame = () => {
    const payload = Uint8Array.of(number >> 16);
    return { ...validFrame, sequence: number++ & 0xffff, payload };
  };
  let frame = createNextFrame();
  while (encodeFrame(frame).slice(-2).join() !== SYNC_MARKER.join()) frame = createNextFrame();
  const decoder = new FrameDecoder();
  const joined = concat(encodeFrame(frame), encodeFrame(validFrame), encodeFrame(frame));
  const frames = splitBytes(joined, [1]).flatMap((part) => decoder.push(part));
  expect(frames).toEqual([frame, validFrame, frame]);
});
