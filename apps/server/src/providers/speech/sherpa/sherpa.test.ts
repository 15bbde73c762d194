import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeFolder } from '../../../../test/folder.ts';
import { type TinyModel, toneModel, writeModel } from '../../../../test/tiny-models.ts';
import { sayInTones, type ToneWord, toneWords } from '../../../../test/tiny-onnx.ts';
import { installModel, openModels } from '../../../models/index.ts';
import { recognizerContract } from '../contract-suite.ts';
import { createSherpa } from './index.ts';

/** Names in turn, so that none follows itself. */
const manyWords = (count: number): ToneWord[] =>
  Array.from({ length: count }, (_, at) => toneWords[(at * 2) % toneWords.length] as ToneWord);

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

// A model that hears tones as words: it shows that the adapter keeps the contract, and nothing about speech.
recognizerContract(open, async () => {
  const words = manyWords(150);
  const { samples } = sayInTones(words);
  return { samples, transcript: words.join(' '), language: 'en-GB', maxErrorRate: 0 };
});

describe('sherpa', { timeout: 60_000 }, () => {
  it('hears each word where it was said, in the given segments alone', async () => {
    const said = sayInTones(manyWords(12));
    const audio = { kind: 'pcm', samples: said.samples } as const;
    const all = await open().transcribe({ audio, language: 'en' });
    expect(all).toMatchObject({ language: 'en', engine: 'sherpa/tones', punctuated: false });
    expect(all.words.map(({ text }) => text)).toEqual(said.words.map(({ text }) => text));
    for (const [at, { start, end }] of said.words.entries()) {
      expect(Math.abs((all.words[at]?.start ?? 0) - start)).toBeLessThanOrEqual(0.03);
      expect(Math.abs((all.words[at]?.end ?? 0) - end)).toBeLessThanOrEqual(0.05);
    }
    const second = said.words[1] as (typeof said.words)[number];
    const segments = [{ start: second.start - 0.05, end: second.end + 0.05 }];
    const some = await open().transcribe({ audio, language: 'en', segments });
    expect(some.words.map(({ text }) => text)).toEqual([second.text]);
    expect(Math.abs((some.words[0]?.start ?? 0) - second.start)).toBeLessThanOrEqual(0.03);
  });

  it('refuses a file that is not the one that was installed, and works again with the right one', async () => {
    const models = await install(toneModel('changed'), path.join(folder, 'changed'));
    const recognizer = createSherpa({ models });
    const audio = { kind: 'pcm', samples: sayInTones(['alpha']).samples } as const;
    const file = path.join(folder, 'changed', 'changed', 'model.onnx');
    const right = await readFile(file);
    const wrong = Buffer.from(right);
    wrong.writeUInt8(wrong.readUInt8(2000) ^ 1, 2000);
    await recognizer.transcribe({ audio, language: 'en' });
    await writeFile(file, wrong);
    await expect(recognizer.transcribe({ audio, language: 'en' })).rejects.toMatchObject({
      code: 'model-corrupt',
      retryable: false,
      detail: expect.stringMatching(/model\.onnx is not what was installed: its SHA-256 differs$/),
    });
    await writeFile(file, right.subarray(1));
    expect(await recognizer.readiness()).toMatchObject({ code: 'model-missing' });
    await writeFile(file, right);
    await utimes(file, new Date(), new Date());
    expect((await recognizer.transcribe({ audio, language: 'en' })).words).toHaveLength(1);
  });

  it('survives a model that kills its engine; the next task works', async () => {
    const garbage = Buffer.from('this is no model, although its checksum is right'.repeat(40));
    const { files } = toneModel();
    const broken = { ...toneModel('garbage'), files: { ...files, model: garbage } };
    const models = await install(broken, path.join(folder, 'garbage'));
    const audio = { kind: 'pcm', samples: sayInTones(['alpha']).samples } as const;
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
  ])('ends with $code beyond its limits, and leaves nothing', async ({ limits, code }) => {
    const models = openModels(path.join(folder, 'models'));
    const audio = { kind: 'pcm', samples: sayInTones(['alpha']).samples } as const;
    await expect(
      createSherpa({ models, limits }).transcribe({ audio, language: 'en' }),
    ).rejects.toMatchObject({ code, retryable: true });
    const left = await readdir(tmpdir());
    expect(left.filter((name) => name.startsWith(`linnet-speech-${process.pid}-`))).toEqual([]);
  });

  it('says what is missing', async () => {
    const none = createSherpa({ models: openModels(path.join(folder, 'none')) });
    expect(await none.languages()).toEqual([]);
    expect(await none.readiness()).toEqual({
      status: 'missing',
      code: 'model-missing',
      needs: ['parakeet-tdt-0.6b-v3-int8', 'sense-voice-int8'],
    });
  });

  it('hears a language with the model that was asked for, and with no other', async () => {
    const models = await install(toneModel('second'), path.join(folder, 'two'));
    await install(toneModel('first'), path.join(folder, 'two'));
    const audio = { kind: 'pcm', samples: sayInTones(['echo']).samples } as const;
    const engineOf = async (preferred: Record<string, string>, language = 'en') =>
      (await createSherpa({ models, preferred }).transcribe({ audio, language })).engine;
    expect(await engineOf({})).toBe('sherpa/first');
    expect(await engineOf({ en: 'second' })).toBe('sherpa/second');
    expect(await engineOf({ fr: 'second' }, 'fr')).toBe('sherpa/second');
    const absent = createSherpa({ models, preferred: { en: 'third', auto: 'first' } });
    expect(await absent.languages()).toEqual([]);
  });
});
