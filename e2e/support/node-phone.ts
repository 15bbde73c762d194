import { join } from 'node:path';
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import type { RecorderSession } from '@linnet/device/session';
import { createStores, migrate } from '@linnet/local-db';
import { openNodeSqlite } from '@linnet/local-db/node-sqlite';
import { type AudioStore, defaultSaveSetting, ProgressBoard, RecorderSync } from '@linnet/sync';
import { openFileAudioStore } from './file-audio-store.ts';

type Options = {
  /** What the audio store is seen through. */
  readonly through?: (audio: AudioStore) => AudioStore;
  /** As `RecorderSync` takes it. */
  readonly readWhole?: RecorderSession['readSession'];
};

/** The app's synchronisation with a database and audio in a folder, as a phone has them. */
export async function openNodePhone(folder: string) {
  const database = await openNodeSqlite(join(folder, 'phone.sqlite3'));
  await migrate(database);
  const { records } = createStores(database);
  const audio = openFileAudioStore(folder, await loadOpus(readOpusWasm()));
  return {
    /** Reads until one session is verified here. */
    async readOne(session: RecorderSession, options: Options = {}): Promise<void> {
      const { through = (store) => store, readWhole } = options;
      const stop = new AbortController();
      let isStored = false;
      const sync = new RecorderSync({
        session,
        uid: 'owner',
        records,
        audio: through(audio),
        progress: new ProgressBoard(),
        saveSetting: () => ({ ...defaultSaveSetting, devcieSave: 1 }),
        storagePersists: () => true,
        onStored: () => {
          isStored = true;
          stop.abort();
        },
        ...(readWhole && { readWhole }),
        log: () => {},
      });
      await sync.run(stop.signal);
      if (!isStored) throw new Error('the link was lost before the session was whole');
    },
    close: () => database.close(),
  };
}
