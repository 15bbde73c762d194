import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { decodeOggToPcm, PacketDecoder } from './convert.ts';
import { AudioFailure } from './failure.ts';
import { PACKET_BYTES, PACKET_SAMPLES, PRE_SKIP_SAMPLES, SAMPLE_RATE } from './format.ts';
import { demuxOgg, muxOgg, OggOpusMuxer, OggOpusReader } from './ogg/index.ts';
import { loadOpus, type OpusModule } from './opus/index.ts';
import { readOpusWasm } from './opus/wasm-node.ts';
import { fewerPeaks, LevelMeter, PacketMeter, PeakMeter } from './peaks.ts';
import { SessionFileBuilder } from './session-file.ts';
import { parseWave, writeWave } from './wave/index.ts';

let opus: OpusModule;
const dir = mkdtempSync(join(tmpdir(), 'linnet-audio-'));
beforeAll(async () => {
  opus = await loadOpus(readOpusWasm());
});
afterAll(() => rmSync(dir, { recursive: true }));

/** Returns a frequency sweep from 300 Hz upward that covers the range of the voice. */
function sweep(packets: number): Int16Array {
  return Int16Array.from({ length: packets * PACKET_SAMPLES }, (_, i) =>
    Math.round(9000 * Math.sin((i / SAMPLE_RATE) * 2 * Math.PI * (300 + i / 100))),
  );
}

function encode(pcm: Int16Array): Uint8Array {
  const encoder = opus.createEncoder();
  const packets = new Uint8Array((pcm.length / PACKET_SAMPLES) * PACKET_BYTES);
  for (let i = 0; i < pcm.length / PACKET_SAMPLES; i++) {
    const packet = encoder.encode(pcm.subarray(i * PACKET_SAMPLES, (i + 1) * PACKET_SAMPLES));
    expect(packet.length).toBe(PACKET_BYTES);
    packets.set(packet, i * PACKET_BYTES);
  }
  encoder.free();
  return packets;
}

/** Returns the signal-to-noise ratio of `b` against `a` in dB. Ignores the first 0.1 s, while filters settle. */
function signalToNoise(a: Int16Array, b: Int16Array): number {
  let noise = 0;
  let signal = 0;
  for (let i = 1600; i < Math.min(a.length, b.length); i++) {
    noise += ((a[i] as number) - (b[i] as number)) ** 2;
    signal += (a[i] as number) ** 2;
  }
  return 10 * Math.log10(signal / noise);
}

/** Runs a system tool. Skips the test if the tool isn't installed. */
function runTool(context: TestContext, command: string, args: string[]): string {
  const run = spawnSync(command, args, { encoding: 'utf8' });
  if (run.error) {
    if (process.env.CI === 'true') throw run.error;
    context.skip(`${command} is not installed`);
  }
  expect(run.status, run.stderr).toBe(0);
  return run.stdout + run.stderr;
}

describe('Opus', () => {
  it('encodes packets of 160 bytes that decode to the original audio', () => {
    const pcm = sweep(100);
    const decoder = new PacketDecoder(opus);
    const decoded = decoder.push(encode(pcm));
    decoder.free();
    expect(decoded.length).toBe(pcm.length - PRE_SKIP_SAMPLES);
    expect(signalToNoise(pcm, decoded)).toBeGreaterThan(10);
  });

  it('rejects an incomplete frame of samples, and an incomplete packet', () => {
    const encoder = opus.createEncoder();
    expect(() => encoder.encode(new Int16Array(319))).toThrow(AudioFailure);
    const decoder = new PacketDecoder(opus);
    expect(() => decoder.push(new Uint8Array(161))).toThrow(/truncated/);
  });
});

