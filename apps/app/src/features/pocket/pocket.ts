/** A Pocket: a recorder whose recordings are transferred and imported as files. It records only with its own button. */
import { type Store, writable } from '@linnet/base';
import { type RememberedRecorder, TransportError } from '@linnet/device/transport';
import {
  isPocket,
  openPocketSession,
  PocketError,
  type PocketSession,
  type PocketTiming,
} from '@linnet/pocket';
import type { PocketService, PocketState } from '../../ports/pocket.ts';
import type { RecorderFailure } from '../../ports/recorder.ts';
import type { Outcome } from '../../ports/store.ts';
import {
  createForeignLink,
  disconnectedState,
  type ForeignLink,
  type ForeignLinkOptions,
  type ForeignMaker,
} from '../foreign/foreign-link.ts';
import { notConnected } from '../recorder/failures.ts';
import { createFileSync, type FileSyncOptions, type FileSyncState } from './file-sync.ts';
import { hasHungUp, type KnownPocket, knownPocket } from './known-pocket.ts';

type PocketLink = ForeignLink<PocketSession, KnownPocket>;

export type PocketOptions = ForeignLinkOptions &
  Pick<FileSyncOptions, 'importer' | 'onStored'> & { readonly timing?: PocketTiming };

export type Pocket = {
  readonly service: PocketService;
  /** Stores a discovered device if it is a Pocket. The user then enters its session key. */
  add(found: RememberedRecorder): Promise<Outcome<'pocket', RecorderFailure>>;
  start(uid: string): void;
  /** Ends the transfer, and disconnects. */
  stop(): Promise<void>;
  pageVisible(): void;
};

/** Returns the open session as a store. */
function watchSession(link: PocketLink): Store<PocketSession | null> {
  const session = writable(link.current());
  link.state.subscribe(() => {
    if (link.current() !== session.get()) session.set(link.current());
  });
  return session;
}

function toPocketState(link: PocketLink, sync: FileSyncState, isRefused: boolean): PocketState {
  const knownPocketDevice = link.known();
  if (!knownPocketDevice) return { status: 'none' };
  const { name } = knownPocketDevice;
  if (knownPocketDevice.key === null) {
    const refusal = hasHungUp(knownPocketDevice) ? 'key_hang_up' : isRefused ? 'key_refused' : null;
    return { status: 'key_needed', name, refusal };
  }
  if (hasHungUp(knownPocketDevice)) return { status: 'key_rejected', name, code: 'key_hang_up' };
  const now = link.state.get();
  if (now.status === 'none') return { status: 'idle', reason: 'closed', name };
  if (now.status !== 'connected') return { ...disconnectedState(now), name };
  const { firmware, status } = now.connection;
  return { status: 'connected', name, firmware, facts: status.get(), ...sync };
}

export function createPocket(options: PocketOptions): Pocket {
  const { clock, onError } = options;
  /** Whether the recorder refused the last key. */
  let isRefused = false;

  /**
   * Returns whether a failure means that the key is wrong. A recorder may also ignore a wrong key. A previously
   * accepted key is never discarded, because it is hard for users to find it again.
   */
  function isKeyWrong(error: unknown, { isKeyProven }: KnownPocket): boolean {
    if (isKeyProven || !(error instanceof PocketError)) return false;
    return error.code === 'key_refused' || error.code === 'silent';
  }

  const maker: ForeignMaker<PocketSession, KnownPocket> = {
    name: 'pocket',
    devices: knownPocket,
    isReady: (known) => known.key !== null && !hasHungUp(known),
    async openSession(gatt, known) {
      if (known.key === null) {
        try {
          if (await isPocket(gatt)) return null;
          throw new TransportError('not_a_recorder');
        } finally {
          await gatt.close();
        }
      }
      /** Stores the state of the key, unless the recorder was removed. */
      const remember = (facts: Pick<KnownPocket, 'key' | 'isKeyProven' | 'hangUps'>) => {
        const now = knownPocket.get(known.uid);
        if (now?.key === known.key) knownPocket.remember({ ...now, ...facts });
      };
      const { key, isKeyProven } = known;
      try {
        const session = await openPocketSession(gatt, key, clock.now(), options.timing);
        remember({ key, isKeyProven: true, hangUps: 0 });
        return session;
      } catch (error) {
        if (isKeyWrong(error, known)) {
          isRefused = true;
          remember({ key: null, isKeyProven: false, hangUps: 0 });
          return null;
        }
        if (error instanceof PocketError && error.code === 'key_hang_up') {
          const hangUps = (known.hangUps ?? 0) + 1;
          const isRejected = hasHungUp({ ...known, hangUps });
          remember({ key: isRejected && !isKeyProven ? null : key, isKeyProven, hangUps });
          if (isRejected) return null;
          throw new TransportError('link_lost', { cause: error });
        }
        if (error instanceof PocketError)
          throw new TransportError('connect_failed', { cause: error });
        throw error;
      }
    },
    // Each recorder has its own key.
    replaced: (known) => ({ ...known, isKeyProven: false, hangUps: 0 }),
  };
  const link = createForeignLink(options, maker);
  const session = watchSession(link);
  const sync = createFileSync({
    ...options,
    session,
    owner: link.owner,
    recorder: () => link.known()?.name ?? '',
    async reopen() {
      await link.disconnect();
      return link.connect(false);
    },
  });

  const state = writable<PocketState>({ status: 'none' });
  const update = () => state.set(toPocketState(link, sync.state.get(), isRefused));
  let forgetStatus = () => {};
  session.subscribe(() => {
    forgetStatus();
    forgetStatus = session.get()?.status.subscribe(update) ?? (() => {});
  });
  link.state.subscribe(update);
  sync.state.subscribe(update);
  for (const [kind, finder] of options.finders) {
    finder.onAvailabilityChange(({ status }) => link.adapterChanged(kind, status === 'ready'));
  }

  return {
    service: {
      state,
      async enterKey(key) {
        const known = link.known();
        if (!known) return notConnected;
        isRefused = false;
        knownPocket.remember({ ...known, key, isKeyProven: false, hangUps: 0 });
        update();
        const outcome = await link.connect(true);
        update();
        return outcome;
      },
      skip: sync.skip,
      reconnect() {
        const known = link.known();
        if (known && hasHungUp(known)) knownPocket.remember({ ...known, hangUps: 0 });
        update();
        return link.connect(true);
      },
      disconnect: link.disconnect,
      async forget() {
        await link.forget();
        update();
      },
    },
    async add(found) {
      const name = found.name || 'Pocket';
      const uid = link.owner();
      const before = uid === null ? null : knownPocket.get(uid);
      const previous = before?.deviceId === found.deviceId ? before : null;
      const key = previous?.key ?? null;
      const isKeyProven = previous?.isKeyProven ?? false;
      isRefused = false;
      const added = await link.add((owner) => ({ ...found, name, uid: owner, key, isKeyProven }));
      update();
      return added.ok ? { ok: true, data: 'pocket' } : added;
    },
    start(uid) {
      link.setOwner(uid).then(update, onError);
    },
    async stop() {
      await link.setOwner(null);
      await sync.stop();
      update();
    },
    pageVisible: link.pageVisible,
  };
}
