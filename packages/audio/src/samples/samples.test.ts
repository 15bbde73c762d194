import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { decodeOggToPcm, PacketEncoder } from '../convert.ts';
import { AudioFailure } from '../failure.ts';
import { PACKET_BYTES, SAMPLE_RATE, toGranules } from '../format.ts';
import { demuxOgg, OggOpusMuxer } from '../ogg/index.ts';
import { loadOpus, type OpusModule } from '../opus/index.ts';
import { readOpusWasm } from '../opus/wasm-node.ts';
import { writeWave } from '../wave/index.ts';
import {
  createSampleReader,
  declaredSeconds,
  OggSamples,
  type SampleReader,
  WaveSamples,
} from './index.ts';

let opus: OpusModule;
beforeAll(async () => {
  opus = await loadOpus(readOpusWasm());
});

const tone = (length: number) =>
  Int16Array.from({ length }, (_, n) => Math.round(9000 * Math.sin(n / 7)));

function readAll(reader: SampleReader, file: Uint8Array, sizes: readonly number[]): Int16Array {
  const parts: Int16Array[] = [];
  for (let offset = 0, n = 0; offset < file.length; n++) {
    const size = sizes[n % sizes.length] as number;
    // Overwrite the buffer after each call, like a caller that reuses it.
    const buffer = file.slice(offset, offset + size);
    for (const batch of reader.push(buffer)) parts.push(batch.slice());
    buffer.fill(255);
    offset += size;
  }
  parts.push(...reader.end());
  reader.free();
  return Int16Array.from(parts.flatMap((partSize) => [...partSize]));
}

/** Returns a chunk of a RIFF or AIFF file, without padding. */
function chunk(id: string, body: Uint8Array, littleEndian = true): Uint8Array {
  const head = new Uint8Array(8);
  head.set(new TextEncoder().encode(id));
  new DataView(head.buffer).setUint32(4, body.length, littleEndian);
  return new Uint8Array([...head, ...body]);
}

const concatenate = (...parts: (Uint8Array | string)[]) =>
  new Uint8Array(
    parts.flatMap((part) => [...(typeof part === 'string' ? Buffer.from(part, 'latin1') : part)]),
  );

const declaredLength = (file: Uint8Array) =>
  declaredSeconds(async (start, length) => file.subarray(start, start + length), file.length);

/** Returns a WAV file in the given encoding. @param values interleaved samples from -1 to 1 */
function createWave(
  values: readonly number[],
  formatCode: number,
  bits: number,
  channels: number,
  rate: number,
  extensible = false,
) {
  const bytes = bits / 8;
  const formatBytes = extensible ? 40 : 16;
  const file = new Uint8Array(28 + formatBytes + values.length * bytes);
  const view = new DataView(file.buffer);
  file.set(new TextEncoder().encode('RIFF\0\0\0\0WAVEfmt '));
  view.setUint32(16, formatBytes, true);
  view.setUint16(20, extensible ? 0xfffe : formatCode, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * channels * bytes, true);
  view.setUint16(32, channels * bytes, true);
  view.setUint16(34, bits, true);
  if (extensible) view.setUint16(44, formatCode, true);
  const dataAt = 20 + formatBytes;
  file.set(new TextEncoder().encode('data'), dataAt);
  view.setUint32(dataAt + 4, values.length * bytes, true);
  values.forEach((value, index) => {
    const offset = dataAt + 8 + index * bytes;
    if (formatCode === 3 && bits === 64) view.setFloat64(offset, value, true);
    else if (formatCode === 3) view.setFloat32(offset, value, true);
    else if (bits === 8) view.setUint8(offset, Math.round(value * 127) + 128);
    else {
      const integer = Math.round(value * (2 ** (bits - 1) - 1));
      for (let byte = 0; byte < bytes; byte++) file[offset + byte] = (integer >> (8 * byte)) & 255;
    }
  });
  return file;
}

