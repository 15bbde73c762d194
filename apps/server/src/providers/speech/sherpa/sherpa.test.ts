import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeFolder } from '../../../../test/folder.ts';
import { type TinyModel, toneModel, writeModel } from '../../../../test/tiny-models.ts';
import { synthesizeTones, type ToneWord, toneWords } from '../../../../test/tiny-onnx.ts';
import { installModel, openModels } from '../../../models/index.ts';
import { loadedRecognizerContract, recognizerContract } from '../contract-suite.ts';
import { createSherpa } from './index.ts';

/** Returns words without immediate repetitions. */
const manyWords = (count: number): ToneWord[] =>
  Array.from(
    { length: count },
    (_, index) => toneWords[(index * 2) % toneWords.length] as ToneWord,
  );

let folder: string;
beforeAll(async () => {
  folder = await makeFolder();
  await install(toneModel());
});

async function install(model: TinyModel, into = path.join(folder, 'models')) {
  const from = await writeModel(await makeFolder(), model);
  await installModel({ folder: into, name: model.name, from, now: () => new Date() });
  return openModels(into);
}

const open = () => createSherpa({ models: openModels(path.join(folder, 'models')) });

// This model recognizes tones as words, so these tests cover the adapter, not the accuracy.
const loadSample = async () => {
  const words = manyWords(150);
  const { samples } = synthesizeTones(words);
  return { samples, transcript: words.join(' '), language: 'en-GB', maxErrorRate: 0 };
};
recognizerContract(open, loadSample);
loadedRecognizerContract(open, loadSample);

describe('sherpa', { timeout: 60_000 }, () => {
  it('returns accurate word timestamps, and only words within the given segments', async () => {
    const speech = synthesizeTones(manyWords(12));
    const audio = { kind: 'pcm', samples: speech.samples } as const;
    const all = await open().transcribe({ audio, language: 'en' });
    expect(all).toMatchObject({ language: 'en', engine: 'sherpa/tones', punctuated: false });
    expect(all.words.map(({ text }) => text)).toEqual(speech.words.map(({ text }) => text));
    for (const [index, { start, end }] of speech.words.entries()) {
      expect(Math.abs((all.words[index]?.start ?? 0) - start)).toBeLessThanOrEqual(0.03);
      expect(Math.abs((all.words[index]?.end ?? 0) - end)).toBeLessThanOrEqual(0.05);
    }
    const second = speech.words[1] as (typeof speech.words)[number];
    const segments = [{ start: second.start - 0.05, end: second.end + 0.05 }];
    const withSegments = await open().transcribe({ audio, language: 'en', segments });
    expect(withSegments.words.map(({ text }) => text)).toEqual([second.text]);
    expect(Math.abs((withSegments.words[0]?.start ?? 0) - second.start)).toBeLessThanOrEqual(0.03);
  });

  it('rejects a modified model file and works again after it is restored', async () => {
    const models = await install(toneModel('changed'), path.join(folder, 'changed'));
    const recognizer = createSherpa({ models });
    const audio = { kind: 'pcm', samples: synthesizeTones(['alpha']).samples } as const;
    const file = path.join(folder, 'changed', 'changed', 'model.onnx');
    const original = await readFile(file);
    const modified = Buffer.from(original);
    modified.writeUInt8(modified.readUInt8(2000) ^ 1, 2000);
    await recognizer.transcribe({ audio, language: 'en' });
    await writeFile(file, modified);
    await expect(recognizer.transcribe({ audio, language: 'en' })).rejects.toMatchObject({
      code: 'model-corrupt',
      retryable: false,
      detail: expect.stringMatching(
        /model\.onnx has changed since it was installed: its SHA-256 differs$/,
      ),
    });
    await writeFile(file, original.subarray(1));
    expect(await recognizer.readiness()).toMatchObject({ code: 'model-missing' });
    await writeFile(file, original);
    await utimes(file, new Date(), new Date());
    expect((await recognizer.transcribe({ audio, language: 'en' })).words).toHaveLength(1);
  });

  it('survives a model that crashes the engine', async () => {
    const garbage = Buffer.from('this is no model, although its checksum is right'.repeat(40));
    const { files } = toneModel();
    const brokenModel = { ...toneModel('garbage'), files: { ...files, model: garbage } };
    const models = await install(brokenModel, path.join(folder, 'garbage'));
    const audio = { kind: 'pcm', samples: synthesizeTones(['alpha']).samples } as const;
    await expect(
      createSherpa({ models }).transcribe({ audio, language: 'en' }),
    ).rejects.toMatchObject({
      code: 'model-corrupt',
      retryable: false,
      detail: expect.stringMatching(/^exit (SIGABRT|\d+) .+/),
    });
    expect((await open().transcribe({ audio, language: 'en' })).words).toHaveLength(1);
  });

  it.each([
    { limits: { memoryMiB: 500 }, code: 'engine-crashed' },
    { limits: { seconds: 0.05 }, code: 'timeout' },
  ])(
    'fails with $code beyond its limits and removes its temporary files',
    async ({ limits, code }) => {
      const models = openModels(path.join(folder, 'models'));
      const audio = { kind: 'pcm', samples: synthesizeTones(['alpha']).samples } as const;
      await expect(
        createSherpa({ models, limits }).transcribe({ audio, language: 'en' }),
      ).rejects.toMatchObject({ code, retryable: true });
      const remainingFolders = await readdir(tmpdir());
      expect(
        remainingFolders.filter((name) => name.startsWith(`linnet-speech-${process.pid}-`)),
      ).toEqual([]);
    },
  );

  it('reports missing models', async () => {
    const emptyRecognizer = createSherpa({ models: openModels(path.join(folder, 'none')) });
    expect(await emptyRecognizer.languages()).toEqual([]);
    expect(await emptyRecognizer.readiness()).toEqual({
      status: 'missing',
      code: 'model-missing',
      needs: ['parakeet-tdt-0.6b-v3-int8', 'sense-voice-int8'],
    });
  });

  it('uses only the preferred model for a language', async () => {
    const models = await install(toneModel('second'), path.join(folder, 'two'));
    await install(toneModel('first'), path.join(folder, 'two'));
    const audio = { kind: 'pcm', samples: synthesizeTones(['echo']).samples } as const;
    const createEngine = async (preferred: Record<string, string>, language = 'en') =>
      (await createSherpa({ models, preferred }).transcribe({ audio, language })).engine;
    expect(await createEngine({})).toBe('sherpa/first');
    expect(await createEngine({ en: 'second' })).toBe('sherpa/second');
    expect(await createEngine({ fr: 'second' }, 'fr')).toBe('sherpa/second');
    const absent = createSherpa({ models, preferred: { en: 'third', auto: 'first' } });
    expect(await absent.languages()).toEqual([]);
  });
});
