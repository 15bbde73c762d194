import { AudioStoreError } from '@linnet/sync';
import { describe, expect, it } from 'vitest';
import type { ExportChoice } from '../../ports/exports.ts';
import { createExports } from '../export/exports.ts';
import { createDenoiser } from './denoiser.ts';
import { createInUse, type InUse } from './in-use.ts';
import { createSounds } from './sounds.ts';

const never = () => Promise.reject(new Error('asked'));

describe('a recording in use', () => {
  it('is released once all holds are released', () => {
    const inUse = createInUse();
    const playing = inUse.hold(['a']);
    const exporting = inUse.hold(['a', 'b']);
    expect([inUse.has('a'), inUse.has('b'), inUse.has('c')]).toEqual([true, true, false]);
    playing();
    playing();
    expect(inUse.has('a')).toBe(true);
    exporting();
    expect([inUse.has('a'), inUse.has('b')]).toEqual([false, false]);
  });

  it.each(['made', 'not made'])('is in use until its denoised version is %s', async (how) => {
    const work = Promise.withResolvers<string>();
    const inUse = createInUse();
    const denoiser = createDenoiser({
      inUse,
      records: { detail: async () => null, update: async () => {} },
      workshop: {
        reduceNoise: () => work.promise,
        removeDenoised: async () => {},
        list: async () => ({ packets: [], denoised: [] }),
      },
      onError: never,
    });
    const making = denoiser.service.start('a');
    expect(inUse.has('a')).toBe(true);
    if (how === 'made') work.resolve('path');
    else work.reject(new AudioStoreError('io_failed'));
    await making;
    expect(inUse.has('a')).toBe(false);
  });

  const soundOf = (inUse: InUse, wave: Blob | null) =>
    createSounds({
      inUse,
      client: { call: never },
      records: { detail: async () => null },
      audio: { wave: async () => wave },
      workshop: { denoised: async () => null },
    })('a');

  it('is in use while a player has its local audio', async () => {
    const inUse = createInUse();
    const sound = await soundOf(inUse, new Blob([new Uint8Array(44)]));
    expect(sound?.from).toBe('phone');
    expect(inUse.has('a')).toBe(true);
    sound?.release();
    expect(inUse.has('a')).toBe(false);
  });

  it('is not in use if its audio is missing or unreadable', async () => {
    const inUse = createInUse();
    expect(await soundOf(inUse, null)).toBeNull();
    await expect(soundOf(inUse, new Blob([]))).rejects.toThrow();
    expect(inUse.has('a')).toBe(false);
  });

  it('is in use until its export is saved', async () => {
    const inUse = createInUse();
    const exports = createExports({
      inUse,
      records: { detail: async () => null },
      uid: () => 'owner',
      client: { call: never },
      audio: { master: never, wave: never },
      workshop: { denoised: never },
      recode: never,
      fileSharing: { save: never, shares: false, share: never },
      onError: never,
    });
    const made = new AbortController();
    const making = exports.make(['a'], {} as ExportChoice, () => {}, made.signal);
    expect(inUse.has('a')).toBe(true);
    expect(await making).toMatchObject({ ok: false, failure: { code: 'gone' } });
    expect(inUse.has('a')).toBe(true);
    made.abort();
    expect(inUse.has('a')).toBe(false);
  });
});
