import { beforeAll, describe, expect, it } from 'vitest';
import { OggOpusReader } from '../ogg/index.ts';
import { FLAG_FIRST, writePage } from '../ogg/page.ts';
import { loadOpus, type OpusModule } from '../opus/index.ts';
import { readOpusWasm } from '../opus/wasm-node.ts';
import { createSampleReader, declaredSeconds, maxSecondsFor } from './index.ts';

let opus: OpusModule;
beforeAll(async () => {
  opus = await loadOpus(readOpusWasm());
});

const serial = 7;
const createHead = () => {
  const bytes = new Uint8Array(19);
  bytes.set(new TextEncoder().encode('OpusHead'));
  bytes[8] = 1;
  bytes[9] = 1;
  return bytes;
};
const createPage = (sequence: number, granule: number, packets: Uint8Array[], flags = 0) =>
  writePage({ flags, granule, serial, sequence, packets });
const createHeaders = () => [
  createPage(0, 0, [createHead()], FLAG_FIRST),
  createPage(1, 0, [new TextEncoder().encode('OpusTags\0\0\0\0\0\0\0\0')]),
];
/** A two-byte packet that decodes to 120 ms: two 60 ms SILK frames (TOC configuration 3, code 3). */
const longPacket = Uint8Array.of((3 << 3) | 3, 2);

/** Returns a file full of minimal packets that declares a duration of three seconds. */
function createBomb(pages: number): Uint8Array {
  const packets = Array.from({ length: 255 }, () => longPacket);
  const body = Array.from({ length: pages }, (_, n) => createPage(n + 2, 3 * 48_000, packets));
  return new Uint8Array(Buffer.concat([...createHeaders(), ...body]));
}

describe('createSampleReader', () => {
  it('stops reading a file that contains more audio than it declares', async () => {
    const file = createBomb(40);
    const read = async (start: number, length: number) => file.slice(start, start + length);
    const declared = await declaredSeconds(read, file.length);
    expect(declared).toBe(3);
    const budget = maxSecondsFor(3) * 16_000;
    const reader = createSampleReader(file, opus, budget);
    let sampleCount = 0;
    const readAll = () => {
      for (const batch of reader.push(file)) {
        expect(batch.length).toBeLessThan(65_536);
        sampleCount += batch.length;
      }
    };
    expect(readAll).toThrow(/too-long/);
    expect(sampleCount).toBeLessThanOrEqual(budget);
    reader.free();
  });
});

describe('OggOpusReader', () => {
  it('rejects an oversized packet at its second page', () => {
    const reader = new OggOpusReader();
    reader.push(new Uint8Array(Buffer.concat(createHeaders())));
    const first = createPage(2, -1, [new Uint8Array(1499)]);
    expect(reader.push(first)).toHaveLength(1);
    const continuedPage = {
      granule: -1,
      serial,
      packets: [new Uint8Array(255 * 5)],
      continues: true,
    };
    expect(reader.push(writePage({ ...continuedPage, flags: 0, sequence: 3 }))).toEqual([]);
    const next = writePage({ ...continuedPage, flags: 1, sequence: 4 });
    expect(() => reader.push(next)).toThrow(/opus-invalid/);
  });

  it('rejects too many pages in which no packet ends', () => {
    const reader = new OggOpusReader();
    reader.push(new Uint8Array(Buffer.concat(createHeaders())));
    const emptyPage = createPage(2, -1, []);
    const many = new Uint8Array(Buffer.concat(Array.from({ length: 2000 }, () => emptyPage)));
    expect(() => reader.push(many)).toThrow(/page-corrupt/);
  });

  it('skips empty packets', () => {
    const reader = new OggOpusReader();
    reader.push(new Uint8Array(Buffer.concat(createHeaders())));
    expect(reader.push(createPage(2, 960, [new Uint8Array(), longPacket]))).toEqual([longPacket]);
  });
});

describe('declaredSeconds', () => {
  it('derives the duration of a WAV file from its format, not from the stated byte rate', async () => {
    const file = Buffer.alloc(44 + 8000);
    file.write('RIFF', 0);
    file.write('WAVEfmt ', 8);
    file.writeUInt32LE(16, 16);
    file.writeUInt16LE(1, 20);
    file.writeUInt16LE(1, 22);
    file.writeUInt32LE(4000, 24);
    file.writeUInt32LE(0x7fff_ffff, 28);
    file.writeUInt16LE(8, 34);
    file.write('data', 36);
    file.writeUInt32LE(8000, 40);
    const read = async (start: number, length: number) =>
      new Uint8Array(file.subarray(start, start + length));
    expect(await declaredSeconds(read, file.length)).toBe(2);
  });
});
