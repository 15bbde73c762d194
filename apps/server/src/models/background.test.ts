import { mkdir, readdir, rm, utimes } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { makeFolder } from '../../test/folder.ts';
import { freePort } from '../../test/free-port.ts';
import {
  breakAfter,
  largePublishedModel,
  publishedModel,
  stallAfter,
  startPublisher,
  storedBytes,
} from '../../test/model-publisher.ts';
import { createSherpa } from '../providers/speech/sherpa/index.ts';
import { type BackgroundJob, downloadInBackground } from './background.ts';
import type { KnownModel } from './catalog.ts';
import { clearDownloadState, readDownloadState, summarizeDownloads } from './download-state.ts';
import { lockFolder } from './lock.ts';
import { openModels } from './store.ts';

/** Starts a download, and records its notices, errors and waiting times. */
function start(
  folder: string,
  models: readonly KnownModel[],
  changes: Partial<BackgroundJob> = {},
) {
  const notices: string[] = [];
  const errors: unknown[] = [];
  const waits: number[] = [];
  const downloads = downloadInBackground({
    folder,
    names: models.map(({ name }) => name),
    catalog: models,
    now: () => new Date('2026-11-28T12:00:00Z'),
    notify: (notice) => notices.push(notice),
    onError: (error) => errors.push(error),
    pauseSeconds: 0,
    async wait(milliseconds, signal) {
      waits.push(milliseconds);
      await nextTurn();
      signal.throwIfAborted();
    },
    freeBytes: async () => 1e12,
    ...changes,
  });
  return { ...downloads, notices, errors, waits };
}

const installedNames = async (folder: string) =>
  (await openModels(folder).installed()).map(({ manifest }) => manifest.name);

