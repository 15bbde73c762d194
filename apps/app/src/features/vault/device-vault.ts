/** Keeps the signed-in account's folder of Markdown files on this device up to date while the app is open. */
import { Coalesced, lazy, writable } from '@linnet/base';
import type { VaultFailureCode } from '@linnet/contract/vaults';
import type { PickedVault } from '@linnet/local-db';
import { type Clock, StorageFull } from '@linnet/sync';
import { VaultFailure, type VaultFolder } from '@linnet/vault/folder';
import type { DeviceVault, DeviceVaultService } from '../../ports/device-vault.ts';
import { loadChunk } from '../../runtime/chunks.ts';
import type { NotesOptions } from './write-notes.ts';

/** The platform's access to folders that can be written. The platform chooses the folder IDs. */
export type VaultPicker = {
  /** Whether the platform can write to a folder. */
  readonly canPick: boolean;
  /**
   * Shows the system's folder picker.
   * @returns `canceled` or `forbidden` if no folder was picked
   */
  pick(): Promise<{ readonly id: string; readonly name: string } | 'canceled' | 'forbidden'>;
  /**
   * Asks the user for access. Must be called in response to a tap.
   * @returns whether access is granted
   */
  request(id: string): Promise<boolean>;
  /** Returns `permission` if the user has to be asked again, and `forgotten` if the platform doesn't know the folder. */
  open(id: string): Promise<VaultFolder | 'permission' | 'forgotten'>;
  /** Returns the IDs of all remembered folders, across accounts. */
  ids(): Promise<readonly string[]>;
  forget(id: string): Promise<void>;
  /**
   * Calls the listener when a folder may be available again.
   * @returns an unsubscribe function
   */
  watch(listener: () => void): () => void;
};

export type DeviceVaultOptions = Omit<NotesOptions, 'records'> & {
  readonly clock: Clock;
  readonly records: NotesOptions['records'] & {
    subscribe(listener: () => void): () => void;
  };
  readonly picker: VaultPicker;
  /** The signed-in account, or null. */
  readonly uid: () => string | null;
  readonly onError: (error: unknown) => void;
};

/**
 * Delay in milliseconds between a change and the pass that writes it. The pass includes all changes during the delay.
 */
const BATCH_MS = 2000;

/** Returns why a pass failed. */
function failureCode(error: unknown): VaultFailureCode {
  if (error instanceof VaultFailure) return error.code;
  return error instanceof StorageFull ? 'full' : 'failed';
}

export type DeviceVaultController = {
  readonly service: DeviceVaultService;
  /** Starts updating the folder of the signed-in account. */
  start(): void;
  stop(): void;
};

