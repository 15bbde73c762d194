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
  WaitingRecord,
  WaitingService,
  WaitingState,
  WhyWaiting,
} from '../../ports/waiting.ts';
import { live } from '../../stores.ts';

export type WaitingOptions = {
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
  readonly rests: () => WaitingState['rests'];
  readonly lastSync: () => number | null;
  /** Notifies when any of these changes. */
  readonly watch: (listener: () => void) => () => void;
  readonly onError: (error: unknown) => void;
};

/** Reports what each pending recording waits for, using the same decisions as the engines. */
export function createWaiting(options: WaitingOptions): WaitingService {
  const {
    records,
    changes,
    uid,
    policy,
    downloadPolicy,
    reaches,
    rests,
    lastSync,
    watch,
    onError,
  } = options;

  function offline(): WhyWaiting | null {
    const waiting = reaches().find((reach) => reach.status === 'waiting');
    return waiting?.status === 'waiting' ? { because: 'offline', failure: waiting.failure } : null;
  }

  function ofQueue(queued: QueuedRecord): WaitingRecord | null {
    const { id, trouble } = queued;
    if (trouble && trouble.step !== 'fetch') {
      return { id, step: trouble.step, why: { because: 'stopped', trouble } };
    }
    const now = policy();
    const due = nextStep(queued, now);
    if (!due) return null;
    if (due.step === 'upload') {
      const held: WhyWaiting | null = now.maySend ? null : { because: 'wifi_only' };
      return { id, step: 'upload', why: held ?? offline() ?? { because: 'turn' } };
    }
    const last: WhyWaiting = { because: due.step === 'follow' ? 'server' : 'turn' };
    return { id, step: 'transcribe', why: offline() ?? last };
  }

  /** Audio that this phone will download. */
  function ofDownload(row: RecordSummary): WaitingRecord | null {
    const { id, phoneRetention } = row;
    const { all, mayReceive } = downloadPolicy();
    const isWanted = phoneRetention === 'always' || (phoneRetention === 'auto' && all);
    if (!downloadCandidate(row) || !(isWanted || !mayReceive)) return null;
    if (row.trouble?.step === 'fetch') {
      return { id, step: 'download', why: { because: 'stopped', trouble: row.trouble } };
    }
    const held: WhyWaiting | null = mayReceive ? null : { because: 'wifi_only' };
    const last: WhyWaiting = { because: options.isDownloadSpaceLow() ? 'no_room' : 'turn' };
    return { id, step: 'download', why: held ?? offline() ?? last };
  }

  function ofRecorder({ id, copies, trouble }: RecordSummary): WaitingRecord | null {
    const isHere = copies.phone.status === 'verified';
    if (copies.recorder.status === 'absent' || isHere || copies.cloud.status === 'verified') {
      return null;
    }
    if (trouble?.step === 'fetch')
      return { id, step: 'fetch', why: { because: 'stopped', trouble } };
    const last: WhyWaiting = { because: options.isRecorderConnected() ? 'turn' : 'recorder' };
    return { id, step: 'fetch', why: options.hasDiskSpace() ? last : { because: 'no_room' } };
  }

  async function read(): Promise<WaitingState> {
    const owner = uid();
    if (owner === null) return { changes: 0, records: [], atRest: 0, rests: null };
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
    const atRest = queue.filter(
      ({ id, copies }) =>
        !moved.has(id) && copies.phone.status === 'verified' && copies.cloud.status !== 'verified',
    ).length;
    return { changes: waiting, records: onWay, atRest, rests: rests() };
  }

  return { state: live(read, watch, onError, uid), lastSync };
}
