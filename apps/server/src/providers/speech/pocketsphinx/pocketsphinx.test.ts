import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeWave } from '@linnet/audio/wave';
import { describe, expect, inject, it } from 'vitest';
import { loadedRecognizerContract, recognizerContract } from '../contract-suite.ts';
import { type RecognizedWord, SPEECH_SAMPLE_RATE } from '../port.ts';
import { NAMES_SCENE, readScene } from '../scene-audio.ts';
import { sweepScratch, withScratch } from '../scratch.ts';
import { createPocketSphinx } from './index.ts';
import { findPocketSphinx } from './installation.ts';

const loadSample = async () => {
  const { samples, transcript } = await readScene('microphone');
  return { samples, transcript, language: 'en-GB', maxErrorRate: 0.15 };
};
recognizerContract(createPocketSphinx, loadSample);
loadedRecognizerContract(
  () => createPocketSphinx({ privateRoot: inject('enginesDir') ?? undefined }),
  loadSample,
);

/** Transcribes with the small dictionary, for tests that compare results without expecting particular words. */
const transcribe = async (samples: Int16Array, processes?: number) => {
  const recognizer = createPocketSphinx({
    privateRoot: inject('enginesDir') ?? undefined,
    ...(processes !== undefined && { processes }),
  });
  return recognizer.transcribe({ audio: { kind: 'pcm', samples }, language: 'en' });
};

describe('PocketSphinx', { timeout: 180_000 }, () => {
  it('returns times from the start of the recording, even after long silence', async () => {
    const scene = await readScene('microphone');
    const samples = scene.samples.subarray(0, 8 * SPEECH_SAMPLE_RATE);
    const delayed = new Int16Array(samples.length + 70 * SPEECH_SAMPLE_RATE);
    delayed.set(samples, 70 * SPEECH_SAMPLE_RATE);
    const [now, shifted] = [await transcribe(samples), await transcribe(delayed)];
    const mapByTime = (words: readonly RecognizedWord[], shift: number) =>
      new Map(words.map((word) => [`${word.text}@${Math.round(word.start - shift)}`, word]));
    const [wordsAtStart, wordsLater] = [mapByTime(now.words, 0), mapByTime(shifted.words, 70)];
    const commonKeys = [...wordsAtStart.keys()].filter((key) => wordsLater.has(key));
    expect(commonKeys.length).toBeGreaterThan(now.words.length * 0.8);
    for (const key of commonKeys) {
      const [a, b] = [wordsAtStart.get(key), wordsLater.get(key)] as [
        RecognizedWord,
        RecognizedWord,
      ];
      expect(Math.abs(b.start - 70 - a.start)).toBeLessThan(0.1);
    }
  });

  it('returns the same words with one process and with two', async () => {
    // The audio is longer than a slice, so each process gets one.
    const { samples } = await readScene('microphone');
    expect((await transcribe(samples, 2)).words).toEqual((await transcribe(samples, 1)).words);
  });

  it('recognizes only the given segments, with times from the start of the recording', async () => {
    const { samples } = await readScene('microphone');
    const audio = { kind: 'pcm', samples: samples.subarray(0, 14 * SPEECH_SAMPLE_RATE) } as const;
    const segments = [{ start: 7, end: 14 }];
    const recognizer = createPocketSphinx({ privateRoot: inject('enginesDir') ?? undefined });
    const { words } = await recognizer.transcribe({ audio, language: 'en', segments });
    expect(words.length).toBeGreaterThan(5);
    expect(words.filter(({ start, end }) => start < 7 || end > 14)).toEqual([]);
  });

  it('recognizes names in the vocabulary that are not in the dictionary', async () => {
    // The first slice is enough. `npm run bench -- speech` measures all names, and the same without the vocabulary.
    const { samples, names } = await readScene(NAMES_SCENE);
    const { words } = await createPocketSphinx().transcribe({
      ...{ audio: { kind: 'pcm', samples: samples.subarray(0, 14 * SPEECH_SAMPLE_RATE) } },
      ...{ language: 'en', vocabulary: names },
    });
    const recognized = new Set(words.map(({ text }) => text));
    expect(names.filter((name) => recognized.has(name))).toEqual([
      ...['Agnieszka', 'Marchetti', 'Okonkwo', 'Velmora'],
    ]);
  });

  it('reports missing packages', async () => {
    await withScratch(async (folder) => {
      const recognizer = createPocketSphinx({ systemPrefixes: [folder] });
      expect(await recognizer.readiness()).toEqual({
        status: 'missing',
        code: 'engine-missing',
        needs: ['pocketsphinx', 'pocketsphinx-en-us'],
      });
      const found = await findPocketSphinx(undefined);
      if (found.status === 'missing') throw new Error(found.code);
      await mkdir(join(folder, 'bin'));
      await symlink(found.installation.program, join(folder, 'bin/pocketsphinx_batch'));
      const audio = { kind: 'pcm', samples: new Int16Array(16_000) } as const;
      await expect(recognizer.transcribe({ audio, language: 'en' })).rejects.toMatchObject({
        code: 'model-missing',
        retryable: false,
      });
    });
  });

  it('prefers a private copy, with its own libraries', async () => {
    await withScratch(async (folder) => {
      await mkdir(join(folder, 'usr/bin'), { recursive: true });
      await mkdir(join(folder, 'usr/lib/some-linux-gnu/blas'), { recursive: true });
      await mkdir(join(folder, 'usr/share/pocketsphinx/model/en-us'), { recursive: true });
      await writeFile(join(folder, 'usr/bin/pocketsphinx_batch'), '#!/bin/sh\n', { mode: 0o755 });
      expect(await findPocketSphinx(folder)).toMatchObject({
        status: 'found',
        installation: {
          program: join(folder, 'usr/bin/pocketsphinx_batch'),
          env: {
            LD_LIBRARY_PATH: expect.stringContaining(join(folder, 'usr/lib/some-linux-gnu/blas')),
          },
        },
      });
    });
  });

  it.each([
    { limits: { memoryMiB: 60 }, code: 'engine-crashed' },
    { limits: { seconds: 0.2 }, code: 'timeout' },
  ])('fails with $code beyond its limits', async ({ limits, code }) => {
    const { samples } = await readScene('microphone');
    const transcription = createPocketSphinx({ limits }).transcribe({
      audio: { kind: 'pcm', samples },
      language: 'en',
    });
    await expect(transcription).rejects.toMatchObject({ code, retryable: true });
    expect(await listScratchFolders(process.pid)).toEqual([]);
    expect(await enginesBelow(process.pid)).toEqual([]);
  });
});