describe('Ogg', () => {
  it('round-trips packets regardless of how they are split', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 64 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 30 }),
        (packetCount, cuts) => {
          const packets = Uint8Array.from({ length: packetCount * PACKET_BYTES }, (_, i) => i * 7);
          const muxer = new OggOpusMuxer();
          const parts = [muxer.header()];
          let offset = 0;
          for (let i = 0; offset < packets.length; i++) {
            const size = (cuts[i % cuts.length] as number) * PACKET_BYTES;
            parts.push(muxer.push(packets.subarray(offset, offset + size)));
            offset += size;
          }
          parts.push(muxer.end());
          const file = Uint8Array.from(parts.flatMap((part) => [...part]));
          expect(file).toEqual(muxOgg(packets));
          const ogg = demuxOgg(file);
          expect(Uint8Array.from(ogg.packets.flatMap((p) => [...p]))).toEqual(packets);
          expect(ogg.granules).toBe(packetCount * 960);
        },
      ),
    );
  });

  it('reads the same packets from pieces of a file and reports a truncated file', () => {
    const file = muxOgg(encode(sweep(57)));
    const completePackets = demuxOgg(file);
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1 }),
        fc.nat(file.length),
        (sizes, end) => {
          const reader = new OggOpusReader();
          const packets = [];
          for (let offset = 0, n = 0; offset < end; n++) {
            const size = Math.min(sizes[n % sizes.length] as number, end - offset);
            packets.push(...reader.push(file.subarray(offset, offset + size)));
            offset += size;
          }
          expect(packets).toEqual(completePackets.packets.slice(0, packets.length));
          if (end < file.length) return;
          reader.end();
          expect(packets).toHaveLength(completePackets.packets.length);
          expect(reader.granules).toBe(completePackets.granules);
        },
      ),
    );
    const truncated = new OggOpusReader();
    truncated.push(file.subarray(0, file.length - 1));
    expect(() => truncated.end()).toThrow(AudioFailure);
    expect(() => new OggOpusReader().end()).toThrow(AudioFailure);
  });

  it('throws only AudioFailure for damaged bytes', () => {
    const file = muxOgg(encode(sweep(25)));
    fc.assert(
      fc.property(fc.nat(file.length - 1), fc.integer({ min: 1, max: 255 }), (offset, flip) => {
        const damagedFile = file.slice();
        damagedFile[offset] = (damagedFile[offset] as number) ^ flip;
        try {
          demuxOgg(damagedFile);
          return false;
        } catch (error) {
          return error instanceof AudioFailure;
        }
      }),
      { numRuns: 1000 },
    );
    for (let length = 1; length < file.length; length += 37) {
      expect(() => {
        const { packets } = demuxOgg(file.subarray(0, length));
        // A file cut between two pages is a valid, shorter stream.
        if (packets.length % 10 !== 0) throw new Error('a partial page was accepted');
      }).toSatisfy((run: () => void) => {
        try {
          run();
          return true;
        } catch (error) {
          return error instanceof AudioFailure;
        }
      });
    }
  });

  it('produces files that opusinfo accepts', (context) => {
    const path = join(dir, 'session.ogg');
    writeFileSync(path, muxOgg(encode(sweep(123))));
    const report = runTool(context, 'opusinfo', [path]);
    expect(report).not.toMatch(/WARNING|ERROR/i);
    expect(report).toMatch(/Pre-skip: 312/);
    expect(report).toMatch(/Page duration:\s+200\.0ms \(max\)/);
    expect(report).toMatch(/Playback length: 0m:02\.453s/);
  });

  it('decodes like opusdec and produces files that ffprobe recognizes', (context) => {
    const file = muxOgg(encode(sweep(200)));
    const decoded = decodeOggToPcm(file, opus);
    const ogg = join(dir, 'same.ogg');
    const wav = join(dir, 'same.wav');
    writeFileSync(ogg, file);
    runTool(context, 'opusdec', ['--quiet', '--rate', '16000', '--no-dither', ogg, wav]);
    const reference = parseWave(readFileSync(wav)).samples;
    // opusdec's resampler appends a few samples.
    expect(Math.abs(reference.length - decoded.length)).toBeLessThan(PACKET_SAMPLES);
    // opusdec decodes at 48 kHz and resamples, which shifts the audio by up to 3 ms (48 samples) and a fraction of a
    // sample. At the sweep's 1.6 kHz, half a sample alone reduces the ratio to 10 dB.
    const agreement = Array.from({ length: 48 }, (_, lag) =>
      signalToNoise(reference.subarray(lag), decoded),
    );
    expect(Math.max(...agreement)).toBeGreaterThan(10);
    const probe = runTool(context, 'ffprobe', ['-v', 'error', '-show_entries', 'stream', ogg]);
    expect(probe).toMatch(/codec_name=opus/);
    expect(probe).toMatch(/channels=1/);
  });
});

describe('WAV', () => {
  it('round-trips samples and produces files that ffprobe recognizes', (context) => {
    const pcm = sweep(50);
    const file = writeWave(pcm, SAMPLE_RATE);
    expect(parseWave(file)).toEqual({ sampleRate: SAMPLE_RATE, channels: 1, samples: pcm });
    const path = join(dir, 'one.wav');
    writeFileSync(path, file);
    const probe = runTool(context, 'ffprobe', ['-v', 'error', '-show_entries', 'stream', path]);
    expect(probe).toMatch(/codec_name=pcm_s16le/);
    expect(probe).toMatch(/sample_rate=16000/);
    expect(probe).toMatch(/duration=1\.000000/);
  });

  it('reads a partly written file, and rejects other bytes', () => {
    const file = writeWave(sweep(10), SAMPLE_RATE);
    expect(parseWave(file.subarray(0, 1001)).samples.length).toBe(478);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          parseWave(bytes);
          return false;
        } catch (error) {
          return error instanceof AudioFailure && error.code === 'not-wave';
        }
      }),
    );
  });
});

