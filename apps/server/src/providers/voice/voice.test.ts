import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { writeWave } from '@linnet/audio/wave';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeFolder } from '../../../test/folder.ts';
import { loudModel, writeModel } from '../../../test/tiny-models.ts';
import { sayInTones, type ToneWord, toneWords } from '../../../test/tiny-onnx.ts';
import { installModel, openModels } from '../../models/index.ts';
import { createPocketSphinx } from '../speech/pocketsphinx/index.ts';
import { SPEECH_SAMPLE_RATE } from '../speech/port.ts';
import { readScene } from '../speech/scene-audio.ts';
import { type SpokenAudio, voiceContract } from './contract-suite.ts';
import { selectVoiceDetector } from './index.ts';
import { createLevelDetector } from './level.ts';
import { createSilero } from './silero.ts';

const SECONDS = 8;
const made = (sample: (at: number) => number) =>
  Int16Array.from({ length: SECONDS * SPEECH_SAMPLE_RATE }, (_, at) => sample(at));
const tone = (at: number, hertz = 440) =>
  8000 * Math.sin((2 * Math.PI * hertz * at) / SPEECH_SAMPLE_RATE);
/** The same noise in every run: a linear congruential generator. */
const noise = (() => {
  let state = 1;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return 4000 * (state / 2 ** 31 - 1);
  };
})();
/** Only between the third and the sixth second. */
const within = (at: number, sample: number) =>
  at > 3 * SPEECH_SAMPLE_RATE && at < 6 * SPEECH_SAMPLE_RATE ? sample : 0;

const silence = made(() => 0);

/** Where words are, by an engine that hears them: sure ones, so that they are words. */
function scene(name: string): () => Promise<SpokenAudio> {
  let known: Promise<SpokenAudio> | undefined;
  const load = async () => {
    const { samples } = await readScene(name);
    const audio = { kind: 'pcm', samples } as const;
    const { words } = await createPocketSphinx().transcribe({ audio, language: 'en' });
    return { samples, words: words.filter(({ confidence }) => confidence > 0.5) };
  };
  return () => {
    known ??= load();
    return known;
  };
}

describe('levels', () => {
  voiceContract(createLevelDetector, {
    unspoken: {
      silence,
      'a steady tone': made((at) => tone(at)),
      'a tone amid silence': made((at) => within(at, tone(at))),
      'white noise': made(noise),
      'white noise amid silence': made((at) => within(at, noise())),
      'the hum of a machine': made((at) => tone(at, 50) / 4 + tone(at, 150) / 8 + noise() / 40),
    },
    spoken: { 'a voice': scene('microphone'), 'a walk among birds': scene('wild-birds') },
  });

  it('find a voice in noise', async () => {
    const { samples, words } = await scene('microphone')();
    const noisy = samples.map((sample) => sample + noise() / 16);
    const file = path.join(await makeFolder(), 'audio.wav');
    await writeFile(file, writeWave(noisy, SPEECH_SAMPLE_RATE));
    const stretches = await createLevelDetector().detect({ path: file });
    for (const { start, end } of words) {
      const middle = (start + end) / 2;
      expect(stretches.some((each) => each.start <= middle && middle <= each.end)).toBe(true);
    }
  });
});

describe('a model in its own process', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await makeFolder();
    const from = await writeModel(await makeFolder(), loudModel());
    await installModel({ folder, name: 'loud', from, now: () => new Date() });
  });
  const open = async (limits = {}) => {
    const models = openModels(folder);
    const [model] = await models.installed();
    if (!model) throw new Error('the model is not installed');
    return createSilero({ models, model, limits });
  };

  // It takes what is loud for a voice: it shows the process and the mapping, and nothing about voices.
  voiceContract(() => open(), {
    unspoken: { silence, 'soft noise': made(() => noise() / 100) },
    spoken: {
      tones: async () => {
        const names = Array.from({ length: 40 }, (_, at) => toneWords[at % 5] as ToneWord);
        return sayInTones(names);
      },
    },
  });

  it('is chosen where it is installed, and levels where it is not', async () => {
    const file = path.join(await makeFolder(), 'tone.wav');
    await writeFile(
      file,
      writeWave(
        made((at) => within(at, tone(at))),
        SPEECH_SAMPLE_RATE,
      ),
    );
    const found = await selectVoiceDetector({ modelsDir: folder }).detect({ path: file });
    expect(found).toHaveLength(1);
    expect(found[0]?.start).toBeGreaterThan(2.5);
    expect(found[0]?.end).toBeLessThan(6.5);
    const empty = await makeFolder();
    expect(await selectVoiceDetector({ modelsDir: empty }).detect({ path: file })).toEqual([]);
  });

  it('fails with a word for it when its process ends too soon', async () => {
    const file = path.join(await makeFolder(), 'silence.wav');
    await writeFile(file, writeWave(silence, SPEECH_SAMPLE_RATE));
    const slow = await open({ seconds: 0.01 });
    await expect(slow.detect({ path: file })).rejects.toMatchObject({ code: 'timeout' });
  });
});
