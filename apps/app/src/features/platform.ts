import type { RecorderFinder } from '@linnet/device/transport';
import type { SqlDatabase } from '@linnet/local-db';
import type { AudioStore, AudioWorkshop, ProgressBoard } from '@linnet/sync';
import type { NetworkKind } from '../ports/network.ts';
import type { PositionService } from '../ports/position.ts';
import type { RecorderTransport } from '../ports/recorder.ts';
import type { Store } from '../ports/store.ts';
import type { DeviceSystem } from '../ports/system.ts';
import type { FileSharing } from './export/file-sharing.ts';
import type { Recode } from './export/sound.ts';
import type { SharedFile, SharingFailed } from './library/imports.ts';
import type { StoredFiles } from './library/phone-space.ts';
import type { RecorderNetworks } from './recorder/recorder-networks.ts';
import type { ShellUpdate } from './update.ts';

/** The parts of {@link Platform} that browsers and phones implement differently. */
export type PlatformAdapters = {
  /** @param virtualRecorders addresses of virtual recorders, as last reported by the server */
  readonly finders: (
    virtualRecorders: () => readonly string[],
  ) => ReadonlyMap<RecorderTransport['kind'], RecorderFinder>;
  /** Null where the user joins a recorder's network in the system's settings. */
  readonly networks: RecorderNetworks | null;
  readonly fileSharing: FileSharing;
  /** The kind of network this device uses. */
  readonly network: Store<NetworkKind>;
  /** Files that other apps shared with this one and that have not been taken yet. */
  readonly sharedFiles: () => Promise<readonly SharedFile[]>;
  /** Notifies when a file is shared while the app runs, or when sharing fails. */
  readonly onShared: (listener: SharingFailed) => void;
  /** Keeps the app running in the background while something is in progress. @returns stops that */
  readonly keepRunning: (progress: ProgressBoard) => () => void;
};

/** Everything the services need of the platform. */
export type Platform = PlatformAdapters & {
  /** The service worker that serves the app's own files. */
  readonly shell: ShellUpdate;
  readonly database: SqlDatabase;
  readonly audio: AudioStore;
  /** Measures the loudness of packets of a recording in progress, 0–255 each. */
  readonly levels: (recordId: string, packets: Uint8Array) => Promise<Uint8Array>;
  readonly workshop: AudioWorkshop;
  readonly recode: Recode;
  readonly storagePersists: () => boolean;
  readonly storedFiles: StoredFiles;
  readonly position: PositionService;
  readonly system: DeviceSystem;
  /** The language of the interface, BCP-47. */
  readonly language: () => string;
};
