import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { audioStoreContract, type SampleSession } from '@linnet/sync/testing';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { openFileAudioStore } from '../support/file-audio-store.ts';
import { createSampleSession } from '../support/sample-session.ts';

describe('openFileAudioStore', async () => {
  const opus = await loadOpus(readOpusWasm());
  let folder: string;
  let sample: SampleSession;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'linnet-audio-'));
    sample = createSampleSession(opus);
  });
  afterAll(() => rm(folder, { recursive: true }));

  audioStoreContract({
    test,
    open: async () => openFileAudioStore(folder, opus),
    sample: async () => sample,
  });
});