export function createDeviceVault(options: DeviceVaultOptions): DeviceVaultController {
  const { store, records, picker, uid, clock, onError } = options;
  const published = writable<DeviceVault | null | undefined>(undefined);
  let session: AbortController | null = null;
  let unwatch: () => void = () => {};
  /** The recordings whose file couldn't be written, with their change numbers at that attempt. See {@link writeNotes}. */
  const failedAttempts = new Map<string, number>();
  /** Whether the next pass checks the folder, even if nothing has changed. */
  let mustCheckFolder = true;
  const load = lazy(() => loadChunk(() => import('./write-notes.ts')));

  /**
   * Publishes the vault's state, unless the pass was aborted: either another pass follows, or the user has signed out.
   */
  async function publish(
    vault: PickedVault,
    state: DeviceVault['state'],
    signal: AbortSignal,
  ): Promise<void> {
    const { name, template } = vault;
    const { files, failed } = await store.count(vault.id);
    // The time may have been stored after the vault was read.
    const { writtenAt = null } = (await store.get(vault.uid)) ?? {};
    if (!signal.aborted)
      published.set({ name, template, writtenAt, files, refused: failed, state });
  }

  const pass = new Coalesced(async () => {
    const { signal } = session ?? {};
    const owner = uid();
    if (!signal || signal.aborted || owner === null) return;
    try {
      const vault = await store.get(owner);
      if (vault) await publish(vault, await update(vault, signal), signal);
      else if (!signal.aborted) published.set(null);
    } catch (error) {
      // Errors are expected after an abort, because the account's session has ended.
      if (!signal.aborted) throw error;
    }
  });

  async function update(vault: PickedVault, signal: AbortSignal): Promise<DeviceVault['state']> {
    try {
      const folder = await picker.open(vault.id);
      if (folder === 'permission') return { status: 'permission' };
      if (folder === 'forgotten') return { status: 'failed', code: 'missing' };
      // A folder that was already available keeps its state during the pass.
      const { status } = published.get()?.state ?? {};
      if (status === undefined || status === 'permission') {
        await publish(vault, { status: 'updating' }, signal);
      }
      const wasAvailable = status === 'current' && !mustCheckFolder;
      mustCheckFolder = false;
      const { writeNotes } = await load();
      await writeNotes(options, vault, folder, wasAvailable, failedAttempts, signal).finally(
        folder.close,
      );
      return { status: 'current' };
    } catch (error) {
      const code = failureCode(error);
      if (code === 'failed' && !signal.aborted) onError(error);
      return { status: 'failed', code };
    }
  }

  const run = () => void pass.run().catch(onError);
  let isWaiting = false;
  /** Runs a pass after a change. */
  function runSoon(): void {
    if (isWaiting || !session) return;
    isWaiting = true;
    const { signal } = session;
    clock
      .sleep(BATCH_MS, signal)
      .catch((error: unknown) => {
        if (!signal.aborted) throw error;
      })
      .finally(() => {
        isWaiting = false;
      })
      .then(run, onError);
  }
  /** Runs a pass that checks the folder and retries failed files. */
  const retry = () => {
    failedAttempts.clear();
    mustCheckFolder = true;
    run();
  };
  /** Restarts after the folder or its template has changed. */
  function restart(): void {
    session?.abort();
    session = new AbortController();
    retry();
  }

  /** Removes access to folders that were disconnected or whose account was closed. */
  async function sweep(): Promise<void> {
    const knownIds = await store.ids();
    for (const id of await picker.ids()) if (!knownIds.has(id)) await picker.forget(id);
  }

  async function current(): Promise<PickedVault | null> {
    const owner = uid();
    return owner === null ? null : store.get(owner);
  }

  return {
    service: {
      canPick: picker.canPick,
      vault: published,
      async pick() {
        const owner = uid();
        const pickedFolder = await picker.pick();
        if (typeof pickedFolder === 'string') return pickedFolder;
        if (owner === null || owner !== uid()) return 'canceled';
        const previous = await store.get(owner);
        await store.put({ ...pickedFolder, uid: owner, template: previous?.template ?? null });
        if (previous) await picker.forget(previous.id);
        published.set(undefined);
        restart();
        return 'picked';
      },
      async resume() {
        const vault = await current();
        if (!vault) return;
        await picker.request(vault.id);
        const value = published.get();
        if (value) published.set({ ...value, state: { status: 'updating' } });
        retry();
      },
      async setTemplate(template) {
        const vault = await current();
        if (!vault) return;
        await store.setTemplate(vault.id, template);
        restart();
      },
      async disconnect() {
        const vault = await current();
        if (!vault) return;
        session?.abort();
        await store.remove(vault.id);
        await picker.forget(vault.id);
        published.set(null);
        restart();
      },
    },
    start() {
      if (!picker.canPick) return;
      session?.abort();
      session = new AbortController();
      failedAttempts.clear();
      unwatch();
      const unsubscribes = [records.subscribe(runSoon), picker.watch(retry)];
      unwatch = () => {
        for (const unsubscribe of unsubscribes) unsubscribe();
      };
      sweep().then(run, onError);
    },
    stop() {
      session?.abort();
      session = null;
      unwatch();
      published.set(undefined);
    },
  };
}