describe('PeakMeter', () => {
  it('returns 600 to 1200 peaks that reflect the loudness of a long recording', () => {
    const meter = new PeakMeter();
    const quietSamples = new Int16Array(320).fill(30);
    const loud = new Int16Array(320).fill(-30_000);
    for (let i = 0; i < 6000; i++) meter.push(i < 3000 ? quietSamples : loud);
    const peaks = meter.peaks();
    expect(peaks.length).toBeGreaterThanOrEqual(600);
    expect(peaks.length).toBeLessThanOrEqual(1200);
    expect(Math.max(...peaks.subarray(0, peaks.length / 2 - 1))).toBeLessThan(2);
    expect(Math.min(...peaks.subarray(peaks.length / 2 + 1))).toBeGreaterThan(230);
  });
});

describe('fewerPeaks', () => {
  it('returns at most the requested number', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 1300 }),
        fc.integer({ min: 1, max: 200 }),
        (all, maxCount) => {
          const fewer = fewerPeaks(all, maxCount);
          expect(fewer).toHaveLength(Math.min(all.length, maxCount));
          if (all.length <= maxCount) expect([...fewer]).toEqual([...all]);
          for (const peak of fewer) expect(peak).toBeLessThanOrEqual(Math.max(...all));
        },
      ),
    );
  });

  it('reflects loudness and attenuates a single click in silence', () => {
    const half = Uint8Array.from({ length: 1000 }, (_, offset) => (offset < 500 ? 2 : 200));
    expect([...fewerPeaks(half, 4)]).toEqual([2, 2, 200, 200]);
    const click = new Uint8Array(100);
    click[3] = 250;
    expect(fewerPeaks(click, 10)[0]).toBeLessThan(10);
  });
});

describe('LevelMeter', () => {
  it('returns the maximum of each complete packet, however the samples are split', () => {
    const samples = sweep(4);
    samples[PACKET_SAMPLES + 7] = -32_768;
    fc.assert(
      fc.property(fc.array(fc.nat(samples.length), { maxLength: 9 }), (cuts) => {
        const meter = new LevelMeter();
        const bounds = [0, ...cuts.sort((a, b) => a - b), samples.length];
        const levels = bounds.flatMap((bound, index) =>
          meter.push(samples.subarray(bound, bounds[index + 1] ?? bound)),
        );
        expect(levels).toHaveLength(4);
        expect(levels[1]).toBe(255);
        expect(Math.max(levels[0] ?? 0, levels[2] ?? 0, levels[3] ?? 0)).toBe(70);
      }),
    );
  });
});

describe('PacketMeter', () => {
  it('measures packets regardless of how they are split, and returns 0 for silence', () => {
    const packets = encode(Int16Array.of(...sweep(20), ...new Int16Array(20 * PACKET_SAMPLES)));
    const completeMeter = new PacketMeter(opus);
    const levels = completeMeter.push(packets);
    expect(levels).toHaveLength(40);
    // The sweep has an amplitude of 9000, or 70 out of 255. The codec deviates by a few percent.
    for (const level of levels.subarray(2, 19)) expect(Math.abs(level - 70)).toBeLessThan(7);
    expect(Math.max(...levels.subarray(22))).toBe(0);
    const inParts = new PacketMeter(opus);
    const parts = [packets.subarray(0, 1600), packets.subarray(1600, 1760), packets.subarray(1760)];
    expect(parts.flatMap((part) => [...inParts.push(part)])).toEqual([...levels]);
    for (const meter of [completeMeter, inParts]) meter.free();
  });
});

describe('SessionFileBuilder', () => {
  it('creates the same files and digest regardless of how packets are split', () => {
    const packets = encode(sweep(57));
    for (const partSize of [160, 1600, 4960, packets.length]) {
      const maker = new SessionFileBuilder(opus);
      const pieces = [maker.begin()];
      for (let offset = 0; offset < packets.length; offset += partSize) {
        pieces.push(maker.push(packets.subarray(offset, offset + partSize)));
      }
      const { facts, ...last } = maker.end();
      const ogg = Buffer.concat([...pieces.map((piece) => piece.ogg), last.ogg]);
      const wave = Buffer.concat(pieces.map((piece) => piece.wave));
      expect(parseWave(wave).samples).toHaveLength(0);
      wave.set(last.waveHeader);
      expect(ogg.equals(muxOgg(packets))).toBe(true);
      const pcm = decodeOggToPcm(ogg, opus);
      expect(wave.equals(writeWave(pcm, SAMPLE_RATE))).toBe(true);
      expect(facts.sha256).toBe(createHash('sha256').update(packets).digest('hex'));
      expect(facts.seconds).toBe(pcm.length / SAMPLE_RATE);
    }
  });
});
