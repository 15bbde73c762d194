import { AudioStoreError } from '@linnet/sync';
import { describe, expect, it } from 'vitest';
import type { ExportChoice } from '../../ports/exports.ts';
import { createExports } from '../export/exports.ts';
import { createDenoiser } from './denoiser.ts';
import { createInUse, type InUse } from './in-use.ts';
import { createAudioFinder } from './playable-audio.ts';

const unexpected = () => Promise.reject(new Error('unexpected call'));

describe('a recording', () => {
  it('is released once all holds are released', () => {
    const inUse = createInUse();
    const releasePlayer = inUse.hold(['a']);
    const releaseExport = inUse.hold(['a', 'b']);
    expect([inUse.has('a'), inUse.has('b'), inUse.has('c')]).toEqual([true, true, false]);
    releasePlayer();
    releasePlayer();
    expect(inUse.has('a')).toBe(true);
    releaseExport();
    expect([inUse.has('a'), inUse.has('b')]).toEqual([false, false]);
  });

  it.each(['succeeds', 'fails'])('is in use until its denoising %s', async (outcome) => {
    const denoising = Promise.withResolvers<string>();
    const inUse = createInUse();
    const denoiser = createDenoiser({
      inUse,
      records: { detail: async () => null, update: async () => {} },
      audioProcessor: {
        reduceNoise: () => denoising.promise,
        removeDenoised: async () => {},
        list: async () => ({ packets: [], denoised: [] }),
      },
      onError: unexpected,
    });
    const finished = denoiser.service.start('a');
    expect(inUse.has('a')).toBe(true);
    if (outcome === 'succeeds') denoising.resolve('path');
    else denoising.reject(new AudioStoreError('io_failed'));
    await finished;
    expect(inUse.has('a')).toBe(false);
  });

  const findAudio = (inUse: InUse, wave: Blob | null) =>
    createAudioFinder({
      inUse,
      client: { call: unexpected },
      records: { detail: async () => null },
      audio: { wave: async () => wave },
      audioProcessor: { denoised: async () => null },
    })('a');

  it('is in use while a player plays its local audio', async () => {
    const inUse = createInUse();
    const found = await findAudio(inUse, new Blob([new Uint8Array(44)]));
    expect(found?.from).toBe('phone');
    expect(inUse.has('a')).toBe(true);
    found?.release();
    expect(inUse.has('a')).toBe(false);
  });

  it('is not in use if its audio is missing or unreadable', async () => {
    const inUse = createInUse();
    expect(await findAudio(inUse, null)).toBeNull();
    await expect(findAudio(inUse, new Blob([]))).rejects.toThrow();
    expect(inUse.has('a')).toBe(false);
  });

  it('is in use until its export is saved', async () => {
    const inUse = createInUse();
    const exports = createExports({
      inUse,
      records: { detail: async () => null },
      uid: () => 'owner',
      client: { call: unexpected },
      audio: { master: unexpected, oggOpus: unexpected, wave: unexpected },
      audioProcessor: { denoised: unexpected },
      recode: unexpected,
      fileSharing: {
        ...{ save: unexpected, canShare: false, share: unexpected },
        ...{ canShareLinks: false, shareLink: unexpected },
      },
      onError: unexpected,
    });
    const control = new AbortController();
    const exported = exports.make(['a'], {} as ExportChoice, () => {}, control.signal);
    expect(inUse.has('a')).toBe(true);
    expect(await exported).toMatchObject({ ok: false, failure: { code: 'gone' } });
    expect(inUse.has('a')).toBe(true);
    control.abort();
    expect(inUse.has('a')).toBe(false);
  });
});
