/**
 * Lists recordings with pending work, and the reason each is waiting. Must match the rules that the sync engines use to
 * select their work.
 */
import {
  type ChangeStore,
  type CloudPolicy,
  type CloudReachability,
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
  /** Returns whether downloads are paused because this phone is low on disk space. */
  readonly isDownloadSpaceLow: () => boolean;
  /** Returns each engine's connection state. */
  readonly connections: () => readonly CloudReachability[];
  readonly isRecorderConnected: () => boolean;
  readonly hasDiskSpace: () => boolean;
  readonly uploadPause: () => PendingWork['uploadPause'];
  readonly lastSync: () => number | null;
  /** Subscribes to changes to any of the above. */
  readonly watch: (listener: () => void) => () => void;
  readonly onError: (error: unknown) => void;
};

export function createPendingWork(options: PendingWorkOptions): PendingWorkService {
  const {
    records,
    changes,
    uid,
    policy,
    downloadPolicy,
    connections,
    uploadPause,
    lastSync,
    watch,
    onError,
  } = options;

  /** Returns the reason if an engine is waiting for the server. */
  function offlineReason(): PendingReason | null {
    const waitingConnection = connections().find(
      (reachability) => reachability.status === 'waiting',
    );
    return waitingConnection?.status === 'waiting'
      ? { reason: 'offline', failure: waitingConnection.failure }
      : null;
  }

  /** Returns a recording's pending upload or transcription. */
  function cloudWork(queued: QueuedRecord): PendingRecord | null {
    const { id, problem } = queued;
    const uploadPolicy = policy();
    const next = nextStep(queued, uploadPolicy);
    if (next?.step !== 'upload' && problem && problem.step !== 'fetch') {
      return { id, step: problem.step, cause: { reason: 'stopped', problem } };
    }
    if (!next) return null;
    if (next.step === 'upload') {
      const networkReason: PendingReason | null = uploadPolicy.maySend
        ? null
        : { reason: 'wifi_only' };
      return { id, step: 'upload', cause: networkReason ?? offlineReason() ?? { reason: 'turn' } };
    }
    const defaultReason: PendingReason = { reason: next.step === 'follow' ? 'server' : 'turn' };
    return { id, step: 'transcribe', cause: offlineReason() ?? defaultReason };
  }

  /** Returns a recording's pending download. */
  function downloadWork(row: RecordSummary): PendingRecord | null {
    const { id, phoneRetention } = row;
    const { all, mayReceive } = downloadPolicy();
    const isRequested = phoneRetention === 'always' || (phoneRetention === 'auto' && all);
    if (!downloadCandidate(row) || !(isRequested || !mayReceive)) return null;
    if (row.problem?.step === 'fetch') {
      return { id, step: 'download', cause: { reason: 'stopped', problem: row.problem } };
    }
    const networkReason: PendingReason | null = mayReceive ? null : { reason: 'wifi_only' };
    const defaultReason: PendingReason = {
      reason: options.isDownloadSpaceLow() ? 'no_room' : 'turn',
    };
    return { id, step: 'download', cause: networkReason ?? offlineReason() ?? defaultReason };
  }

  /** Returns a recording's pending transfer from the recorder. */
  function recorderWork({ id, copies, problem }: RecordSummary): PendingRecord | null {
    const isOnPhone = copies.phone.status === 'verified';
    if (copies.recorder.status === 'absent' || isOnPhone || copies.cloud.status === 'verified') {
      return null;
    }
    if (problem?.step === 'fetch') {
      return { id, step: 'fetch', cause: { reason: 'stopped', problem } };
    }
    const defaultReason: PendingReason = {
      reason: options.isRecorderConnected() ? 'turn' : 'recorder',
    };
    return {
      id,
      step: 'fetch',
      cause: options.hasDiskSpace() ? defaultReason : { reason: 'no_room' },
    };
  }

  async function read(): Promise<PendingWork> {
    const owner = uid();
    if (owner === null) return { changes: 0, records: [], pausedUploads: 0, uploadPause: null };
    const [queue, summaries, pendingChanges] = await Promise.all([
      records.queue(owner, policy().upload),
      records.summaries(owner),
      changes.pendingCount(owner),
    ]);
    const work = [
      ...summaries.map(recorderWork),
      ...queue.map(cloudWork),
      ...summaries.map(downloadWork),
    ];
    const pendingItems = work.filter((each) => each !== null);
    const pendingIds = new Set(pendingItems.map(({ id }) => id));
    const pausedUploads = queue.filter(
      ({ id, copies }) =>
        !pendingIds.has(id) &&
        copies.phone.status === 'verified' &&
        copies.cloud.status !== 'verified',
    ).length;
    return {
      changes: pendingChanges,
      records: pendingItems,
      pausedUploads,
      uploadPause: uploadPause(),
    };
  }

  return { state: live(read, watch, onError, uid), lastSync };
}
