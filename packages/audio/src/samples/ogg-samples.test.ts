import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { PacketEncoder } from '../convert.ts';
import { AudioFailure } from '../failure.ts';
import { PACKET_BYTES, PACKET_SAMPLES, PRE_SKIP_SAMPLES, SAMPLE_RATE } from '../format.ts';
import { demuxOgg, muxOgg } from '../ogg/index.ts';
import { FLAG_FIRST, FLAG_LAST, pageLength, writePage } from '../ogg/page.ts';
import { loadOpus, type OpusModule } from '../opus/index.ts';
import { readOpusWasm } from '../opus/wasm-node.ts';
import { declaredSeconds, OggSamples } from './index.ts';

let opus: OpusModule;
/** Intact files with different tones: the first has 50 packets, the second 30. */
let first: Uint8Array;
let second: Uint8Array;
beforeAll(async () => {
  opus = await loadOpus(readOpusWasm());
  [first, second] = [createOgg(50, 7), createOgg(30, 11)];
});

/** Returns a file with a tone. */
function createOgg(packets: number, period: number): Uint8Array {
  const encoder = new PacketEncoder(opus);
  const pcm = Int16Array.from({ length: packets * PACKET_SAMPLES }, (_, n) =>
    Math.round(9000 * Math.sin(n / period)),
  );
  const file = muxOgg(encoder.push(pcm));
  encoder.free();
  return file;
}

const concat = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));

/** Returns the file's pages. */
function splitPages(file: Uint8Array): Uint8Array[] {
  const pages: Uint8Array[] = [];
  for (let offset = 0; offset < file.length; ) {
    const length = pageLength(file, offset) as number;
    pages.push(file.slice(offset, offset + length));
    offset += length;
  }
  return pages;
}

/** Returns the file with its pages changed. */
const withPages = (file: Uint8Array, change: (pages: Uint8Array[]) => Uint8Array[]) =>
  concat(...change(splitPages(file)));

/** Returns the file with another stream's serial number and granule positions. */
const asStream = (file: Uint8Array, serial: number, granule = 0) =>
  withPages(file, (pages) =>
    pages.map((page, sequence) => {
      const packets = demuxOgg(file).packets.slice((sequence - 2) * 10, (sequence - 1) * 10);
      const end = new DataView(page.buffer).getBigInt64(6, true);
      const headers = [page.slice(28), page.slice(28)];
      return writePage({
        flags: page[5] as number,
        granule: sequence < 2 ? 0 : Number(end) + granule,
        serial,
        sequence,
        packets: sequence < 2 ? headers.slice(0, 1) : packets,
      });
    }),
  );

function flip(file: Uint8Array, offset: number): Uint8Array {
  const damagedFile = file.slice();
  damagedFile[offset] = (damagedFile[offset] as number) ^ 0xff;
  return damagedFile;
}

function samplesIn(file: Uint8Array, pieceBytes = file.length): Int16Array {
  const reader = new OggSamples(opus);
  const parts: Int16Array[] = [];
  for (let offset = 0; offset < file.length; offset += pieceBytes) {
    const piece = file.slice(offset, offset + pieceBytes);
    for (const batch of reader.push(piece)) parts.push(batch.slice());
    piece.fill(255);
  }
  for (const batch of reader.end()) parts.push(batch.slice());
  reader.free();
  return Int16Array.from(parts.flatMap((part) => [...part]));
}

/** Returns the declared duration, and refuses to read anything outside the file. */
const readDeclaredSeconds = (file: Uint8Array) =>
  declaredSeconds(async (start, length) => {
    if (start < 0 || start + length > file.length) throw new RangeError(`${start} + ${length}`);
    return file.slice(start, start + length);
  }, file.length);

it('finds the duration even if the file size is close to the size of the parts that are read', async () => {
  const sizes = [];
  for (let packets = 390; packets <= 425; packets += 5) {
    const file = createOgg(packets, 7);
    sizes.push(file.length);
    const expected = (packets * PACKET_SAMPLES - PRE_SKIP_SAMPLES) / SAMPLE_RATE;
    expect(await readDeclaredSeconds(file)).toBe(expected);
  }
  expect(sizes.filter((size) => size > 64 * 1024 && size < 66 * 1024)).not.toEqual([]);
});

describe('consecutive streams', () => {
  it.each([
    ['different serial numbers', () => asStream(second, 5)],
    ['the same serial number', () => second],
  ])('are read as one recording if they have %s', async (_what, next) => {
    const file = concat(first, next());
    const samples = samplesIn(file);
    expect(samples).toEqual(Int16Array.of(...samplesIn(first), ...samplesIn(second)));
    expect(samplesIn(file, 100)).toEqual(samples);
    expect(await readDeclaredSeconds(file)).toBe(samples.length / SAMPLE_RATE);
  });

  it.each([
    ['different serial numbers', 5],
    ['the same serial number', 9],
  ])('declare their total duration in a large file if they have %s', async (_what, serial) => {
    const [longStream, shortStream] = [
      asStream(createOgg(1200, 7), 9),
      asStream(createOgg(800, 9), serial),
    ];
    const expected = (2000 * PACKET_SAMPLES - 2 * PRE_SKIP_SAMPLES) / SAMPLE_RATE;
    expect(await readDeclaredSeconds(concat(longStream, shortStream))).toBe(expected);
    expect(await readDeclaredSeconds(concat(shortStream, longStream))).toBe(expected);
  });

  it("are read even if the second stream's first page is damaged", () => {
    const file = concat(first, flip(asStream(second, 5), 30));
    expect(samplesIn(file)).toEqual(Int16Array.of(...samplesIn(first), ...samplesIn(second)));
  });
});

