/**
 * Ties a recorder connection to `RecorderSync`, which copies recordings to the phone. Creates the sync, reads sessions
 * over Wi-Fi if the recorder has opened its network, and restarts the sync after failures.
 */
import {
  type Hotspot,
  isLinkLost,
  type RecorderSession,
  type RecorderStatus,
  readSessionOverHttp,
  type SessionDigest,
} from '@linnet/device/session';
import {
  type AudioStore,
  type Clock,
  type Cloud,
  type LiveSink,
  type Log,
  type ProgressBoard,
  RecorderSync,
  type RecordStore,
  StorageFull,
  type StoragePolicy,
} from '@linnet/sync';
import {
  type Connection,
  type ConnectionOptions,
  createConnection,
  type GetPhoneCopy,
} from './connection.ts';

/** Delay in milliseconds before a retry while storage is full. */
const STORAGE_FULL_MS = 5000;
/** Delay in milliseconds before a sync restarts after an unexpected error. */
const UNEXPECTED_ERROR_MS = 30_000;

/**
 * Number of 1600-byte chunks written per batch over Wi-Fi. A flush costs about the same regardless of size, so large
 * batches are faster.
 */
const CHUNKS_PER_BATCH = 160;

export type ConnectionSyncOptions = {
  readonly records: RecordStore;
  readonly audio: AudioStore;
  readonly progress: ProgressBoard;
  readonly phoneCopy: GetPhoneCopy;
  readonly onStored: () => void;
  /** Called for each chunk of a recording in progress. */
  readonly onLiveChunk: (recordId: string, bytes: Uint8Array) => void;
  /** Receives the packets of recordings in progress. */
  readonly live: LiveSink;
  /** Reads the current storage policy. */
  readonly storage: () => Promise<StoragePolicy>;
  readonly cloudDigest: Cloud['digest'];
  readonly isStoragePersistent: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly onError: (error: unknown) => void;
};

type NewConnection = Pick<ConnectionOptions, 'missing' | 'onMissing'> & {
  readonly session: RecorderSession;
  readonly status: RecorderStatus;
  /** The account that the recordings belong to. */
  readonly uid: string;
  /** The recorder's network, if the session uses it. */
  readonly network: Hotspot | undefined;
  /** Returns to Bluetooth. Called once everything has been transferred over Wi-Fi. */
  readonly closeWifi: () => Promise<void>;
};

/** Creates the connection for a new session. Call `runSync` to start its sync. */
export function createSyncedConnection(
  options: ConnectionSyncOptions,
  { session, status, uid, network, closeWifi, ...callbacks }: NewConnection,
): Connection {
  const { records, audio, progress, storage, cloudDigest, clock, isStoragePersistent, log } =
    options;
  const reportUnlessLinkLost = (error: unknown) => {
    if (!isLinkLost(error)) options.onError(error);
  };
  const sync = new RecorderSync({
    session,
    uid,
    records,
    audio,
    progress,
    storage,
    cloudDigest,
    clock,
    isStoragePersistent,
    onStored: () => {
      options.onStored();
      connection.readStatus().catch(reportUnlessLinkLost);
    },
    onLiveChunk: (id, _index, bytes) => options.onLiveChunk(id, bytes),
    live: options.live,
    ...(network && {
      readComplete: (...request: Parameters<RecorderSession['readSession']>) =>
        readOverWifi(session, network, ...request),
      onAllRead: () => void closeWifi().catch(reportUnlessLinkLost),
    }),
    log,
  });
  const connection = createConnection({
    session,
    sync,
    status,
    phoneCopy: options.phoneCopy,
    ...callbacks,
    onError: reportUnlessLinkLost,
  });
  return connection;
}

/**
 * Reads a session over the recorder's network: over HTTP in protocol version 1, over the encrypted link in version 2.
 */
function readOverWifi(
  session: RecorderSession,
  network: Hotspot,
  ...[sessionId, fromChunk, options]: Parameters<RecorderSession['readSession']>
): Promise<SessionDigest> {
  return network.version === 1
    ? readSessionOverHttp(network, sessionId, fromChunk, options)
    : session.readSession(sessionId, fromChunk, { ...options, maxChunksPerCall: CHUNKS_PER_BATCH });
}

type StopReason = 'link_lost' | 'storage_full' | 'unexpected_error';

/**
 * Runs a sync until the link is lost or `signal` aborts. If storage is full or an unexpected error occurs, restarts the
 * sync over the same link, so that the user can still control the recorder.
 */
export async function runSync(
  sync: RecorderSync,
  { clock, log, onError }: Pick<ConnectionSyncOptions, 'clock' | 'log' | 'onError'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const end = await runSyncOnce(sync, onError, signal);
    if (end === 'link_lost' || signal.aborted) return;
    const ms = end === 'storage_full' ? STORAGE_FULL_MS : UNEXPECTED_ERROR_MS;
    log('fetch.waiting', { ms, kind: end });
    await clock.sleep(ms, signal).catch((error: unknown) => !signal.aborted && onError(error));
  }
}

/**
 * Runs a sync once.
 * @returns why it stopped
 */
async function runSyncOnce(
  sync: RecorderSync,
  onError: (error: unknown) => void,
  signal: AbortSignal,
): Promise<StopReason> {
  try {
    await sync.run(signal);
    return 'link_lost';
  } catch (error) {
    if (error instanceof StorageFull) return 'storage_full';
    if (!signal.aborted) onError(error);
    return 'unexpected_error';
  }
}