describe.runIf(process.platform === 'linux')('a killed worker', { timeout: 180_000 }, () => {
  it('leaves no engine running, and sweepScratch removes its temporary folder', async () => {
    const { samples } = await readScene('community-garden');
    await withScratch(async (folder) => {
      const path = join(folder, 'audio.wav');
      await writeFile(path, writeWave(samples, SPEECH_SAMPLE_RATE));
      const module = new URL('./index.ts', import.meta.url).href;
      const program = `
        import { createPocketSphinx } from ${JSON.stringify(module)};
        await createPocketSphinx().transcribe({
          audio: { kind: 'wav', path: ${JSON.stringify(path)} }, language: 'en',
        });`;
      const worker = spawn(process.execPath, ['--input-type=module', '-e', program], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const pid = worker.pid as number;
      const ended = new Promise((resolve) => worker.once('exit', resolve));
      await expect.poll(() => enginesBelow(pid), { timeout: 60_000 }).not.toEqual([]);
      const engines = await enginesBelow(pid);
      expect(await listScratchFolders(pid)).toHaveLength(1);
      worker.kill('SIGKILL');
      await ended;
      await expect
        .poll(() => Promise.all(engines.map(readCommandLine)))
        .toEqual(engines.map(() => ''));
      expect(await sweepScratch()).toBeGreaterThanOrEqual(1);
      expect(await listScratchFolders(pid)).toEqual([]);
      // The folder of a live process, such as this one, is kept.
      expect(await readdir(folder)).toEqual(['audio.wav']);
    });
  });
});

async function listScratchFolders(pid: number): Promise<string[]> {
  const names = await readdir(tmpdir());
  return names.filter((name) => name.startsWith(`linnet-speech-${pid}-`));
}

/** Returns the IDs of the engine processes started by a process, from Linux's process table. */
async function enginesBelow(pid: number): Promise<number[]> {
  const found: number[] = [];
  for (const thread of await readdir(`/proc/${pid}/task`)) {
    const children = await readFile(`/proc/${pid}/task/${thread}/children`, 'utf8');
    for (const child of children
      .split(' ')
      .filter((id) => id !== '')
      .map(Number)) {
      if ((await readCommandLine(child)).includes('pocketsphinx_batch')) found.push(child);
    }
  }
  return found;
}

/** Returns a process's command line, or '' if the process has exited. */
async function readCommandLine(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return '';
    throw error;
  });
}
