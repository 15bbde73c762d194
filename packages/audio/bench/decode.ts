import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PacketDecoder } from '../src/convert.ts';
import { PACKET_BYTES, PACKET_SAMPLES, SAMPLE_RATE } from '../src/format.ts';
import { muxOgg } from '../src/ogg/index.ts';
import { loadOpus } from '../src/opus/index.ts';
import { readOpusWasm } from '../src/opus/wasm-node.ts';

/** One figure of a benchmark. */
type Figure = {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly note?: string;
};

/** Seconds of audio to decode: long enough to make the start-up cost of other programs negligible. */
const SECONDS = 600;

/** Encodes one second of a voice-like signal and repeats it. */
async function packets(): Promise<Uint8Array<ArrayBuffer>> {
  const encoder = (await loadOpus(readOpusWasm())).createEncoder();
  const count = SECONDS * 50;
  const bytes = new Uint8Array(count * PACKET_BYTES);
  const pcm = new Int16Array(PACKET_SAMPLES);
  for (let packet = 0; packet < count; packet++) {
    for (let i = 0; i < PACKET_SAMPLES; i++) {
      const t = (packet * PACKET_SAMPLES + i) / SAMPLE_RATE;
      const pitch = 140 + 30 * Math.sin(2 * Math.PI * 0.7 * t);
      const open = Math.max(0, Math.sin(2 * Math.PI * 3.1 * t));
      pcm[i] =
        6000 * open * (Math.sin(2 * Math.PI * pitch * t) + 0.5 * Math.sin(6 * Math.PI * pitch * t));
    }
    bytes.set(encoder.encode(pcm), packet * PACKET_BYTES);
  }
  encoder.free();
  return bytes;
}

function seconds(work: () => void): number {
  const start = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - start) / 1e9;
}

/** Measures decoding speed as a multiple of real time, and that of alternative decoders in the same run. */
export async function run(): Promise<Figure[]> {
  const all = await packets();
  const opus = await loadOpus(readOpusWasm());
  const folder = mkdtempSync(join(tmpdir(), 'linnet-bench-'));
  try {
    const file = join(folder, 'session.ogg');
    writeFileSync(file, muxOgg(all));
    const ours = () => {
      const decoder = new PacketDecoder(opus);
      for (let at = 0; at < all.length; at += 160_000) decoder.push(all.subarray(at, at + 160_000));
      decoder.free();
    };
    const native = (program: string, args: string[]) => () => {
      const { status, error } = spawnSync(program, args);
      if (status !== 0) throw new Error(`${program} failed`, { cause: error });
    };
    const rivals = {
      ffmpeg: native('ffmpeg', [
        '-v',
        'error',
        '-y',
        '-i',
        file,
        '-ar',
        '16000',
        join(folder, 'f.wav'),
      ]),
      opusdec: native('opusdec', ['--quiet', '--rate', '16000', file, join(folder, 'o.wav')]),
    };
    ours();
    const speed = SECONDS / Math.min(...[1, 2, 3].map(() => seconds(ours)));
    const figures: Figure[] = [{ name: 'decode.linnet', value: speed, unit: '× real time' }];
    for (const [name, work] of Object.entries(rivals)) {
      const theirs = SECONDS / Math.min(...[1, 2, 3].map(() => seconds(work)));
      figures.push(
        { name: `decode.${name}`, value: theirs, unit: '× real time' },
        { name: `decode.linnet/${name}`, value: speed / theirs, unit: 'ratio' },
      );
    }
    return figures;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
