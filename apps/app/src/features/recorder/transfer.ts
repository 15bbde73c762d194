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

/** Averaging period of the transfer rate in milliseconds. */
const RATE_MS = 5000;
/** Minimum measured period in milliseconds before a rate is shown. */
const MIN_RATE_MS = 1000;

/** The parts of the open connection that a transfer uses. */
type Source = { readonly sync: Pick<RecorderSync, 'sessions' | 'request' | 'withdraw'> };

export type TransferOptions = {
  readonly link: Pick<RecorderLink, 'state' | 'openWifi' | 'closeWifi'> & {
    current(): Source | null;
  };
  readonly records: Pick<RecordStore, 'work' | 'update' | 'subscribe'>;
  readonly progress: Pick<ProgressBoard, 'get' | 'subscribe'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly onError: (error: unknown) => void;
};

type Running = {
  readonly way: 'bluetooth' | 'wifi';
  /** Serial number of the recorder that has the files. */
  readonly sn: string;
  /** The files as of the last update. */
  files: readonly TransferFile[];
  /** The connection over which they were requested. */
  requestedOver: Source | null;
  /** Received bytes at several moments, latest last. */
  samples: readonly { readonly at: number; readonly bytes: number }[];
};

/** The failure of a start that was superseded. */
const superseded = { ok: false, failure: { kind: 'device', code: 'aborted' } } as const satisfies {
  ok: false;
  failure: RecorderFailure;
};
const noSuchSession = {
  ok: false,
  failure: { kind: 'device', code: 'session_unknown' },
} as const satisfies { ok: false; failure: RecorderFailure };

/**
 * Transfers the user's selection with priority and tracks its state. The sync moves the data over the open link
 * and resumes after interruptions.
 */
