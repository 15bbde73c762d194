/**
 * Transfers selected recordings from the recorder. `RecorderSync` moves the data over the open link and resumes after
 * interruptions; this module requests the selection with priority, and tracks its progress and outcome.
 */
import { Coalesced, merged, writable } from '@linnet/base';
import type {
  Clock,
  ListedSession,
  ProgressBoard,
  RecorderSync,
  RecordStore,
  RecordWork,
} from '@linnet/sync';
import type { LinkState, RecorderFailure } from '../../ports/recorder.ts';
import type {
  TransferEnd,
  TransferFile,
  TransferService,
  TransferState,
} from '../../ports/transfer.ts';
import { notConnected } from './failures.ts';
import type { RecorderLink } from './recorder-link.ts';

/** Period in milliseconds over which the transfer rate is averaged. */
const RATE_MS = 5000;
/** Minimum period in milliseconds to measure before reporting a rate. */
const MIN_RATE_MS = 1000;

/** The parts of the open connection that a transfer needs. */
type Source = { readonly sync: Pick<RecorderSync, 'sessions' | 'request' | 'withdraw'> };

export type TransferOptions = {
  readonly link: Pick<RecorderLink, 'state' | 'openWifi' | 'closeWifi'> & {
    current(): Source | null;
  };
  readonly records: Pick<RecordStore, 'work' | 'update' | 'subscribe'>;
  readonly progress: Pick<ProgressBoard, 'get' | 'subscribe'>;
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly onError: (error: unknown) => void;
};

type RunningTransfer = {
  readonly medium: 'bluetooth' | 'wifi';
  /** Serial number of the recorder that holds the files. */
  readonly sn: string;
  /** The files as of the last update. */
  files: readonly TransferFile[];
  /** The connection over which the files were requested. */
  requestedOver: Source | null;
  /** The total number of bytes received at recent points in time, newest last. */
  samples: readonly { readonly at: number; readonly bytes: number }[];
};

/** The outcome of `start` if another start, a cancellation or a sign-out supersedes it. */
const superseded = { ok: false, failure: { kind: 'device', code: 'aborted' } } as const satisfies {
  ok: false;
  failure: RecorderFailure;
};
const noSuchSession = {
  ok: false,
  failure: { kind: 'device', code: 'session_unknown' },
} as const satisfies { ok: false; failure: RecorderFailure };

