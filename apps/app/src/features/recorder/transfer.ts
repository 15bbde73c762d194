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

/**
 * Period in milliseconds over which the rate is measured: long enough to be stable, short enough to be
 * current.
 */
const RATE_MS = 5000;
/** Minimum measured period in milliseconds before a rate is shown. */
const LEAST_RATE_MS = 1000;

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
  asked: Source | null;
  /** Received bytes at several moments, latest last. */
  samples: readonly { readonly at: number; readonly bytes: number }[];
};

/** Superseded while it was starting. */
const superseded = { ok: false, failure: { kind: 'device', code: 'aborted' } } as const satisfies {
  ok: false;
  failure: RecorderFailure;
};
const nothingToBring = {
  ok: false,
  failure: { kind: 'device', code: 'session_unknown' },
} as const satisfies { ok: false; failure: RecorderFailure };

/**
 * Transfers the user's selection ahead of everything else and tracks the outcome. The sync itself moves the
 * data, over whichever link is open, and resumes after interruptions.
 */
export function createTransfer(options: TransferOptions): {
  readonly service: TransferService;
  /** Clears the transfer when its account signs out. */
  forget(): void;
} {
  const { link, records, progress, clock, onError } = options;
  const state = writable<TransferState>({ status: 'idle' });
  let running: Running | null = null;
  /** Incremented by everything that ends a transfer, even one that is only starting. */
  let generation = 0;

  /** @param listed sessions on the recorder; null if unknown */
  function standing(
    file: TransferFile,
    work: RecordWork | undefined,
    listed: readonly ListedSession[] | null,
  ): TransferFile {
    // Finished files keep their state, since their local copy may be deleted again at any time.
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
    const isThere = listed === null || listed.some(({ id }) => id === file.recordId);
    const status = isThere || copy.status === 'whole' ? 'waiting' : 'gone';
    return { ...file, here: stored, state: { status } };
  }

  function rateOf(now: Running, bytes: number): number | null {
    const at = clock.now();
    now.samples = [...now.samples.filter((one) => at - one.at <= RATE_MS), { at, bytes }];
    const [first] = now.samples;
    if (!first || at - first.at < LEAST_RATE_MS) return null;
    return Math.max(0, ((bytes - first.bytes) / (at - first.at)) * 1000);
  }

  function end(how: TransferEnd, { files, way }: Running): void {
    running = null;
    // Remaining files are transferred automatically, outside of this transfer.
    const still = files.map(
      (file): TransferFile =>
        file.state.status === 'moving' ? { ...file, state: { status: 'waiting' } } : file,
    );
    state.set({ status: 'ended', end: how, way, files: still });
  }

  /** Updates the state of the transfer and takes the next step. */
  async function update(): Promise<void> {
    const now = running;
    if (!now) return;
    const work = await records.work(now.files.map(({ recordId }) => recordId));
    // Ended or replaced meanwhile.
    if (running !== now) return;
    const over = link.state.get();
    const source = serves(over, now.sn) ? link.current() : null;
    const listed = source?.sync.sessions ?? null;
    now.files = now.files.map((file) => standing(file, work.get(file.recordId), listed));
    const { way, files } = now;
    const open = files.filter(({ state: { status } }) => ['waiting', 'moving'].includes(status));
    if (open.length === 0) {
      end('done', now);
      if (way === 'wifi') await link.closeWifi();
      return;
    }
    if (hasLeft(over, now.sn)) return end('left', now);
    if (way === 'wifi') {
      if (over.status === 'hotspot') return state.set({ status: 'joining', files });
      const isOver = over.status === 'connected' && over.recorder.medium === 'wifi';
      if (!isOver) return end('lost', now);
    }
    if (source && listed && now.asked !== source) {
      now.asked = source;
      source.sync.request(open.map(({ sessionId }) => sessionId));
    }
    // Failed and deleted files are excluded.
    const counted = [...open, ...files.filter(({ state: { status } }) => status === 'came')];
    const here = counted.reduce((sum, file) => sum + file.here, 0);
    const of = counted.reduce((sum, { bytes }) => sum + bytes, 0);
    state.set({ status: 'moving', way, files, here, of, rate: rateOf(now, here) });
  }

  const updates = new Coalesced(update);
  const changed = () => {
    if (running) updates.run().catch(onError);
  };
  merged(link.state, records, progress)(changed);

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
        if (files.length === 0) return nothingToBring;
        const work = await records.work(files.map(({ recordId }) => recordId));
        for (const [id, { trouble }] of work) {
          // Clears earlier failures, which say nothing about this attempt.
          if (trouble?.step === 'fetch') await records.update(id, { trouble: null });
        }
        if (generation !== started) return superseded;
        if (way === 'wifi') {
          const raised = await link.openWifi();
          if (!raised.ok) return raised;
          if (generation !== started) {
            await link.closeWifi();
            return superseded;
          }
        }
        running = { way, sn: now.sn, files, asked: null, samples: [] };
        await updates.run();
        return { ok: true, data: null };
      },
      async cancel() {
        generation += 1;
        const now = running;
        if (!now) return;
        end('cancelled', now);
        now.asked?.sync.withdraw(now.files.map(({ sessionId }) => sessionId));
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

/** Whether the open connection is to that recorder. */
function serves(link: LinkState, sn: string): boolean {
  return link.status === 'connected' && link.sn === sn;
}

/** Whether a recorder is no longer in use: another one is, or it no longer knows its binding. */
function hasLeft(link: LinkState, sn: string): boolean {
  if (link.status === 'none' || link.sn !== sn) return true;
  return link.status === 'idle' && link.why === 'unbound';
}