export function createTransfer(options: TransferOptions): {
  readonly service: TransferService;
  /** Clears the transfer when its account signs out. */
  forget(): void;
} {
  const { link, records, progress, clock, onError } = options;
  const state = writable<TransferState>({ status: 'idle' });
  let running: Running | null = null;
  /** Incremented whenever a running or starting transfer is superseded. */
  let generation = 0;

  /** Updates a file's state. @param listed sessions on the recorder; null if unknown */
  function updateFile(
    file: TransferFile,
    work: RecordWork | undefined,
    listed: readonly ListedSession[] | null,
  ): TransferFile {
    // A finished file keeps its state even if its local copy is deleted later.
    if (file.state.status === 'came' || file.state.status === 'gone') return file;
    const copy = work?.copies.phone;
    if (!work || !copy) return { ...file, state: { status: 'gone' } };
    if (copy.status === 'verified') return { ...file, here: file.bytes, state: { status: 'came' } };
    const stored = copy.status === 'absent' ? 0 : Math.min(file.bytes, copy.bytes);
    const moving = progress.get().get(file.recordId);
    if (moving?.step === 'fetch') {
      return { ...file, here: moving.fraction * file.bytes, state: { status: 'moving' } };
    }
    if (moving?.step === 'prepare') {
      return { ...file, here: file.bytes, state: { status: 'moving' } };
    }
    if (work.trouble?.step === 'fetch') {
      return { ...file, here: stored, state: { status: 'failed', code: work.trouble.code } };
    }
    // A completely read file no longer needs the recorder.
    const isOnRecorder = listed === null || listed.some(({ id }) => id === file.recordId);
    const status = isOnRecorder || copy.status === 'whole' ? 'waiting' : 'gone';
    return { ...file, here: stored, state: { status } };
  }

  function measureRate(now: Running, bytes: number): number | null {
    const at = clock.now();
    now.samples = [...now.samples.filter((sample) => at - sample.at <= RATE_MS), { at, bytes }];
    const [first] = now.samples;
    if (!first || at - first.at < MIN_RATE_MS) return null;
    return Math.max(0, ((bytes - first.bytes) / (at - first.at)) * 1000);
  }

  function finish(end: TransferEnd, { files, way }: Running): void {
    running = null;
    // The sync transfers the remaining files later.
    const settled = files.map(
      (file): TransferFile =>
        file.state.status === 'moving' ? { ...file, state: { status: 'waiting' } } : file,
    );
    state.set({ status: 'ended', end, way, files: settled });
  }

  /** Updates the state and starts the next step. */
  async function update(): Promise<void> {
    const now = running;
    if (!now) return;
    const work = await records.work(now.files.map(({ recordId }) => recordId));
    // The transfer ended or was replaced during the read.
    if (running !== now) return;
    const linkState = link.state.get();
    const source = isConnectedTo(linkState, now.sn) ? link.current() : null;
    const listed = source?.sync.sessions ?? null;
    now.files = now.files.map((file) => updateFile(file, work.get(file.recordId), listed));
    const { way, files } = now;
    const open = files.filter(({ state: { status } }) => ['waiting', 'moving'].includes(status));
    if (open.length === 0) {
      finish('done', now);
      if (way === 'wifi') await link.closeWifi();
      return;
    }
    if (hasLeft(linkState, now.sn)) return finish('left', now);
    if (way === 'wifi') {
      if (linkState.status === 'hotspot') return state.set({ status: 'joining', files });
      const isOverWifi = linkState.status === 'connected' && linkState.recorder.medium === 'wifi';
      if (!isOverWifi) return finish('lost', now);
    }
    if (source && listed && now.requestedOver !== source) {
      now.requestedOver = source;
      source.sync.request(open.map(({ sessionId }) => sessionId));
    }
    // Failed and deleted files are excluded.
    const counted = [...open, ...files.filter(({ state: { status } }) => status === 'came')];
    const here = counted.reduce((sum, file) => sum + file.here, 0);
    const of = counted.reduce((sum, { bytes }) => sum + bytes, 0);
    state.set({ status: 'moving', way, files, here, of, rate: measureRate(now, here) });
  }

  const updates = new Coalesced(update);
  const onChange = () => {
    if (running) updates.run().catch(onError);
  };
  merged(link.state, records, progress)(onChange);

  return {
    service: {
      state,
      async start(recordIds, way) {
        generation += 1;
        const started = generation;
        const now = link.state.get();
        const listed = now.status === 'connected' ? now.recorder.sessions : null;
        if (now.status !== 'connected' || !listed) return notConnected;
        const files = listed
          .filter(({ recordId }) => recordIds.includes(recordId))
          .map(
            ({ sessionId, recordId, startedAt, bytes }): TransferFile => ({
              ...{ sessionId, recordId, startedAt, bytes },
              ...{ here: 0, state: { status: 'waiting' } },
            }),
          );
        if (files.length === 0) return noSuchSession;
        const work = await records.work(files.map(({ recordId }) => recordId));
        for (const [id, { trouble }] of work) {
          // Clears the failures of earlier attempts.
          if (trouble?.step === 'fetch') await records.update(id, { trouble: null });
        }
        if (generation !== started) return superseded;
        if (way === 'wifi') {
          const opened = await link.openWifi();
          if (!opened.ok) return opened;
          if (generation !== started) {
            await link.closeWifi();
            return superseded;
          }
        }
        running = { way, sn: now.sn, files, requestedOver: null, samples: [] };
        await updates.run();
        return { ok: true, data: null };
      },
      async cancel() {
        generation += 1;
        const now = running;
        if (!now) return;
        finish('cancelled', now);
        now.requestedOver?.sync.withdraw(now.files.map(({ sessionId }) => sessionId));
        if (now.way === 'wifi') await link.closeWifi();
      },
    },
    forget() {
      generation += 1;
      running = null;
      state.set({ status: 'idle' });
    },
  };
}

/** Whether the link is connected to a recorder. */
function isConnectedTo(link: LinkState, sn: string): boolean {
  return link.status === 'connected' && link.sn === sn;
}

/** Whether another recorder became the current one, or this one lost its binding. */
function hasLeft(link: LinkState, sn: string): boolean {
  if (link.status === 'none' || link.sn !== sn) return true;
  return link.status === 'idle' && link.why === 'unbound';
}