export function createTransfer(options: TransferOptions): {
  readonly service: TransferService;
  /** Clears the transfer. Call it on sign-out. */
  forget(): void;
} {
  const { link, records, progress, clock, onError } = options;
  const state = writable<TransferState>({ status: 'idle' });
  let running: RunningTransfer | null = null;
  /** Incremented whenever a running or starting transfer is superseded. */
  let generation = 0;

  /**
   * Returns a file with its current state.
   * @param sessions the sessions on the recorder; null if unknown
   */
  function updateFile(
    file: TransferFile,
    work: RecordWork | undefined,
    sessions: readonly ListedSession[] | null,
  ): TransferFile {
    // A finished file keeps its state, even if the user later deletes the phone's copy.
    if (file.state.status === 'received' || file.state.status === 'deleted') return file;
    const copy = work?.copies.phone;
    if (!work || !copy) return { ...file, state: { status: 'deleted' } };
    if (copy.status === 'verified') {
      return { ...file, receivedBytes: file.bytes, state: { status: 'received' } };
    }
    const fileProgress = progress.get().get(file.recordId);
    if (fileProgress?.step === 'fetch') {
      const receivedBytes = fileProgress.fraction * file.bytes;
      return { ...file, receivedBytes, state: { status: 'transferring' } };
    }
    if (fileProgress?.step === 'prepare') {
      return { ...file, receivedBytes: file.bytes, state: { status: 'transferring' } };
    }
    const receivedBytes = copy.status === 'absent' ? 0 : Math.min(file.bytes, copy.bytes);
    if (work.problem?.step === 'fetch') {
      return { ...file, receivedBytes, state: { status: 'failed', code: work.problem.code } };
    }
    // A file that has been read in full can be finished without the recorder.
    const isOnRecorder = sessions === null || sessions.some(({ id }) => id === file.recordId);
    const status = isOnRecorder || copy.status === 'whole' ? 'waiting' : 'deleted';
    return { ...file, receivedBytes, state: { status } };
  }

  /** Adds a sample to a transfer and returns its recent rate in bytes per second. */
  function measureRate(transfer: RunningTransfer, bytes: number): number | null {
    const now = clock.elapsed();
    const recentSamples = transfer.samples.filter((sample) => now - sample.at <= RATE_MS);
    transfer.samples = [...recentSamples, { at: now, bytes }];
    const [first] = transfer.samples;
    if (!first || now - first.at < MIN_RATE_MS) return null;
    return Math.max(0, ((bytes - first.bytes) / (now - first.at)) * 1000);
  }

  function finish(end: TransferEnd, { files, medium }: RunningTransfer): void {
    running = null;
    // The sync transfers the remaining files later, without priority.
    const finalFiles = files.map(
      (file): TransferFile =>
        file.state.status === 'transferring' ? { ...file, state: { status: 'waiting' } } : file,
    );
    state.set({ status: 'ended', end, medium, files: finalFiles });
  }

  /** Updates the state and starts the next step. */
  async function update(): Promise<void> {
    const transfer = running;
    if (!transfer) return;
    const workById = await records.work(transfer.files.map(({ recordId }) => recordId));
    // The transfer ended or was replaced during the read.
    if (running !== transfer) return;
    const linkState = link.state.get();
    const source = isConnectedTo(linkState, transfer.sn) ? link.current() : null;
    const sessions = source?.sync.sessions ?? null;
    transfer.files = transfer.files.map((file) =>
      updateFile(file, workById.get(file.recordId), sessions),
    );
    const { medium, files } = transfer;
    const unfinished = files.filter(({ state: { status } }) =>
      ['waiting', 'transferring'].includes(status),
    );
    if (unfinished.length === 0) {
      finish('done', transfer);
      if (medium === 'wifi') await link.closeWifi();
      return;
    }
    if (hasChangedRecorder(linkState, transfer.sn)) return finish('recorder_changed', transfer);
    if (medium === 'wifi') {
      if (linkState.status === 'hotspot') return state.set({ status: 'joining', files });
      const isOverWifi = linkState.status === 'connected' && linkState.recorder.medium === 'wifi';
      if (!isOverWifi) return finish('network_lost', transfer);
    }
    if (source && sessions && transfer.requestedOver !== source) {
      transfer.requestedOver = source;
      source.sync.request(unfinished.map(({ sessionId }) => sessionId));
    }
    const transferred = files.filter(({ state: { status } }) => status === 'received');
    const countedFiles = [...unfinished, ...transferred];
    const receivedBytes = countedFiles.reduce((sum, file) => sum + file.receivedBytes, 0);
    const totalBytes = countedFiles.reduce((sum, { bytes }) => sum + bytes, 0);
    const rate = measureRate(transfer, receivedBytes);
    state.set({ status: 'transferring', medium, files, receivedBytes, totalBytes, rate });
  }

  const updates = new Coalesced(update);
  const onChange = () => {
    if (running) updates.run().catch(onError);
  };
  merged(link.state, records, progress)(onChange);

  return {
    service: {
      state,
      async start(recordIds, medium) {
        generation += 1;
        const ownGeneration = generation;
        const linkState = link.state.get();
        const sessions = linkState.status === 'connected' ? linkState.recorder.sessions : null;
        if (linkState.status !== 'connected' || !sessions) return notConnected;
        const files = sessions
          .filter(({ recordId }) => recordIds.includes(recordId))
          .map(
            ({ sessionId, recordId, startedAt, bytes }): TransferFile => ({
              sessionId,
              recordId,
              startedAt,
              bytes,
              receivedBytes: 0,
              state: { status: 'waiting' },
            }),
          );
        if (files.length === 0) return noSuchSession;
        const workById = await records.work(files.map(({ recordId }) => recordId));
        for (const [id, { problem }] of workById) {
          // Clear an earlier attempt's failure; otherwise it would count as the outcome of this one.
          if (problem?.step === 'fetch') await records.update(id, { problem: null });
        }
        if (generation !== ownGeneration) return superseded;
        if (medium === 'wifi') {
          const opened = await link.openWifi();
          if (!opened.ok) return opened;
          if (generation !== ownGeneration) {
            await link.closeWifi();
            return superseded;
          }
        }
        running = { medium, sn: linkState.sn, files, requestedOver: null, samples: [] };
        await updates.run();
        return { ok: true, data: null };
      },
      async cancel() {
        generation += 1;
        const transfer = running;
        if (!transfer) return;
        finish('canceled', transfer);
        transfer.requestedOver?.sync.withdraw(transfer.files.map(({ sessionId }) => sessionId));
        if (transfer.medium === 'wifi') await link.closeWifi();
      },
    },
    forget() {
      generation += 1;
      running = null;
      state.set({ status: 'idle' });
    },
  };
}

/** Returns whether the link is connected to the recorder with this serial number. */
function isConnectedTo(link: LinkState, sn: string): boolean {
  return link.status === 'connected' && link.sn === sn;
}

/** Returns whether another recorder has become the current one or this one has lost its binding. */
function hasChangedRecorder(link: LinkState, sn: string): boolean {
  if (link.status === 'none' || link.sn !== sn) return true;
  return link.status === 'idle' && link.reason === 'unbound';
}
