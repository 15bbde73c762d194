/** Creates the services that receive audio: Linnet recorders, Omi, Pocket, and the microphone of this device. */
import type { Marker } from '@linnet/contract';
import type { Client } from '@linnet/contract/client';
import {
  type ChangeStore,
  type Cloud,
  type FileImporter,
  type LiveSink,
  type ProgressBoard,
  type RecordStore,
  type StoragePolicy,
  systemClock,
} from '@linnet/sync';
import i18next from 'i18next';
import { addWithFirstMatch } from '../features/foreign/add-with-first-match.ts';
import { log, reportError } from '../features/log.ts';
import { createGapMarkers } from '../features/omi/gap-markers.ts';
import { createOmi } from '../features/omi/omi.ts';
import type { Platform } from '../features/platform.ts';
import { removePocketKey } from '../features/pocket/known-pocket.ts';
import { createPocket } from '../features/pocket/pocket.ts';
import { createLinnetRecorder } from '../features/recorder/linnet-recorder.ts';
import { createRecorder } from '../features/recorder/recorder.ts';
import { createRecorders } from '../features/recorder/recorders.ts';
import { createThisDevice } from '../features/recorder/this-device.ts';
import { formatMilliseconds } from '../i18n/format.ts';

export type RecordingSourcesOptions = {
  readonly platform: Platform;
  readonly client: Client;
  /** The address of the current server. */
  readonly server: string;
  /** Returns the addresses of the server's virtual recorders. */
  readonly virtualRecorderUrls: () => readonly string[];
  readonly records: RecordStore;
  readonly changes: Pick<ChangeStore, 'edit'>;
  readonly importer: FileImporter;
  readonly progress: ProgressBoard;
  readonly live: LiveSink;
  /** The signed-in account, or null. */
  readonly uid: () => string | null;
  readonly storage: () => Promise<StoragePolicy>;
  readonly cloudDigest: Cloud['digest'];
  /** Called when a recording is completely on this device. */
  readonly onStored: () => void;
};

export function createRecordingSources(options: RecordingSourcesOptions) {
  const { platform, client, records, changes, importer, progress, live, uid } = options;
  const { audio, keepAwake, levels, isStoragePersistent } = platform;
  const { storage, cloudDigest, onStored } = options;
  const shared = { records, audio, progress, live, clock: systemClock, onStored, log };
  const onError = reportError;
  const finders = platform.finders(options.virtualRecorderUrls);

  /** Adds a marker to a recording of the account. */
  async function mark(recording: string, marker: Marker): Promise<void> {
    const owner = uid();
    if (owner === null) return;
    await changes.edit(owner, {
      type: 'recording.marker',
      recording,
      marker: marker.id,
      value: marker,
    });
  }

  const omi = createOmi({
    ...shared,
    mark,
    finders,
    keepAwake,
    levels,
    pack: platform.pack,
    gaps: createGapMarkers({
      mark,
      label: (length) =>
        i18next.t('record.lostAudio', { length: formatMilliseconds(length, platform.language()) }),
      onError,
    }),
    storage,
    cloudDigest,
    isStoragePersistent,
    onError,
  });
  const pocket = createPocket({ finders, importer, clock: systemClock, onStored, log, onError });
  const recorder = createRecorder({
    ...shared,
    client,
    addOther: addWithFirstMatch<'omi' | 'pocket'>([omi.add, pocket.add]),
    server: options.server,
    levels,
    async deletePermanently(recording) {
      const owner = uid();
      if (owner !== null) await changes.edit(owner, { type: 'recording.delete', recording });
    },
    finders,
    networks: platform.networks,
    storage,
    cloudDigest,
    isStoragePersistent,
    onError,
  });
  const thisDevice = createThisDevice({
    ...shared,
    microphone: platform.microphone,
    keepAwake,
    wasReloaded: platform.wasReloaded,
    onError,
  });
  const recorders = createRecorders({
    linnet: createLinnetRecorder(recorder.service, systemClock.now),
    omi,
    thisDevice,
    link: recorder.service.link,
    onError,
  });

  return {
    recorder,
    services: { recorder: recorder.service, omi: omi.service, pocket: pocket.service, recorders },
    start(owner: string): void {
      recorder.start(owner);
      void thisDevice.start(owner);
      void omi.start(owner);
      pocket.start(owner);
    },
    async stop(): Promise<void> {
      await thisDevice.stop();
      await omi.stop();
      await pocket.stop();
      await recorder.stop();
    },
    /** Deletes an account's keys of all recorders from this device. */
    removeKeys(owner: string): void {
      recorder.removeKeys(owner);
      removePocketKey(owner);
    },
    /** Retries receiving a recording's audio from the recorder, or creating its files. */
    refetch(recordId: string): void {
      recorder.refetch(recordId);
      thisDevice.complete(recordId);
      omi.complete(recordId);
    },
    /** Call when the page becomes visible. */
    pageVisible(): void {
      recorder.pageVisible();
      omi.pageVisible();
      pocket.pageVisible();
    },
  };
}
