import { join } from 'node:path';
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import type { RecorderSession } from '@linnet/device/session';
import { createStores, migrate } from '@linnet/local-db';
import { openNodeSqlite } from '@linnet/local-db/node-sqlite';
import { type AudioStore, ProgressBoard, RecorderSync, readStoragePolicy } from '@linnet/sync';
import { openFileAudioStore } from './file-audio-store.ts';

type Options = {
  /** Wraps the audio store, for example to observe its writes or make them fail. */
  readonly wrapAudioStore?: (audio: AudioStore) => AudioStore;
  /** Passed to `RecorderSync`. */
  readonly readComplete?: RecorderSession['readSession'];
};

/** Runs a phone in Node: the app's sync code, with its database and audio files in a folder. */
export async function openNodePhone(folder: string) {
  const database = await openNodeSqlite(join(folder, 'phone.sqlite3'));
  await migrate(database);
  const { records } = createStores(database);
  const audio = openFileAudioStore(folder, await loadOpus(readOpusWasm()));
  /** Syncs until a session is stored on the phone or the link is lost. */
  async function syncOneSession(
    session: RecorderSession,
    options: Options = {},
  ): Promise<'stored' | 'linkLost'> {
    const { wrapAudioStore = (store) => store, readComplete } = options;
    const stop = new AbortController();
    const sync = new RecorderSync({
      session,
      uid: 'owner',
      records,
      audio: wrapAudioStore(audio),
      progress: new ProgressBoard(),
      storage: async () => readStoragePolicy([]),
      isStoragePersistent: () => true,
      onStored: () => stop.abort(),
      ...(readComplete && { readComplete }),
      log: () => {},
    });
    await sync.run(stop.signal);
    return stop.signal.aborted ? 'stored' : 'linkLost';
  }

  return {
    syncOneSession,
    /**
     * Syncs until a session is stored on the phone.
     * @throws if the link is lost first
     */
    async syncOneSessionOrFail(session: RecorderSession, options?: Options): Promise<void> {
      if ((await syncOneSession(session, options)) === 'linkLost')
        throw new Error('the link was lost');
    },
    close: () => database.close(),
  };
}