describe('WaveSamples', () => {
  it('reads the written samples regardless of how the file is split', () => {
    const pcm = tone(4001);
    const file = writeWave(pcm, SAMPLE_RATE);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 2000 }), { minLength: 1 }), (sizes) => {
        expect(readAll(new WaveSamples(), file, sizes)).toEqual(pcm);
      }),
    );
  });

  it.each([
    [1, 8, 1, false],
    [1, 16, 2, false],
    [1, 24, 1, true],
    [1, 24, 2, false],
    [1, 32, 1, true],
    [3, 32, 2, false],
    [3, 32, 1, true],
    [3, 64, 2, false],
    [3, 64, 1, true],
  ])('reads format %i with %i bits and %i channels', (formatCode, bits, channels, extensible) => {
    const values = Array.from(
      { length: 900 * channels },
      (_, n) => 0.9 * Math.sin(Math.floor(n / channels) / 9),
    );
    const samples = readAll(
      new WaveSamples(),
      createWave(values, formatCode, bits, channels, SAMPLE_RATE, extensible),
      [777],
    );
    expect(samples.length).toBe(900);
    samples.forEach((sample, frame) => {
      const expected = (values[frame * channels] as number) * 32_767;
      expect(Math.abs(sample - expected)).toBeLessThan(bits === 8 ? 400 : 3);
    });
  });

  it.each([
    ['A-law', 6, [0xd5, 0x55, 0xaa, 0x2a, 0x80], [8, -8, 32_256, -32_256, 5504]],
    ['μ-law', 7, [0xff, 0x7f, 0x80, 0x00, 0xce], [0, 0, 32_124, -32_124, 988]],
  ])('expands %s as ITU-T G.711 does', (_name, formatCode, bytes, expected) => {
    const file = createWave(
      bytes.map(() => 0),
      formatCode,
      8,
      1,
      SAMPLE_RATE,
    );
    file.set(bytes, file.length - bytes.length);
    expect([...readAll(new WaveSamples(), file, [3])]).toEqual(expected);
  });

  describe('in other structures', () => {
    const pcm = tone(999);
    const little = new Uint8Array(pcm.buffer);
    const big = little.map((_, index) => little[index ^ 1] as number);
    const format = writeWave(pcm, SAMPLE_RATE).slice(20, 36);
    const u64 = (value: number) => {
      const bytes = new Uint8Array(8);
      new DataView(bytes.buffer).setBigUint64(0, BigInt(value), true);
      return bytes;
    };
    /** The last bytes of W64 chunks' GUIDs. */
    const guid = '\xf3\xac\xd3\x11\x8c\xd1\0\xc0\x4f\x8e\xdb\x8a';
    const aiff = (form: string, type: string, data: Uint8Array) => {
      const rate = Uint8Array.of(0x40, 0x0c, 0xfa, 0, 0, 0, 0, 0, 0, 0);
      const common = concatenate('\0\x01\0\0\0\0\0\x10', rate, type);
      const samples = concatenate(new Uint8Array(8), data);
      const name = `${'NAME\0\0\0\x03abc'}\0`;
      return concatenate(
        'FORM',
        '\0\0\xff\xff',
        form,
        chunk('COMM', common, false),
        name,
        chunk('SSND', samples, false),
      );
    };
    const unpadded = chunk('LIST', Uint8Array.of(1, 2, 3));
    const wave = [chunk('fmt ', format), chunk('data', little)];

    it.each([
      [
        'RF64',
        () =>
          concatenate(
            'RF64\xff\xff\xff\xffWAVE',
            chunk('ds64', concatenate(u64(0), u64(little.length), u64(0))),
            chunk('fmt ', format),
            'data\xff\xff\xff\xff',
            little,
            'LIST\x04\0\0\0INFO',
          ),
      ],
      [
        'W64',
        () =>
          concatenate(
            'riff.\x91\xcf\x11\xa5\xd6\x28\xdb\x04\xc1\0\0',
            u64(9e9),
            'wave',
            guid,
            'fact',
            guid,
            u64(28),
            new Uint8Array(8),
            'fmt ',
            guid,
            u64(40),
            format,
            'data',
            guid,
            u64(24 + little.length),
            little,
            new Uint8Array(50),
          ),
      ],
      ['AIFF', () => aiff('AIFF', '', big)],
      ['AIFF-C', () => aiff('AIFC', 'NONE\0\0', big)],
      ['AIFF-C with little-endian samples', () => aiff('AIFC', 'sowt\0\0', little)],
      ['WAV with an odd chunk', () => concatenate('RIFF\xff\xff\0\0WAVE', unpadded, '\0', ...wave)],
      [
        'WAV with an odd chunk that is not padded',
        () => concatenate('RIFF\xff\xff\0\0WAVE', unpadded, ...wave),
      ],
      [
        'WAV with a wrong byte rate',
        () =>
          concatenate(
            'RIFF\xff\xff\0\0WAVE',
            chunk(
              'fmt ',
              format.map((byte, index) => (index >= 8 && index < 14 ? 255 : byte)),
            ),
            chunk('data', little),
          ),
      ],
    ])('reads %s', async (_name, makeFile) => {
      const file = makeFile();
      for (const size of [1, 50, file.length]) {
        const reader = createSampleReader(file, opus, Number.POSITIVE_INFINITY);
        expect(readAll(reader, file, [size])).toEqual(pcm);
      }
      expect(await declaredLength(file)).toBe(pcm.length / SAMPLE_RATE);
    });

    it('reads samples of 20 bits, which are stored in 24', () => {
      const file = createWave([0.5, -0.5], 1, 24, 1, SAMPLE_RATE);
      file[34] = 20;
      expect([...readAll(new WaveSamples(), file, [9])]).toEqual([16_384, -16_384]);
    });
  });

  describe('with a header written before the recording ended', () => {
    const pcm = tone(4001);
    const completeFile = writeWave(pcm, SAMPLE_RATE);
    const dataBytes = 2 * pcm.length;
    /** Returns the file with different sizes in its header, followed by more bytes. */
    const withSizes = (
      riffSize: number,
      dataSize: number,
      after: Uint8Array = new Uint8Array(),
    ) => {
      const file = new Uint8Array([...completeFile, ...after]);
      new DataView(file.buffer).setUint32(4, riffSize, true);
      new DataView(file.buffer).setUint32(40, dataSize, true);
      return file;
    };
    const chunk = Uint8Array.of(...new TextEncoder().encode('LIST'), 4, 0, 0, 0, 73, 78, 70, 79);
    const expectSamples = async (file: Uint8Array, expected: Int16Array) => {
      for (const sizes of [[1], [44, 7], [file.length]]) {
        expect(readAll(new WaveSamples(), file, sizes)).toEqual(expected);
      }
      const read = async (start: number, length: number) => file.subarray(start, start + length);
      expect(await declaredSeconds(read, file.length)).toBeCloseTo(expected.length / SAMPLE_RATE);
    };

    it.each([
      ['no sizes', 0, 0],
      ['the sizes of an empty recording', 36, 0],
      ['the sizes of half of the recording', 36 + 4000, 4000],
      ['an odd size', 36 + 3001, 3001],
      ['unknown sizes', 0xffff_ffff, 0xffff_ffff],
      ['an unknown size of the file', 0xffff_ffff, 0],
      ['a size that is too large', 36 + 9000, 9000],
    ])('reads all samples despite %s', async (_name, riffSize, dataSize) => {
      await expectSamples(withSizes(riffSize, dataSize), pcm);
    });

    it.each([
      ['a stated chunk', 36 + dataBytes + chunk.length, chunk],
      ['an appended chunk', 36 + dataBytes, chunk],
      ['an appended tag', 36 + dataBytes, new TextEncoder().encode('TAGtitle of the song')],
      ['a few bytes', 36 + dataBytes, new Uint8Array(7)],
    ])('does not read %s after the data', async (_name, riffSize, after) => {
      await expectSamples(withSizes(riffSize, dataBytes, after), pcm);
    });

    it('reads nothing if the file states that its data is empty and followed by a chunk', async () => {
      await expectSamples(withSizes(36 + dataBytes, 0), new Int16Array());
    });
  });

  it('throws only AudioFailure', () => {
    const file = writeWave(tone(50), SAMPLE_RATE);
    fc.assert(
      fc.property(
        fc.nat(43),
        fc.integer({ min: 1, max: 255 }),
        fc.integer({ min: 1, max: 60 }),
        (offset, flip, size) => {
          const damagedFile = file.slice();
          damagedFile[offset] = (damagedFile[offset] as number) ^ flip;
          try {
            readAll(new WaveSamples(), damagedFile, [size]);
          } catch (error) {
            expect(error).toBeInstanceOf(AudioFailure);
          }
        },
      ),
    );
    expect(() => createSampleReader(new TextEncoder().encode('ID3\u0004'), opus, 1)).toThrow(
      /not-wave/,
    );
  });
});

