/** Creates the services that import audio files: picked files, shared files, and files in watched folders. */
import { basicKinds } from '@linnet/audio/kind';
import {
  type Cloud,
  FileImporter,
  FileRetention,
  type FolderStore,
  FolderSync,
  type RecordStore,
  type StoragePolicy,
  systemClock,
} from '@linnet/sync';
import { createFolders } from '../features/folders/folders.ts';
import { findRecordingDate } from '../features/library/file-date.ts';
import { createImportConfirmation } from '../features/library/import-confirmation.ts';
import { createImports } from '../features/library/imports.ts';
import { log, reportError } from '../features/log.ts';
import type { Platform } from '../features/platform.ts';
import type { ServerInfo } from '../ports/server.ts';

export type ImportingOptions = {
  readonly platform: Platform;
  readonly records: RecordStore;
  readonly store: FolderStore;
  /** The signed-in account, or null. */
  readonly uid: () => string | null;
  readonly serverInfo: () => Pick<ServerInfo, 'audioKinds'> | null;
  readonly cloudDigest: Cloud['digest'];
  readonly storage: () => Promise<StoragePolicy>;
  /** Returns the balance if imports use minutes, or null if they don't. */
  readonly getBalance: Parameters<typeof createImportConfirmation>[0];
  /** Called when a recording has been completely imported. */
  readonly onStored: () => void;
};

export function createImporting(options: ImportingOptions) {
  const { platform, records, store, uid, serverInfo, cloudDigest, storage, getBalance, onStored } =
    options;
  const { audio, audioProcessor, isStoragePersistent } = platform;
  const onError = reportError;
  const importer = new FileImporter({
    records,
    audio,
    audioProcessor,
    onError,
    isDecodable: (kind) => (serverInfo()?.audioKinds ?? basicKinds).includes(kind),
    findDate: findRecordingDate,
  });
  const confirmation = createImportConfirmation(getBalance);
  const imports = createImports({ importer, confirmation, uid, onStored, onError });
  const folders = createFolders({
    store,
    picker: platform.folders,
    sync: new FolderSync({
      store,
      access: platform.folders,
      importer,
      retention: new FileRetention({
        records,
        audio,
        audioProcessor,
        cloudDigest,
        storage,
        isStoragePersistent,
        log,
      }),
      confirm: confirmation.confirm,
      clock: systemClock,
      onStored,
      log,
      onError,
    }),
    uid,
    now: systemClock.now,
    onError,
  });
  return { importer, imports, folders };
}
