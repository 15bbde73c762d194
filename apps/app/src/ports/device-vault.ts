import type { VaultFailureCode } from '@linnet/contract/vaults';
import type { Store } from './store.ts';

/** The folder on this device with a Markdown file for each recording. */
export type DeviceVault = {
  readonly name: string;
  /** The user's template, or null for the default template. */
  readonly template: string | null;
  /** When the files were last updated (ISO 8601), or null before the first update. */
  readonly writtenAt: string | null;
  readonly files: number;
  /** Number of files that couldn't be written because of a failure that affects only them. */
  readonly refused: number;
  readonly state:
    | { readonly status: 'updating' | 'current' }
    /** The browser has to ask the user for access again. */
    | { readonly status: 'permission' }
    | { readonly status: 'failed'; readonly code: VaultFailureCode };
};

/** The account's folder on this device. It needs no server. */
export type DeviceVaultService = {
  /** Whether this browser can write to a folder. */
  readonly canPick: boolean;
  /** The folder, null if no folder has been picked, or undefined while loading. */
  readonly vault: Store<DeviceVault | null | undefined>;
  /**
   * Lets the user pick a folder, which replaces the current one. Must be called in response to a tap.
   * @returns `forbidden` if the browser doesn't allow access, for example to a system folder
   */
  pick(): Promise<'picked' | 'canceled' | 'forbidden'>;
  /** Asks the user for access again, or retries after a failure. Must be called in response to a tap. */
  resume(): Promise<void>;
  /** @param template null for the default */
  setTemplate(template: string | null): Promise<void>;
  /** Disconnects the folder without deleting its files. */
  disconnect(): Promise<void>;
};