describe('a damaged page', () => {
  const pageBytes = 27 + 10 + 10 * PACKET_BYTES;
  const pageSamples = 10 * PACKET_SAMPLES;

  it.each([
    ['a wrong byte', (page: Uint8Array) => [flip(page, 500)]],
    ['a wrong length', (page: Uint8Array) => [flip(page, 28)]],
    ['no beginning', (page: Uint8Array) => [page.slice(50)]],
    ['no end', (page: Uint8Array) => [page.slice(0, 900)]],
    ['no bytes left', () => []],
    ['been overwritten with other bytes', () => [new Uint8Array(70_000).fill(0x4f)]],
  ])('is replaced by silence if it has %s', async (_what, damage) => {
    const file = withPages(first, (pages) => pages.toSpliced(4, 1, ...damage(pages[4] as never)));
    const [expected, samples] = [samplesIn(first), samplesIn(file)];
    expect(samples.length).toBe(expected.length);
    const silence = { start: 2 * pageSamples - PRE_SKIP_SAMPLES, end: 0 };
    silence.end = silence.start + pageSamples;
    expect(samples.slice(0, silence.start)).toEqual(expected.slice(0, silence.start));
    expect(samples.slice(silence.start, silence.end)).toEqual(new Int16Array(pageSamples));
    // The decoder needs a few packets to recover.
    const recovered = silence.end + 5 * PACKET_SAMPLES;
    const differences = samples.slice(recovered).map((s, n) => s - (expected[recovered + n] ?? 0));
    expect(Math.max(...differences.map(Math.abs))).toBeLessThan(500);
    expect(samplesIn(file, 77)).toEqual(samples);
    expect(await readDeclaredSeconds(file)).toBe(expected.length / SAMPLE_RATE);
  });

  it('is replaced by silence at the start of the audio', () => {
    const samples = samplesIn(withPages(first, (pages) => pages.toSpliced(2, 1)));
    expect(samples.length).toBe(samplesIn(first).length);
    expect(samples.slice(0, pageSamples - PRE_SKIP_SAMPLES)).toEqual(
      new Int16Array(pageSamples - PRE_SKIP_SAMPLES),
    );
  });

  it('is ignored at the end of the file', () => {
    const samples = samplesIn(flip(first, first.length - 100));
    expect(samples).toEqual(samplesIn(first).slice(0, samples.length));
    expect(samples.length).toBe(4 * pageSamples - PRE_SKIP_SAMPLES);
  });

  it('changes the duration only if it is the last page, whichever byte is wrong', () => {
    const length = samplesIn(first).length;
    fc.assert(
      fc.property(fc.nat(first.length - 1), fc.constantFrom(61, first.length), (offset, size) => {
        const isLast = offset >= first.length - pageBytes;
        expect(samplesIn(flip(first, offset), size).length).toBe(
          isLast ? length - pageSamples : length,
        );
      }),
    );
  });

  it('fails in bounded time if the file is crafted to be checked repeatedly', () => {
    const candidate = Uint8Array.of(0x4f, 0x67, 0x67, 0x53, ...new Uint8Array(22), 255);
    const body = new Uint8Array(8_000_000).fill(255);
    for (let offset = 0; offset < body.length; offset += 300) body.set(candidate, offset);
    expect(() => samplesIn(concat(first, body))).toThrow(/page-corrupt/);
  });
});

describe('concurrent streams', () => {
  const skeleton = (sequence: number, flags: number) =>
    writePage({
      flags,
      granule: 0,
      serial: 99,
      sequence,
      packets: [new TextEncoder().encode('fishead\0')],
    });

  it('are ignored', async () => {
    const file = withPages(first, ([head, ...rest]) => [
      skeleton(0, FLAG_FIRST),
      head as never,
      skeleton(1, 0),
      ...rest.flatMap((page, n) => (n === 2 ? [skeleton(2, FLAG_LAST), page] : [page])),
    ]);
    expect(samplesIn(file)).toEqual(samplesIn(first));
    expect(await readDeclaredSeconds(file)).toBe(samplesIn(first).length / SAMPLE_RATE);
  });

  it('are not mistaken for Opus', () => {
    expect(() => samplesIn(concat(skeleton(0, FLAG_FIRST), skeleton(1, 0)))).toThrow(/not-opus/);
  });

  it('are ignored even if they are Opus', () => {
    const [head, ...rest] = splitPages(asStream(second, 5));
    const file = withPages(first, ([firstHead, ...pages]) => [
      ...[firstHead, head].map((page) => page as never),
      ...pages.flatMap((page, n) => [page, ...rest.slice(n, n + 1)]),
    ]);
    expect(samplesIn(file)).toEqual(samplesIn(first));
  });
});

it('an excerpt has the length of its audio', async () => {
  const file = asStream(first, 3, 3600 * 48_000);
  expect(samplesIn(file)).toEqual(samplesIn(first));
  expect(await readDeclaredSeconds(file)).toBe(samplesIn(first).length / SAMPLE_RATE);
});

it('reports a file without a complete page of audio as truncated', () => {
  for (const end of [0, 1, 30, 60, 200]) {
    expect(() => samplesIn(first.slice(0, end))).toThrow(/truncated/);
  }
});

it('throws only AudioFailure for arbitrary bytes after a page', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 9 }), (tail, size) => {
      try {
        samplesIn(concat(first.slice(0, 47), tail), size);
      } catch (error) {
        expect(error).toBeInstanceOf(AudioFailure);
      }
    }),
  );
});
