/** A phone's disk. It can be full, and killing the app can leave a write incomplete. */
import { readdir, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpusModule } from '@linnet/audio/opus';
import type { SqlDatabase } from '@linnet/local-db';
import { type AudioStore, AudioStoreError, type DurableFile, type StoredFile } from '@linnet/sync';
import { openFileAudioStore } from '../support/file-audio-store.ts';
import { FillableDatabase } from '../support/fillable-database.ts';
import type { AppRun } from './app-run.ts';

/** Whether a disk is full. Survives restarts of the app. */
export type Disk = { isFull: boolean };

/**
 * Wraps a database so that it stops working when the app is killed.
 * @param time returns the phone's time as ISO 8601
 */
export function killableDatabase(
  database: SqlDatabase,
  { appRun, disk, time }: { appRun: AppRun; disk: Disk; time: () => string },
): SqlDatabase {
  const fillable = new FillableDatabase(database);
  // Replace SQLite's `now`, which is the machine's time, with the phone's time.
  const replaceNow = (sql: string) => sql.replaceAll(`'now'`, `'${time()}'`);
  return {
    query: async (sql, values) => {
      appRun.check();
      return fillable.query(replaceNow(sql), values);
    },
    batch: (statements) =>
      appRun.write(() => {
        fillable.isFull = disk.isFull;
        return fillable.batch(
          statements.map(([sql, values]) =>
            values ? [replaceNow(sql), values] : [replaceNow(sql)],
          ),
        );
      }),
    close: () => fillable.close(),
  };
}

/** Opens the audio files in a folder. The store stops working when the app is killed. */
export function killableAudio(
  folder: string,
  opus: OpusModule,
  { appRun, disk }: { appRun: AppRun; disk: Disk },
): AudioStore {
  const audio = openFileAudioStore(folder, opus);
  const checkSpace = () => {
    if (disk.isFull) throw new AudioStoreError('storage_full');
  };
  const wrapAppends = async (opening: Promise<DurableFile>): Promise<DurableFile> => {
    const file = await opening;
    return {
      get bytes() {
        return file.bytes;
      },
      append(bytes) {
        const write = async () => {
          checkSpace();
          await file.append(bytes);
        };
        return appRun.write(write, () => file.append(bytes.subarray(0, bytes.length / 2)));
      },
      // Always close the file, because a killed process closes its files too.
      close: () => file.close(),
    };
  };
  return {
    openPackets: (id, chunkBytes) =>
      wrapAppends(appRun.read(() => audio.openPackets(id, chunkBytes))),
    openDownload: (id) => wrapAppends(appRun.read(() => audio.openDownload(id))),
    readPackets: (...args) => appRun.read(() => audio.readPackets(...args)),
    download: (id) => appRun.read(() => audio.download(id)),
    master: (id) => appRun.read(() => audio.master(id)),
    oggOpus: (id) => appRun.read(() => audio.oggOpus(id)),
    wave: (id) => appRun.read(() => audio.wave(id)),
    callLevels: (id) => appRun.read(() => audio.callLevels(id)),
    discardPackets: (id) => appRun.write(() => audio.discardPackets(id)),
    discardDownload: (id) => appRun.write(() => audio.discardDownload(id)),
    remove: (id) => appRun.write(() => audio.remove(id)),
    unpack: (id) =>
      appRun.write(async () => {
        checkSpace();
        await audio.unpack(id);
      }),
    finish: (id, onProgress) =>
      appRun.write(
        async () => {
          checkSpace();
          return audio.finish(id, onProgress);
        },
        async () => {
          await audio.finish(id);
          const ogg = join(folder, `${id}.ogg`);
          await truncate(ogg, Math.floor((await stat(ogg)).size / 2));
        },
      ),
  };
}

/** Lists the audio files in a folder. */
export async function listFiles(folder: string): Promise<StoredFile[]> {
  const files: StoredFile[] = [];
  for (const name of await readdir(folder)) {
    const [id = '', kind = ''] = name.split('.');
    if (id === 'phone') continue;
    const found = await stat(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (found) files.push({ id, kind, bytes: found.size });
  }
  return files;
}
