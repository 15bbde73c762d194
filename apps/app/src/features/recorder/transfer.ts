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

/** Milliseconds over which speed is measured: long enough to be calm, short enough to be of now. */
const RATE_MS = 5000;
/** Milliseconds of them before there is anything to say. */
const LEAST_RATE_MS = 1000;

/** What a transfer needs of the open connection. */
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
  /** The serial of the recorder that has them. */
  readonly sn: string;
  /** As they stood when they were looked at last. */
  files: readonly TransferFile[];
  /** The connection that was asked for them. */
  asked: Source | null;
  /** How many bytes were here at some moments, the latest last. */
  samples: readonly { readonly at: number; readonly bytes: number }[];
};

/** Something else was wanted while it began. */
const superseded = { ok: false, failure: { kind: 'device', code: 'aborted' } } as const satisfies {
  ok: false;
  failure: RecorderFailure;
};
const nothingToBring = {
  ok: false,
  failure: { kind: 'device', code: 'session_unknown' },
} as const satisfies { ok: false; failure: RecorderFailure };

/**
 * Brings what its owner chose over before anything else, and knows what came of it. The moving itself is
 * the sync's, over whichever link there is: what breaks off here goes on there.
 */
export function createTransfer(options: TransferOptions): {
  readonly service: TransferService;
  /** Forgets the transfer: its account left. */
  forget(): void;
} {
  const { link, records, progress, clock, onError } = options;
  const state = writable<TransferState>({ status: 'idle' });
  let running: Running | null = null;
  /** Counts what ends a transfer, also one that only begins. */
  let turn = 0;

  /** @param listed what lies on the recorder; null while nobody knows */
  function standing(
    file: TransferFile,
    work: RecordWork | undefined,
    listed: readonly ListedSession[] | null,
  ): TransferFile {
    // What came or went has had its turn: this phone may let go of it again at any time.
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
    // One that was read to its end needs the recorder no more.
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
    // What was on its way goes on by itself, and is nothing of this transfer any more.
    const still = files.map(
      (file): TransferFile =>
        file.state.status === 'moving' ? { ...file, state: { status: 'waiting' } } : file,
    );
    state.set({ status: 'ended', end: how, way, files: still });
  }

  /** One look at what has come, and at what is to be done about it. */
  async function look(): Promise<void> {
    const now = running;
    if (!now) return;
    const work = await records.work(now.files.map(({ recordId }) => recordId));
    // Ended meanwhile, or another one began.
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
    // What failed or went is waited for no more.
    const counted = [...open, ...files.filter(({ state: { status } }) => status === 'came')];
    const here = counted.reduce((sum, file) => sum + file.here, 0);
    const of = counted.reduce((sum, { bytes }) => sum + bytes, 0);
    state.set({ status: 'moving', way, files, here, of, rate: rateOf(now, here) });
  }

  const looking = new Coalesced(look);
  const changed = () => {
    if (running) looking.run().catch(onError);
  };
  merged(link.state, records, progress)(changed);

  return {
    service: {
      state,
      async start(recordIds, way) {
        turn += 1;
        const mine = turn;
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
          // It is tried anew: what stopped it before says nothing of this time.
          if (trouble?.step === 'fetch') await records.update(id, { trouble: null });
        }
        if (turn !== mine) return superseded;
        if (way === 'wifi') {
          const raised = await link.openWifi();
          if (!raised.ok) return raised;
          if (turn !== mine) {
            await link.closeWifi();
            return superseded;
          }
        }
        running = { way, sn: now.sn, files, asked: null, samples: [] };
        await looking.run();
        return { ok: true, data: null };
      },
      async cancel() {
        turn += 1;
        const now = running;
        if (!now) return;
        end('cancelled', now);
        now.asked?.sync.withdraw(now.files.map(({ sessionId }) => sessionId));
        if (now.way === 'wifi') await link.closeWifi();
      },
    },
    forget() {
      turn += 1;
      running = null;
      state.set({ status: 'idle' });
    },
  };
}

/** Whether the open connection is to that recorder. */
function serves(link: LinkState, sn: string): boolean {
  return link.status === 'connected' && link.sn === sn;
}

/** Whether a recorder is not used here any more: another one is, or it knows its binding no more. */
function hasLeft(link: LinkState, sn: string): boolean {
  if (link.status === 'none' || link.sn !== sn) return true;
  return link.status === 'idle' && link.why === 'unbound';
}
