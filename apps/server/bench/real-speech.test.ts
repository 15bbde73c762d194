import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWave } from '@linnet/audio/wave';
import { describe, expect, it } from 'vitest';
import { SPEECH_SAMPLE_RATE } from '../src/providers/speech/port.ts';
import { withScratch } from '../src/providers/speech/scratch.ts';
import { measureErrorRate, readEnglish } from './real-speech.ts';

/** The maximum error rate, as measured for the engine alone on these recordings. */
const MAX_ERROR_RATE = 0.3;

describe('real speech', () => {
  it('is read from the manifest, but only in English', async () => {
    await withScratch(async (folder) => {
      const samples = Int16Array.from({ length: 800 }, (_, n) => n);
      await writeFile(join(folder, 'one.wav'), writeWave(samples, SPEECH_SAMPLE_RATE));
      const manifest = [
        { file: 'one.wav', lang: 'en', transcript: 'One.' },
        { file: 'eins.wav', lang: 'de', transcript: 'Eins.' },
      ];
      await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
      expect(await readEnglish(folder)).toEqual([{ file: 'one.wav', transcript: 'One.', samples }]);
    });
  });

  // Real speech is not part of the project and has to be provided.
  const folder = process.env.SPEECH_DIR;
  if (!folder) return;

  it.each(['plain', 'through-opus'] as const)(
    'is recognized within the maximum error rate, %s',
    { timeout: 600_000 },
    async (encoding) => {
      const recordings = await readEnglish(folder);
      expect(recordings.length).toBeGreaterThan(0);
      expect(await measureErrorRate(recordings, encoding)).toBeLessThanOrEqual(MAX_ERROR_RATE);
    },
  );
});
