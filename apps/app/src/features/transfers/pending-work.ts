import {
  type ChangeStore,
  type CloudPolicy,
  type CloudReach,
  type DownloadPolicy,
  downloadCandidate,
  nextStep,
  type QueuedRecord,
  type RecordStore,
  type RecordSummary,
} from '@linnet/sync';
import type {
  PendingReason,
  PendingRecord,
  PendingWork,
  PendingWorkService,
} from '../../ports/pending-work.ts';
import { live } from '../../stores.ts';

export type PendingWorkOptions = {
  readonly records: Pick<RecordStore, 'queue' | 'summaries'>;
  readonly changes: Pick<ChangeStore, 'pendingCount'>;
  readonly uid: () => string | null;
  readonly policy: () => CloudPolicy;
  readonly downloadPolicy: () => DownloadPolicy;
  /** Whether audio is not downloaded because this phone has too little space. */
  readonly isDownloadSpaceLow: () => boolean;
  /** The connection state of each engine that calls the server. */
  readonly reaches: () => readonly CloudReach[];
  readonly isRecorderConnected: () => boolean;
  readonly hasDiskSpace: () => boolean;
  readonly uploadPause: () => PendingWork['uploadPause'];
  readonly lastSync: () => number | null;
  /** Notifies when any of these changes. */
  readonly watch: (listener: () => void) => () => void;
  readonly onError: (error: unknown) => void;
};

/** Reports what each pending recording waits for, using the same decisions as the engines. */
export function createPendingWork(options: PendingWorkOptions): PendingWorkService {
  const {
    records,
    changes,
    uid,
    policy,
    downloadPolicy,
    reaches,
    uploadPause,
    lastSync,
    watch,
    onError,
  } = options;

  function offline(): PendingReason | null {
    const waiting = reaches().find((reach) => reach.status === 'waiting');
    return waiting?.status === 'waiting' ? { reason: 'offline', failure: waiting.failure } : null;
  }

  function ofQueue(queued: QueuedRecord): PendingRecord | null {
    const { id, trouble } = queued;
    if (trouble && trouble.step !== 'fetch') {
      return { id, step: trouble.step, why: { reason: 'stopped', trouble } };
    }
    const now = policy();
    const due = nextStep(queued, now);
    if (!due) return null;
    if (due.step === 'upload') {
      const held: PendingReason | null = now.maySend ? null : { reason: 'wifi_only' };
      return { id, step: 'upload', why: held ?? offline() ?? { reason: 'turn' } };
    }
    const last: PendingReason = { reason: due.step === 'follow' ? 'server' : 'turn' };
    return { id, step: 'transcribe', why: offline() ?? last };
  }

  /** Audio that this phone will download. */
  function ofDownload(row: RecordSummary): PendingRecord | null {
    const { id, phoneRetention } = row;
    const { all, mayReceive } = downloadPolicy();
    const isWanted = phoneRetention === 'always' || (phoneRetention === 'auto' && all);
    if (!downloadCandidate(row) || !(isWanted || !mayReceive)) return null;
    if (row.trouble?.step === 'fetch') {
      return { id, step: 'download', why: { reason: 'stopped', trouble: row.trouble } };
    }
    const held: PendingReason | null = mayReceive ? null : { reason: 'wifi_only' };
    const last: PendingReason = { reason: options.isDownloadSpaceLow() ? 'no_room' : 'turn' };
    return { id, step: 'download', why: held ?? offline() ?? last };
  }

  function ofRecorder({ id, copies, trouble }: RecordSummary): PendingRecord | null {
    const isHere = copies.phone.status === 'verified';
    if (copies.recorder.status === 'absent' || isHere || copies.cloud.status === 'verified') {
      return null;
    }
    if (trouble?.step === 'fetch')
      return { id, step: 'fetch', why: { reason: 'stopped', trouble } };
    const last: PendingReason = { reason: options.isRecorderConnected() ? 'turn' : 'recorder' };
    return { id, step: 'fetch', why: options.hasDiskSpace() ? last : { reason: 'no_room' } };
  }

  async function read(): Promise<PendingWork> {
    const owner = uid();
    if (owner === null) return { changes: 0, records: [], pausedUploads: 0, uploadPause: null };
    const [queue, summaries, waiting] = await Promise.all([
      records.queue(owner),
      records.summaries(owner),
      changes.pendingCount(owner),
    ]);
    const found = [
      ...summaries.map(ofRecorder),
      ...queue.map(ofQueue),
      ...summaries.map(ofDownload),
    ];
    const onWay = found.filter((each) => each !== null);
    const moved = new Set(onWay.map(({ id }) => id));
    const pausedUploads = queue.filter(
      ({ id, copies }) =>
        !moved.has(id) && copies.phone.status === 'verified' && copies.cloud.status !== 'verified',
    ).length;
    return { changes: waiting, records: onWay, pausedUploads, uploadPause: uploadPause() };
  }

  return { state: live(read, watch, onError, uid), lastSync };
}
