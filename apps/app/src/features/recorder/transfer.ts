import type { Clock, FetchTrouble, ProgressBoard, RecordStore, RecordWork } from '@linnet/sync';
import type { TransferEnd, TransferFile, TransferService, TransferState } from '../../services.ts';
import { writable } from '../../stores.ts';
import type { Connection } from './connection.ts';
import { notConnected } from './failures.ts';
import type { RecorderLink } from './recorder-link.ts';

/** Milliseconds over which speed is measured: long enough to be calm, short enough to be of now. */
const RATE_MS = 5000;
/** Milliseconds of them before there is anything to say. */
const LEAST_RATE_MS = 1000;

export type TransferOptions = {
  readonly link: Pick<RecorderLink, 'state' | 'current' | 'openWifi' | 'closeWifi'>;
  readonly records: Pick<RecordStore, 'work' | 'update' | 'subscribe'>;
  readonly progress: Pick<ProgressBoard, 'get' | 'subscribe'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly onError: (error: unknown) => void;
};

type Chosen = Omit<TransferFile, 'state'>;
type Running = {
  readonly way: 'bluetooth' | 'wifi';
  readonly files: readonly Chosen[];
  /** The connection that was asked for them. */
  asked: Connection | null;
  /** How many bytes were here at some moments, the latest last. */
  samples: readonly { readonly at: number; readonly bytes: number }[];
};

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
  let looking = false;
  let stale = false;

  function fileOf(file: Chosen, work: RecordWork | undefined): TransferFile {
    const moving = progress.get().get(file.recordId);
    if (work?.copies.phone.status === 'verified') return { ...file, state: { status: 'came' } };
    if (moving?.step === 'fetch' || moving?.step === 'prepare') {
      const fraction = moving.step === 'prepare' ? 1 : moving.fraction;
      return { ...file, state: { status: 'moving', fraction } };
    }
    const trouble = work?.trouble;
    if (trouble?.step === 'fetch') {
      return { ...file, state: { status: 'failed', code: trouble.code as FetchTrouble } };
    }
    return { ...file, state: { status: 'waiting' } };
  }

  /** Bytes that are here of a file, with what came of it before. */
  function here({ state: { status, ...rest }, bytes }: TransferFile, work?: RecordWork): number {
    if (status === 'came') return bytes;
    if (status === 'moving' && 'fraction' in rest) return rest.fraction * bytes;
    const copy = work?.copies.phone;
    return copy && copy.status !== 'absent' ? Math.min(bytes, copy.bytes) : 0;
  }

  function rateOf(now: Running, bytes: number): number | null {
    const at = clock.now();
    now.samples = [...now.samples.filter((one) => at - one.at <= RATE_MS), { at, bytes }];
    const [first] = now.samples;
    if (!first || at - first.at < LEAST_RATE_MS) return null;
    return Math.max(0, ((bytes - first.bytes) / (at - first.at)) * 1000);
  }

  function end(how: TransferEnd, files: readonly TransferFile[], { way }: Running): void {
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
    const files = now.files.map((file) => fileOf(file, work.get(file.recordId)));
    const rests = ({ state: { status } }: TransferFile) => status === 'came' || status === 'failed';
    if (files.every(rests)) {
      end('done', files, now);
      if (now.way === 'wifi') await link.closeWifi();
      return;
    }
    const standing = link.state.get();
    if (now.way === 'wifi') {
      if (standing.status === 'hotspot') return state.set({ status: 'joining', files });
      const over = standing.status === 'connected' && standing.recorder.medium === 'wifi';
      if (!over) return end('lost', files, now);
    }
    const connection = link.current();
    if (connection?.sync.sessions && now.asked !== connection) {
      now.asked = connection;
      connection.sync.request(now.files.map(({ sessionId }) => sessionId));
    }
    const bytes = files.reduce((sum, file) => sum + here(file, work.get(file.recordId)), 0);
    state.set({ status: 'moving', way: now.way, files, rate: rateOf(now, bytes) });
  }

  /** As {@link look}, never twice at once; what changes meanwhile is seen by one more. */
  async function refresh(): Promise<void> {
    stale = true;
    if (looking) return;
    looking = true;
    try {
      while (stale) {
        stale = false;
        await look();
      }
    } finally {
      looking = false;
    }
  }
  const changed = () => {
    if (running) refresh().catch(onError);
  };
  link.state.subscribe(changed);
  records.subscribe(changed);
  progress.subscribe(changed);

  return {
    service: {
      state,
      async start(sessionIds, way) {
        const now = link.state.get();
        const listed = now.status === 'connected' ? now.recorder.sessions : null;
        if (!listed) return notConnected;
        const files = listed
          .filter(({ sessionId }) => sessionIds.includes(sessionId))
          .map(({ sessionId, recordId, startedAt, bytes }) => ({
            ...{ sessionId, recordId, startedAt, bytes },
          }));
        const work = await records.work(files.map(({ recordId }) => recordId));
        for (const [id, { trouble }] of work) {
          // It is tried anew: what stopped it before says nothing of this time.
          if (trouble?.step === 'fetch') await records.update(id, { trouble: null });
        }
        if (way === 'wifi') {
          const raised = await link.openWifi();
          if (!raised.ok) return raised;
        }
        running = { way, files, asked: null, samples: [] };
        await refresh();
        return { ok: true, data: null };
      },
      async cancel() {
        const now = running;
        if (!now) return;
        const shown = state.get();
        end('cancelled', 'files' in shown ? shown.files : [], now);
        if (now.way === 'wifi') await link.closeWifi();
      },
    },
    forget() {
      running = null;
      state.set({ status: 'idle' });
    },
  };
}
