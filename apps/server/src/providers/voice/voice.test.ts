import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { writeWave } from '@linnet/audio/wave';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeFolder } from '../../../test/folder.ts';
import { bells, music } from '../../../test/odd-audio.ts';
import { loudModel, writeModel } from '../../../test/tiny-models.ts';
import { sayInTones, type ToneWord, toneWords } from '../../../test/tiny-onnx.ts';
import { installModel, openModels } from '../../models/index.ts';
import { createPocketSphinx } from '../speech/pocketsphinx/index.ts';
import { SPEECH_SAMPLE_RATE } from '../speech/port.ts';
import { readScene, throughOpus } from '../speech/scene-audio.ts';
import { type SpokenAudio, voiceContract } from './contract-suite.ts';
import { selectVoiceDetector } from './index.ts';
import { createLevelDetector } from './level.ts';
import type { SpeechSegment } from './port.ts';
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

const rootMeanSquare = (samples: Int16Array) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);

async function segmentsOf(samples: Int16Array): Promise<readonly SpeechSegment[]> {
  const file = path.join(await makeFolder(), 'audio.wav');
  await writeFile(file, writeWave(samples, SPEECH_SAMPLE_RATE));
  return createLevelDetector().detect({ path: file });
}

/** Words whose middle is in no stretch. */
const unheard = (words: readonly SpeechSegment[], segments: readonly SpeechSegment[]) =>
  words.filter(({ start, end }) => {
    const middle = (start + end) / 2;
    return !segments.some((each) => each.start <= middle && middle <= each.end);
  });

describe('levels', async () => {
  const voice = scene('microphone');
  voiceContract(createLevelDetector, {
    unspoken: {
      silence,
      'a steady tone': made((at) => tone(at)),
      'a tone amid silence': made((at) => within(at, tone(at))),
      'white noise': made(noise),
      'white noise amid silence': made((at) => within(at, noise())),
      'the hum of a machine': made((at) => tone(at, 50) / 4 + tone(at, 150) / 8 + noise() / 40),
      'plucked strings': music(24),
      'plucked strings through Opus': await throughOpus(music(24)),
      bells: bells(24),
      'bells through Opus': await throughOpus(bells(24)),
    },
    spoken: { 'a voice': voice, 'a walk among birds': scene('wild-birds') },
  });

  it('find a voice in noise', async () => {
    const { samples, words } = await voice();
    const noisy = samples.map((sample) => sample + noise() / 16);
    expect(unheard(words, await segmentsOf(noisy))).toEqual([]);
  });

  it.each(Object.entries({ 'plucked strings': music, bells }))(
    'find a voice over %s',
    async (_, play) => {
      const { samples, words } = await voice();
      const below = play(Math.ceil(samples.length / SPEECH_SAMPLE_RATE));
      const volume = (10 ** (-8 / 20) * rootMeanSquare(samples)) / rootMeanSquare(below);
      const both = samples.map((sample, at) => sample + volume * (below[at] as number));
      expect(unheard(words, await segmentsOf(both))).toEqual([]);
    },
  );

  it('find a voice between music, and leave the music out', async () => {
    const { samples, words } = await voice();
    const [before, after] = [20, 15];
    const joined = new Int16Array([...music(before), ...samples, ...music(after)]);
    const segments = await segmentsOf(joined);
    const moved = words.map(({ start, end }) => ({ start: start + before, end: end + before }));
    expect(unheard(moved, segments)).toEqual([]);
    // The music beside the voice is doubtful.
    const doubtful = 3.5;
    expect(segments[0]?.start).toBeGreaterThan(before - doubtful);
    const spokenEnd = before + samples.length / SPEECH_SAMPLE_RATE;
    expect(segments.at(-1)?.end).toBeLessThan(spokenEnd + doubtful);
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
