import type { GattFinder } from '@linnet/device/gatt';
import type { RecorderFinder } from '@linnet/device/transport';
import type { SqlDatabase } from '@linnet/local-db';
import type { AudioProcessor, AudioStore, Microphone, ProgressBoard } from '@linnet/sync';
import type { NetworkKind } from '../ports/network.ts';
import type { PositionService } from '../ports/position.ts';
import type { RecorderTransport } from '../ports/recorder.ts';
import type { Store } from '../ports/store.ts';
import type { DeviceSystem } from '../ports/system.ts';
import type { Recode } from './export/audio.ts';
import type { FileSharing } from './export/file-sharing.ts';
import type { FolderPicker } from './folders/folders.ts';
import type { SharedFile, SharingFailedListener } from './library/imports.ts';
import type { StoredFiles } from './library/phone-space.ts';
import type { BrowserPush } from './notifications/browser-push.ts';
import type { PhoneNotifications } from './notifications/device-notifications.ts';
import type { PackAudio } from './omi/capture.ts';
import type { RecorderNetworks } from './recorder/recorder-networks.ts';
import type { ShellUpdate } from './update.ts';
import type { VaultPicker } from './vault/device-vault.ts';

/** The adapters that differ between browsers and phones. */
export type PlatformAdapters = {
  /** @param virtualRecorders returns the URLs of the virtual recorders that the server last reported */
  readonly finders: (
    virtualRecorders: () => readonly string[],
  ) => ReadonlyMap<RecorderTransport['kind'], RecorderFinder & Partial<GattFinder>>;
  /** Null if the user must join a recorder's network in the system settings. */
  readonly networks: RecorderNetworks | null;
  readonly fileSharing: FileSharing;
  /** Null if this browser can't receive push messages. */
  readonly notifications: BrowserPush | PhoneNotifications | null;
  /** The kind of network this device is using. */
  readonly network: Store<NetworkKind>;
  /** Returns files that other apps have shared and that haven't been imported yet. */
  readonly sharedFiles: () => Promise<readonly SharedFile[]>;
  /**
   * Registers a listener that is called when files are shared while the app is running, with the names of any that
   * failed.
   */
  readonly onShared: (listener: SharingFailedListener) => void;
  /**
   * Keeps the app running in the background during transfers.
   * @returns a function that stops this
   */
  readonly keepRunning: (progress: ProgressBoard) => () => void;
};

/** All platform adapters that the services require. */
export type Platform = PlatformAdapters & {
  /** Updates of the app's own files, which a service worker caches. */
  readonly shell: ShellUpdate;
  readonly database: SqlDatabase;
  readonly audio: AudioStore;
  /** Returns the loudness (0–255) of each packet in a recording in progress. */
  readonly levels: (recordId: string, packets: Uint8Array) => Promise<Uint8Array>;
  /** Converts an Omi's audio to packets. Successive calls must pass consecutive audio. */
  readonly pack: PackAudio;
  readonly audioProcessor: AudioProcessor;
  readonly recode: Recode;
  readonly microphone: Microphone;
  readonly folders: FolderPicker;
  readonly vaults: VaultPicker;
  /**
   * Keeps this device awake.
   * @returns a function that allows sleep again
   */
  readonly keepAwake: () => () => void;
  /** Whether this page is a reload of the previous one. */
  readonly wasReloaded: () => boolean;
  readonly isStoragePersistent: () => boolean;
  readonly storedFiles: StoredFiles;
  readonly position: PositionService;
  readonly system: DeviceSystem;
  /** Returns the interface language as a BCP 47 tag. */
  readonly language: () => string;
  /** Registers a listener for language changes made by the user. */
  readonly onLanguageChanged: (listener: (language: string) => void) => () => void;
};