describe('OggSamples', () => {
  it('preserves the length of encoded PCM', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5000 }),
        fc.integer({ min: 1, max: 900 }),
        (length, partSize) => {
          const pcm = tone(length);
          const encoder = new PacketEncoder(opus);
          const muxer = new OggOpusMuxer();
          const bytes = [muxer.header()];
          for (let offset = 0; offset < length; offset += partSize) {
            bytes.push(muxer.push(encoder.push(pcm.subarray(offset, offset + partSize))));
          }
          bytes.push(muxer.push(encoder.end()), muxer.end(toGranules(length)));
          encoder.free();
          const file = new Uint8Array(Buffer.concat(bytes));
          expect(new Set(demuxOgg(file).packets.map((packet) => packet.length))).toEqual(
            new Set([PACKET_BYTES]),
          );
          const decoded = decodeOggToPcm(file, opus);
          expect(decoded.length).toBe(length);
          expect(readAll(new OggSamples(opus), file, [partSize])).toEqual(decoded);
        },
      ),
    );
  });

  it('reads the same samples as decodeOggToPcm', () => {
    const scene = new URL(
      '../../../../apps/virtual-recorder/scenes/hotel-call.ogg',
      import.meta.url,
    );
    const file = new Uint8Array(readFileSync(scene));
    const samples = readAll(
      createSampleReader(file, opus, Number.POSITIVE_INFINITY),
      file,
      [10_007],
    );
    expect(samples).toEqual(decodeOggToPcm(file, opus));
  });
});