describe('background download', { timeout: 120_000 }, () => {
  it('survives five interruptions and a restart, and then provides the engine without another restart', async () => {
    const folder = await makeFolder();
    const { model, content } = await largePublishedModel();
    const breakOnce = breakAfter(content, 60_000, folder);
    const stall = stallAfter(content, 60_000);
    const { mirror, requests } = await startPublisher(content, [
      ...[breakOnce, breakOnce, breakOnce, stall],
      ...[breakOnce, breakOnce],
    ]);
    const recognizer = createSherpa({ models: openModels(folder) });
    expect(await recognizer.languages()).toEqual([]);

    const first = start(folder, [model], { mirror });
    await vi.waitUntil(() => requests.length === 4, { timeout: 60_000 });
    const resumedAt = Number(/\d+/.exec(requests[3]?.range ?? '')?.[0]);
    await vi.waitUntil(async () => (await storedBytes(folder)) > resumedAt, { timeout: 60_000 });
    await first.stop();
    expect((await readDownloadState(folder))?.models).toMatchObject([
      { name: 'tones', state: 'waiting', failure: null },
    ]);

    const secondStart = start(folder, [model], { mirror });
    await secondStart.ended;
    expect([first.errors, secondStart.errors]).toEqual([[], []]);
    const offsets = requests.map(({ range }) => Number(/\d+/.exec(range ?? '0')?.[0]));
    expect(offsets).toHaveLength(7);
    expect(offsets).toEqual([...new Set(offsets)].sort((a, b) => a - b));
    expect(requests.slice(1).every(({ ifRange }) => ifRange?.startsWith('"'))).toBe(true);

    const [installed] = await openModels(folder).installed();
    if (!installed) throw new Error('the model is not installed');
    await openModels(folder).verify(installed);
    expect(installed.manifest.source).toMatchObject({ trust: 'catalogue' });
    expect(await readdir(path.join(folder, '.incoming'))).toEqual([]);
    expect(await recognizer.languages()).toEqual([{ tag: 'en', quality: 'good' }]);
    const state = await readDownloadState(folder);
    expect(state && summarizeDownloads(state)).toEqual({
      state: 'complete',
      bytes: content.length,
      done_bytes: content.length,
      licenses: { tones: 'MIT' },
      failures: {},
    });
  });

  it('reports the start, each quarter and the end', async () => {
    const folder = await makeFolder();
    const { model, content } = await largePublishedModel();
    const { mirror } = await startPublisher(content);
    const { ended, notices } = start(folder, [model], { mirror });
    await ended;
    expect(notices[0]).toBe(
      'Downloading the model tones in the background: tones as English words; 1 MB, license MIT. MODELS=off prevents this.',
    );
    expect(notices.at(-1)).toBe('tones is installed. New recordings use it.');
    const quarters = notices.slice(1, -1).map((notice) => /^tones: (25|50|75)%/.exec(notice)?.[1]);
    expect(quarters).toEqual([...new Set(quarters)]);
    expect(quarters).not.toContain(undefined);
  });

  it('rejects and deletes a file with a wrong hash, without retrying', async () => {
    const folder = await makeFolder();
    const { model, content } = await publishedModel();
    const forgedContent = Buffer.from(content).fill(0, 10, 20);
    const { mirror, requests } = await startPublisher(forgedContent);
    const { ended, notices, waits, errors } = start(folder, [model], { mirror });
    await ended;
    expect(errors).toEqual([]);
    expect(requests).toHaveLength(1);
    expect(waits).toEqual([]);
    expect(await installedNames(folder)).toEqual([]);
    expect(await readdir(path.join(folder, '.incoming'))).toEqual([]);
    expect((await readDownloadState(folder))?.models).toMatchObject([
      { name: 'tones', state: 'failed', failure: 'content-mismatch' },
    ]);
    expect(notices.at(-1)).toMatch(
      /^tones couldn't be installed: .* has unexpected content: its SHA-256/,
    );
  });

  it('continues with the other models after a wrong hash', async () => {
    const folder = await makeFolder();
    const { model, content } = await publishedModel();
    const wrongDownload = { ...model.download, sha256: '0'.repeat(64) };
    const { mirror } = await startPublisher(content);
    const models = [{ ...model, name: 'forged', download: wrongDownload }, model];
    await start(folder, models, { mirror }).ended;
    expect(await installedNames(folder)).toEqual(['tones']);
    const state = await readDownloadState(folder);
    expect(state && summarizeDownloads(state)).toMatchObject({
      state: 'failed',
      failures: { forged: 'content-mismatch' },
    });
  });

  it('reports nothing while offline, and retries less and less often', async () => {
    const folder = await makeFolder();
    const { model, content } = await publishedModel();
    const port = await freePort();
    const waits: number[] = [];
    const { ended, notices } = start(folder, [model], {
      mirror: `http://127.0.0.1:${port}`,
      async wait(milliseconds) {
        waits.push(milliseconds);
        if (waits.length < 5) return;
        expect(notices).toEqual([
          `127.0.0.1:${port} can't be reached. The model download will continue once it can.`,
        ]);
        expect((await readDownloadState(folder))?.models[0]).toMatchObject({
          state: 'waiting',
          failure: 'unreachable',
        });
        await startPublisher(content, [], port);
      },
    });
    await ended;
    expect(waits.map((milliseconds) => milliseconds / 60_000)).toEqual([1, 5, 15, 60, 60]);
    expect(await installedNames(folder)).toEqual(['tones']);
  });

  it('checks the disk space before the first request', async () => {
    const folder = await makeFolder();
    const { model, content } = await publishedModel();
    const { mirror, requests } = await startPublisher(content);
    let free = 2 * 2 ** 30;
    const { ended, notices } = start(folder, [model], {
      mirror,
      freeBytes: async () => free,
      async wait() {
        expect(requests).toEqual([]);
        expect((await readDownloadState(folder))?.models).toMatchObject([
          { state: 'waiting', failure: 'storage-full' },
        ]);
        free = 1e12;
      },
    });
    await ended;
    expect(notices[0]).toMatch(
      /^tones couldn't be installed: not enough disk space for tones: 2\.1 GB/,
    );
    expect(await installedNames(folder)).toEqual(['tones']);
  });

  it('retries after an unexpected error, such as a failure to write the state', async () => {
    const folder = await makeFolder();
    const { model, content } = await publishedModel();
    const { mirror } = await startPublisher(content);
    const obstacle = path.join(folder, '.downloads.json.new');
    await mkdir(obstacle);
    const { ended, errors } = start(folder, [model], {
      mirror,
      wait: () => rm(obstacle, { recursive: true }),
    });
    await ended;
    expect(errors).toMatchObject([{ code: 'EISDIR' }]);
    expect(await installedNames(folder)).toEqual(['tones']);
  });

  it.each(['ENOSPC', 'EDQUOT'])('waits for storage after %s', async (code) => {
    const folder = await makeFolder();
    const { model, content } = await publishedModel();
    const { mirror } = await startPublisher(content);
    let isFull = true;
    const { ended, errors, notices } = start(folder, [model], {
      mirror,
      freeBytes: async () => {
        if (isFull) throw Object.assign(new Error(code), { code });
        return 1e12;
      },
      async wait() {
        expect((await readDownloadState(folder))?.models).toMatchObject([
          { state: 'waiting', failure: 'storage-full' },
        ]);
        isFull = false;
      },
    });
    await ended;
    expect(errors).toEqual([]);
    expect(notices[0]).toMatch(/^tones couldn't be installed: not enough disk space/);
    expect(await installedNames(folder)).toEqual(['tones']);
  });

  it('retries soon after an interrupted attempt that received bytes', async () => {
    const folder = await makeFolder();
    const { model, content } = await largePublishedModel();
    const port = await freePort();
    const waits: number[] = [];
    const { ended } = start(folder, [model], {
      mirror: `http://127.0.0.1:${port}`,
      async wait(milliseconds) {
        waits.push(milliseconds / 60_000);
        if (waits.length !== 3) return;
        const refused = Array(5).fill((response: { destroy(): void }) => response.destroy());
        await startPublisher(content, [breakAfter(content, 60_000, folder), ...refused], port);
      },
    });
    await ended;
    expect(waits).toEqual([1, 5, 15, 1]);
  });

  it('downloads once if several processes share the folder', async () => {
    const folder = await makeFolder();
    const { model, content } = await largePublishedModel();
    const { mirror, requests } = await startPublisher(content);
    const all = [1, 2, 3].map(() => start(folder, [model], { mirror }));
    await Promise.all(all.map(({ ended }) => ended));
    expect(all.flatMap(({ errors }) => errors)).toEqual([]);
    expect(requests).toHaveLength(1);
    expect(await installedNames(folder)).toEqual(['tones']);
  });

  it('uses a complete download that a killed process left behind', async () => {
    const folder = await makeFolder();
    const { model, content } = await publishedModel();
    const { mirror, requests } = await startPublisher(content);
    // Without tar, the installation fails after the download.
    vi.stubEnv('PATH', folder);
    const failed = start(folder, [model], { mirror });
    await failed.ended.finally(() => vi.unstubAllEnvs());
    expect((await readDownloadState(folder))?.models).toMatchObject([
      { state: 'failed', failure: 'unusable' },
    ]);
    await start(folder, [model], { mirror }).ended;
    expect(requests).toHaveLength(1);
    expect(await installedNames(folder)).toEqual(['tones']);
  });

  it('is no longer listed after its state was cleared', async () => {
    const folder = await makeFolder();
    await clearDownloadState(folder);
    expect(await readdir(folder)).toEqual([]);
    const { model, content } = await publishedModel();
    const { mirror } = await startPublisher(content);
    await start(folder, [model], { mirror }).ended;
    expect((await readDownloadState(folder))?.models).toHaveLength(1);
    const lock = await lockFolder(folder);
    await clearDownloadState(folder);
    expect((await readDownloadState(folder))?.models).toHaveLength(1);
    await lock?.release();
    await clearDownloadState(folder);
    expect((await readDownloadState(folder))?.models).toEqual([]);
  });

  it('requests nothing if everything is installed', async () => {
    const folder = await makeFolder();
    const { model, content } = await publishedModel();
    const { mirror, requests } = await startPublisher(content);
    await start(folder, [model], { mirror }).ended;
    const { ended, notices } = start(folder, [model], { mirror });
    await ended;
    expect([requests.length, notices]).toEqual([1, []]);
  });
});

describe('folder lock', () => {
  it('is held by one process until it is released', async () => {
    const folder = await makeFolder();
    const lock = await lockFolder(folder);
    expect(await lockFolder(folder)).toBeNull();
    await lock?.release();
    const next = await lockFolder(folder);
    expect(next).not.toBeNull();
    await next?.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('can be taken over once its holder stops renewing it', async () => {
    const folder = await makeFolder();
    const suspended = await lockFolder(folder);
    // A lease of zero is always expired.
    const next = await lockFolder(folder, 0);
    expect(next).not.toBeNull();
    // The previous holder doesn't remove its successor's lock.
    await suspended?.release();
    expect(await lockFolder(folder)).toBeNull();
    await next?.release();
  });

  it('is taken over by exactly one of several processes', async () => {
    const folder = await makeFolder();
    const staleLock = await lockFolder(folder);
    await utimes(path.join(folder, '.lock'), 0, 0);
    const locks = await Promise.all(Array.from({ length: 8 }, () => lockFolder(folder)));
    const heldLocks = locks.filter((lock) => lock !== null);
    expect(heldLocks.length).toBeLessThanOrEqual(1);
    for (const lock of heldLocks) await lock.release();
    await staleLock?.release();
  });
});
