/** The signed-in account's folders, which are scanned while the app is open. */
import { Coalesced, merged, writable } from '@linnet/base';
import type { Folder, FolderAccess, FolderStore, FolderSync } from '@linnet/sync';
import type { FoldersService, PickOutcome, WatchedFolder } from '../../ports/folders.ts';

/** A folder that the user has picked. */
export type PickedFolder = { readonly id: string; readonly name: string };

/** The platform's access to folders. The platform chooses the folder IDs. */
export type FolderPicker = FolderAccess & {
  /** Whether the platform can remember picked folders. */
  readonly canRemember: boolean;
  /**
   * Shows the system's folder picker.
   * @param added the IDs of the folders that the account already has. If the user picks one of them, its ID is
   *   returned.
   * @returns `canceled` or `forbidden` if no folder was picked
   */
  pick(added: readonly string[]): Promise<PickedFolder | 'canceled' | 'forbidden'>;
  /**
   * Returns a dropped folder, or null if the item is something else.
   * @param added as for `pick`
   */
  dropped(item: DataTransferItem, added: readonly string[]): Promise<PickedFolder | null>;
  /**
   * Asks the user for access if necessary.
   * @returns whether access is granted
   */
  request(id: string, access: 'read' | 'write'): Promise<boolean>;
  /** Returns the IDs of all remembered folders, across accounts. */
  ids(): Promise<readonly string[]>;
  /** Forgets a folder. */
  forget(id: string): Promise<void>;
  /**
   * Calls the listener whenever folders should be scanned.
   * @returns a function that stops watching
   */
  watch(listener: () => void): () => void;
};

export type FoldersOptions = {
  readonly store: FolderStore;
  readonly picker: FolderPicker;
  readonly sync: FolderSync;
  /** The signed-in account, or null. */
  readonly uid: () => string | null;
  /** Returns milliseconds since 1970. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
};

export type Folders = {
  readonly service: FoldersService;
  /** Starts scanning the folders of the signed-in account. */
  start(): void;
  /** Stops scanning. An import in progress is canceled; the next start repeats it. */
  stop(): void;
};

/** Pause after a scan, as a multiple of the scan's duration. Saves power with folders of thousands of files. */
const PAUSE_FACTOR = 5;

/** Maximum pause in milliseconds. Limits how long new files wait after a long scan that imported files. */
const MAX_PAUSE_MS = 30_000;

export function createFolders({ store, picker, sync, uid, now, onError }: FoldersOptions): Folders {
  const folders = writable<readonly Folder[] | null>(null);
  const watched = writable<readonly WatchedFolder[] | null>(null);
  /** The IDs of folders whose scan the user has requested. */
  const requested = new Set<string>();
  let session: AbortController | null = null;
  let current: { readonly id: string; readonly control: AbortController } | null = null;
  let unwatch: () => void = () => {};
  /** Earliest time for the next periodic scan, in milliseconds since 1970. */
  let nextPeriodicScan = 0;

  merged(
    folders,
    sync.states,
  )(() => {
    const states = sync.states.get();
    const withState = (folder: Folder): WatchedFolder => ({
      ...folder,
      state: states.get(folder.id) ?? { status: 'waiting', latest: null },
    });
    watched.set(folders.get()?.map(withState) ?? null);
  });

  async function reload(): Promise<void> {
    const owner = uid();
    const list = owner === null ? null : await store.list(owner);
    if (owner === uid()) folders.set(list);
  }

  const pass = new Coalesced(async () => {
    const { signal } = session ?? {};
    if (!signal || signal.aborted) return;
    const startedAt = now();
    await scanFolders(signal);
    nextPeriodicScan = now() + Math.min(MAX_PAUSE_MS, PAUSE_FACTOR * (now() - startedAt));
  });

  async function scanFolders(signal: AbortSignal): Promise<void> {
    await reload();
    for (const folder of folders.get() ?? []) {
      if (signal.aborted) return;
      const control = new AbortController();
      current = { id: folder.id, control };
      try {
        const isRequested = requested.delete(folder.id);
        await sync.scan(folder, isRequested, AbortSignal.any([signal, control.signal]));
      } catch (error) {
        if (!signal.aborted && !control.signal.aborted) throw error;
      } finally {
        current = null;
      }
    }
  }
  const scan = () => void pass.run().catch(onError);

  /** Scans the folders, unless the previous scan was too recent. */
  function scanPeriodically(): void {
    if (now() >= nextPeriodicScan) scan();
  }

  async function add(pickedFolder: PickedFolder): Promise<PickOutcome> {
    const owner = uid();
    if (owner === null) return 'canceled';
    const isKnown = (await store.list(owner)).some(({ id }) => id === pickedFolder.id);
    if (!isKnown) {
      await store.add({
        id: pickedFolder.id,
        uid: owner,
        name: pickedFolder.name,
        retention: 'keep',
      });
      await reload();
    }
    requested.add(pickedFolder.id);
    scan();
    return isKnown ? 'known' : 'added';
  }

  const addedIds = () => folders.get()?.map(({ id }) => id) ?? [];

  /** Forgets folders that were removed or whose account was closed. */
  async function sweep(): Promise<void> {
    const addedFolderIds = await store.ids();
    for (const id of await picker.ids()) if (!addedFolderIds.has(id)) await picker.forget(id);
  }

  return {
    service: {
      canRemember: picker.canRemember,
      folders: watched,
      async pick() {
        const pickedFolder = await picker.pick(addedIds());
        return typeof pickedFolder === 'string' ? pickedFolder : add(pickedFolder);
      },
      async addDropped(item) {
        const droppedFolder = await picker.dropped(item, addedIds());
        return droppedFolder && add(droppedFolder);
      },
      async scan(id) {
        const { retention } = folders.get()?.find((each) => each.id === id) ?? {};
        const access = retention === 'delete' ? 'write' : 'read';
        if (await picker.request(id, access)) requested.add(id);
        scan();
      },
      async setRetention(id, retention) {
        if (retention === 'delete' && !(await picker.request(id, 'write'))) return false;
        await store.setRetention(id, retention);
        await reload();
        scan();
        return true;
      },
      async remove(id) {
        const folder = folders.get()?.find((each) => each.id === id);
        if (current?.id === id) current.control.abort();
        await store.remove(id);
        sync.forget(id);
        await reload();
        // The platform forgets the folder only on the next start, so the user can still undo the removal.
        return async () => {
          if (!folder) return;
          await store.add(folder);
          requested.add(id);
          await reload();
          scan();
        };
      },
    },
    start() {
      session?.abort();
      session = new AbortController();
      unwatch();
      unwatch = picker.watch(scanPeriodically);
      sweep().catch(onError);
      scan();
    },
    stop() {
      session?.abort();
      session = null;
      unwatch();
      folders.set(null);
    },
  };
}
