/**
 * Generates the bundled scenes from the scripts with flite:
 *
 *   node apps/virtual-recorder/scenes/generate.ts
 *
 * The command is needed only after changes to `scripts.ts`. It requires the Debian package `flite`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PACKET_BYTES, PACKET_SAMPLES, SAMPLE_RATE } from '@linnet/audio/format';
import { muxOgg } from '@linnet/audio/ogg';
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { namesScript, scripts } from './scripts.ts';
import { synthesize } from './speak.ts';

const opus = await loadOpus(readOpusWasm());
const folder = mkdtempSync(join(tmpdir(), 'scenes-'));
try {
  for (const script of [...scripts, namesScript]) {
    const { samples } = synthesize(script, folder, false);
    const encoder = opus.createEncoder();
    const packets = new Uint8Array((samples.length / PACKET_SAMPLES) * PACKET_BYTES);
    for (
      let offset = 0, to = 0;
      offset < samples.length;
      offset += PACKET_SAMPLES, to += PACKET_BYTES
    ) {
      packets.set(encoder.encode(samples.subarray(offset, offset + PACKET_SAMPLES)), to);
    }
    encoder.free();
    const { name, title, mode, scene, paragraphs, names } = script;
    const transcript = paragraphs.map(({ sentences }) => sentences.join(' ')).join('\n');
    const file = (extension: string) => new URL(`${name}.${extension}`, import.meta.url);
    writeFileSync(file('ogg'), muxOgg(packets));
    writeFileSync(
      file('json'),
      `${JSON.stringify({ title, mode, scene, transcript, names }, null, 2)}\n`,
    );
    console.log(`${name}: ${(samples.length / SAMPLE_RATE).toFixed(1)} s`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
