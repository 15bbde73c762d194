import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseWave } from '@linnet/audio/wave';
import { createPocketSphinx } from '../src/providers/speech/pocketsphinx/index.ts';
import { throughOpus } from '../src/providers/speech/scene-audio.ts';
import { pooledWordErrorRate } from '../src/transcript/word-error-rate.ts';

/** One recording of the folder named by `SPEECH_DIR`, as its `manifest.json` describes it. */
export interface RealSpeech {
  readonly file: string;
  readonly transcript: string;
  /** 16 kHz mono. */
  readonly samples: Int16Array;
}

/** The English recordings of a speech folder. */
export async function readEnglish(folder: string): Promise<RealSpeech[]> {
  const manifest: { file: string; lang: string; transcript: string }[] = JSON.parse(
    await readFile(join(folder, 'manifest.json'), 'utf8'),
  );
  const recordings: RealSpeech[] = [];
  for (const { file, transcript } of manifest.filter(({ lang }) => lang === 'en')) {
    const { samples } = parseWave(await readFile(join(folder, file)));
    recordings.push({ file, transcript, samples });
  }
  return recordings;
}

/** Word error rate of our adapter over all recordings together, plain or as the recorder would send them. */
export async function errorRateOf(
  recordings: readonly RealSpeech[],
  way: 'plain' | 'through-opus',
): Promise<number> {
  const recognizer = createPocketSphinx();
  const texts: { said: string; heard: string }[] = [];
  for (const { transcript, samples } of recordings) {
    const { words } = await recognizer.transcribe({
      audio: { kind: 'pcm', samples: way === 'plain' ? samples : await throughOpus(samples) },
      language: 'en',
    });
    texts.push({ said: transcript, heard: words.map((word) => word.text).join(' ') });
  }
  return pooledWordErrorRate(texts);
}
