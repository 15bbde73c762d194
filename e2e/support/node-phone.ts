import { join } from 'node:path';
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import type { RecorderSession } from '@linnet/device/session';
import { createStores, migrate } from '@linnet/local-db';
import { openNodeSqlite } from '@linnet/local-db/node-sqlite';
import { type AudioStore, ProgressBoard, RecorderSync, readStoragePolicy } from '@linnet/sync';
import { openFileAudioStore } from './file-audio-store.ts';

type Options = {
  /** Wraps the audio store. */
  readonly wrapAudioStore?: (audio: AudioStore) => AudioStore;
  /** Passed to `RecorderSync`. */
  readonly readComplete?: RecorderSession['readSession'];
};

/** The app's sync with a database and audio in a folder, as on a phone. */
export async function openNodePhone(folder: string) {
  const database = await openNodeSqlite(join(folder, 'phone.sqlite3'));
  await migrate(database);
  const { records } = createStores(database);
  const audio = openFileAudioStore(folder, await loadOpus(readOpusWasm()));
  /** Reads until one session is verified here, or the link is lost. @returns how it ended */
  async function syncOneSession(
    session: RecorderSession,
    options: Options = {},
  ): Promise<'whole' | 'lost'> {
    const { wrapAudioStore: through = (store) => store, readComplete } = options;
    const stop = new AbortController();
    const sync = new RecorderSync({
      session,
      uid: 'owner',
      records,
      audio: through(audio),
      progress: new ProgressBoard(),
      storage: async () => readStoragePolicy([]),
      storagePersists: () => true,
      onStored: () => stop.abort(),
      ...(readComplete && { readComplete }),
      log: () => {},
    });
    await sync.run(stop.signal);
    return stop.signal.aborted ? 'whole' : 'lost';
  }

  return {
    read: syncOneSession,
    /** As {@link syncOneSession}. @throws if the link is lost first */
    async readOne(session: RecorderSession, options?: Options): Promise<void> {
      if ((await syncOneSession(session, options)) === 'lost')
        throw new Error('the link was lost before');
    },
    close: () => database.close(),
  };
}
