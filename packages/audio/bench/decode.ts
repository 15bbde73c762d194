import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PacketDecoder } from '../src/convert.ts';
import { PACKET_BYTES, PACKET_SAMPLES, SAMPLE_RATE } from '../src/format.ts';
import { muxOgg } from '../src/ogg/index.ts';
import { loadOpus } from '../src/opus/index.ts';
import { readOpusWasm } from '../src/opus/wasm-node.ts';

/** A benchmark result. */
type Measurement = {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly note?: string;
};

/** Duration of the audio to decode, in seconds. Long enough to make the startup time of other programs negligible. */
const SECONDS = 600;

/** Encodes {@link SECONDS} seconds of a synthetic, voice-like signal. */
async function createPackets(): Promise<Uint8Array<ArrayBuffer>> {
  const encoder = (await loadOpus(readOpusWasm())).createEncoder();
  const count = SECONDS * 50;
  const bytes = new Uint8Array(count * PACKET_BYTES);
  const pcm = new Int16Array(PACKET_SAMPLES);
  for (let packet = 0; packet < count; packet++) {
    for (let i = 0; i < PACKET_SAMPLES; i++) {
      const t = (packet * PACKET_SAMPLES + i) / SAMPLE_RATE;
      const pitch = 140 + 30 * Math.sin(2 * Math.PI * 0.7 * t);
      const openness = Math.max(0, Math.sin(2 * Math.PI * 3.1 * t));
      pcm[i] =
        6000 *
        openness *
        (Math.sin(2 * Math.PI * pitch * t) + 0.5 * Math.sin(6 * Math.PI * pitch * t));
    }
    bytes.set(encoder.encode(pcm), packet * PACKET_BYTES);
  }
  encoder.free();
  return bytes;
}

function measureSeconds(work: () => void): number {
  const start = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - start) / 1e9;
}

/** Measures the speed of our decoder and of alternative decoders, as multiples of real time. */
export async function run(): Promise<Measurement[]> {
  const packets = await createPackets();
  const opus = await loadOpus(readOpusWasm());
  const folder = mkdtempSync(join(tmpdir(), 'linnet-bench-'));
  try {
    const file = join(folder, 'session.ogg');
    writeFileSync(file, muxOgg(packets));
    const decodeAll = () => {
      const decoder = new PacketDecoder(opus);
      for (let offset = 0; offset < packets.length; offset += 160_000)
        decoder.push(packets.subarray(offset, offset + 160_000));
      decoder.free();
    };
    const runNative = (program: string, args: string[]) => () => {
      const { status, error } = spawnSync(program, args);
      if (status !== 0) throw new Error(`${program} failed`, { cause: error });
    };
    const alternatives = {
      ffmpeg: runNative('ffmpeg', [
        '-v',
        'error',
        '-y',
        '-i',
        file,
        '-ar',
        '16000',
        join(folder, 'f.wav'),
      ]),
      opusdec: runNative('opusdec', ['--quiet', '--rate', '16000', file, join(folder, 'o.wav')]),
    };
    decodeAll();
    const speed = SECONDS / Math.min(...[1, 2, 3].map(() => measureSeconds(decodeAll)));
    const measurements: Measurement[] = [
      { name: 'decode.linnet', value: speed, unit: '× real time' },
    ];
    for (const [name, work] of Object.entries(alternatives)) {
      const alternativeSpeed = SECONDS / Math.min(...[1, 2, 3].map(() => measureSeconds(work)));
      measurements.push(
        { name: `decode.${name}`, value: alternativeSpeed, unit: '× real time' },
        { name: `decode.linnet/${name}`, value: speed / alternativeSpeed, unit: 'ratio' },
      );
    }
    return measurements;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
