import type { VaultFailureCode } from '@linnet/contract/vaults';
import type { Store } from './store.ts';

/** The folder on this device with a Markdown file for each recording. */
export type DeviceVault = {
  readonly name: string;
  /** The owner's template; null for the default one. */
  readonly template: string | null;
  /** When the files were last brought up to date (ISO 8601); null until then. */
  readonly writtenAt: string | null;
  readonly files: number;
  /** Number of files that could not be written, although others could. */
  readonly refused: number;
  readonly state:
    | { readonly status: 'updating' | 'current' }
    /** The browser has to ask the user again. */
    | { readonly status: 'permission' }
    | { readonly status: 'failed'; readonly code: VaultFailureCode };
};

/** The account's folder on this device. It needs no server. */
export type DeviceVaultService = {
  /** Whether this browser can write to a folder. */
  readonly canPick: boolean;
  /** The folder; null if none is picked, undefined while loading. */
  readonly vault: Store<DeviceVault | null | undefined>;
  /**
   * Lets the user pick a folder, which replaces the present one. Must be called in response to a tap.
   * @returns `forbidden` if the browser doesn't allow access, for example to a system folder
   */
  pick(): Promise<'picked' | 'canceled' | 'forbidden'>;
  /** Asks the user for access again, or tries again after a failure. Must be called in response to a tap. */
  resume(): Promise<void>;
  /** @param template null for the default */
  setTemplate(template: string | null): Promise<void>;
  /** Forgets the folder. The files stay in it. */
  disconnect(): Promise<void>;
};
