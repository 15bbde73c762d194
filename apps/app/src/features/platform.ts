import type { RecorderFinder } from '@linnet/device/transport';
import type { SqlDatabase } from '@linnet/local-db';
import type { AudioStore, AudioWorkshop, Microphone, ProgressBoard } from '@linnet/sync';
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
  /** Null if the user must join a recorder's network in the system settings. */
  readonly networks: RecorderNetworks | null;
  readonly fileSharing: FileSharing;
  /** The kind of network this device uses. */
  readonly network: Store<NetworkKind>;
  /** Files shared by other apps that are not imported yet. */
  readonly sharedFiles: () => Promise<readonly SharedFile[]>;
  /** Registers a listener for files shared while the app runs, and for failed sharing. */
  readonly onShared: (listener: SharingFailed) => void;
  /** Keeps the app running in the background during transfers. @returns a function that ends this */
  readonly keepRunning: (progress: ProgressBoard) => () => void;
};

/** The platform adapters required by the services. */
export type Platform = PlatformAdapters & {
  /** The service worker that serves the app's own files. */
  readonly shell: ShellUpdate;
  readonly database: SqlDatabase;
  readonly audio: AudioStore;
  /** Measures the loudness of packets of a recording in progress, 0–255 each. */
  readonly levels: (recordId: string, packets: Uint8Array) => Promise<Uint8Array>;
  readonly workshop: AudioWorkshop;
  readonly recode: Recode;
  readonly microphone: Microphone;
  /** Prevents this device from sleeping. @returns a function that allows it again */
  readonly keepAwake: () => () => void;
  readonly storagePersists: () => boolean;
  readonly storedFiles: StoredFiles;
  readonly position: PositionService;
  readonly system: DeviceSystem;
  /** The language of the interface, BCP-47. */
  readonly language: () => string;
};
