import type { Operation, OperationOutcome } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import type { Clock } from '../clock.ts';
import { Flag } from '../flag.ts';
import type { Log } from '../log.ts';
import { type AudioStore, AudioStoreError } from '../ports/audio.ts';
import type { CloudResult } from '../ports/cloud.ts';
import { type CloudReachability, Interrupted, Retrier, unwrap } from '../retrying.ts';
import type { ChangeStore, ChangesCloud, ChangesPage } from './ports.ts';

export type ChangeSyncOptions = {
  readonly uid: string;
  readonly changes: Pick<
    ChangeStore,
    | 'pending'
    | 'acknowledge'
    | 'cursor'
    | 'applyPage'
    | 'restart'
    | 'orphanedAudio'
    | 'markAudioRemoved'
    | 'subscribe'
  >;
  readonly audio: Pick<AudioStore, 'remove'>;
  readonly cloud: ChangesCloud;
  readonly clock: Clock;
  readonly log: Log;
  /** Called after each complete pull. @param changed true if the pull brought in changes */
  readonly onCaughtUp?: (changed: boolean) => void;
  /** Called when a pull has more than one page, and when it ends or fails. */
  readonly onReceiving?: (isReceiving: boolean) => void;
};

/** The interval between polls for changes made on other phones, in milliseconds. */
export const CHANGES_POLL_MS = 30_000;

/** Maximum size of the operations in one call, in bytes: half the server's limit, as a safety margin. */
const BATCH_BYTES = limits.jsonBodyBytes / 2;

/** A requested page of changes. */
type PageRequest = {
  /** The cursor after which it begins. */
  readonly cursor: string;
  /** The number of pushes before the request. */
  readonly pushes: number;
  readonly result: Promise<CloudResult<ChangesPage>>;
};

/** The codes the server returns for a call that contains an invalid operation. */
const INVALID: readonly number[] = [codes.badRequest, codes.tooLarge];

/**
 * Syncs edits with the server: pushes local operations, then pulls changes. A crash or a lost response can repeat a
 * step, but never apply it twice, because an operation keeps its ID across retries and a page of changes is stored in
 * the same transaction as its cursor. While a page is stored, the next one is already requested.
 */
export class ChangeSync {
  readonly #options: ChangeSyncOptions;
  readonly #retrier: Retrier;
  /** Raised by every commit, because it may have queued operations. */
  readonly #committed = new Flag();
  /** True if changes have been received since the last complete pull. */
  #changed = false;
  /** Number of batches of operations that the server has responded to. */
  #pushes = 0;
  /** When to pull next even if there's nothing to push, in milliseconds of `Clock.elapsed`. */
  #nextPullAt = Number.NEGATIVE_INFINITY;
  /** True if a pull was requested since the start of the latest one. */
  #isPullRequested = false;

  constructor(options: ChangeSyncOptions) {
    this.#options = options;
    this.#retrier = new Retrier({ ...options, event: 'changes.waiting' });
  }

  get reachability(): CloudReachability {
    return this.#retrier.reachability;
  }

  /** Calls the listener when {@link reachability} changes. */
  subscribe(listener: () => void): () => void {
    return this.#retrier.subscribe(listener);
  }

  /** Polls immediately. Call when the network returns or the app becomes visible. Edits are pushed automatically. */
  wake(): void {
    this.#isPullRequested = true;
    this.#retrier.wake();
  }

  /** Pushes and pulls now. May be called while `run` is working. @returns the failure, if any */
  async poll(signal: AbortSignal): Promise<CloudResult<null>> {
    try {
      // A pull of `run` that is in progress may lack the latest changes.
      await this.pass(signal, true);
    } catch (error) {
      if (error instanceof Interrupted) return { ok: false, failure: error.failure };
      if (signal.aborted) return { ok: false, failure: { kind: 'aborted' } };
      throw error;
    }
    // The server is reachable, so `run` doesn't need to wait out its retry delay.
    this.#retrier.wake();
    return { ok: true, data: null };
  }

  /** Works until `signal` aborts, then resolves. */
  async run(signal: AbortSignal): Promise<void> {
    const { changes, clock } = this.#options;
    const unsubscribe = changes.subscribe(() => this.#committed.raise());
    try {
      for (;;) {
        await this.#retrier.retry(() => this.pass(signal), signal);
        const pullDelayMs = Math.max(0, this.#nextPullAt - clock.elapsed());
        await this.#retrier.pause(pullDelayMs, signal, this.#committed);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      unsubscribe();
    }
  }

  /**
   * Pushes pending operations, and pulls if anything was pushed or a pull is due, or always with `mustPull`.
   * @throws Interrupted if a call fails; the results of earlier calls are kept
   */
  async pass(signal: AbortSignal, mustPull = false): Promise<void> {
    await this.#removeAudio(signal);
    const hasPushed = await this.#push(signal);
    const isDue = this.#isPullRequested || this.#options.clock.elapsed() >= this.#nextPullAt;
    if (hasPushed || mustPull || isDue) {
      // A request during the pull causes another one.
      this.#isPullRequested = false;
      try {
        await this.#pull(signal);
      } catch (error) {
        this.#isPullRequested = true;
        throw error;
      }
      this.#nextPullAt = this.#options.clock.elapsed() + CHANGES_POLL_MS;
      await this.#removeAudio(signal);
    }
  }

  /** Sends pending operations. @returns true if there were any */
  async #push(signal: AbortSignal): Promise<boolean> {
    const { changes, uid, log } = this.#options;
    let hasPushed = false;
    let maxCount: number = limits.sync.operations;
    for (;;) {
      signal.throwIfAborted();
      const batch = firstBatch(await changes.pending(uid), maxCount);
      if (batch.length === 0) return hasPushed;
      const outcomes = await this.#apply(batch, signal);
      if (outcomes === 'invalid') {
        // Halving the batch isolates the invalid operation.
        maxCount = Math.ceil(batch.length / 2);
        continue;
      }
      await changes.acknowledge(uid, outcomes);
      this.#pushes += 1;
      hasPushed = true;
      const rejected = outcomes.filter(({ outcome }) => outcome === 'refused');
      for (const { code } of rejected) log('changes.refused', { code });
      if (batch.length === 1) maxCount = limits.sync.operations;
    }
  }

  /**
   * Returns each operation's outcome, or `invalid` if the server rejected the whole batch. An invalid operation
   * counts as rejected only if it's the only one in its batch.
   */
  async #apply(
    ops: readonly Operation[],
    signal: AbortSignal,
  ): Promise<readonly OperationOutcome[] | 'invalid'> {
    const result = await this.#options.cloud.apply(ops);
    signal.throwIfAborted();
    if (result.ok) {
      const outcomes = result.data.results;
      const isComplete = ops.every(({ op_id }, index) => outcomes[index]?.op_id === op_id);
      // This response isn't from our server. The operations stay queued.
      if (!isComplete) throw new Interrupted({ kind: 'malformed' });
      return outcomes;
    }
    const { failure } = result;
    if (failure.kind !== 'server' || !INVALID.includes(failure.code)) {
      throw new Interrupted(failure);
    }
    const [op] = ops;
    if (!op || ops.length > 1) return 'invalid';
    const { code, msg } = failure;
    return [{ op_id: op.op_id, outcome: 'refused', rev: op.base_rev, code, msg }];
  }

  async #pull(signal: AbortSignal): Promise<void> {
    const { onCaughtUp, onReceiving } = this.#options;
    let isReceiving = false;
    try {
      await this.#pullPages(signal, () => {
        if (!isReceiving) onReceiving?.(true);
        isReceiving = true;
      });
    } finally {
      if (isReceiving) onReceiving?.(false);
    }
    const changed = this.#changed;
    this.#changed = false;
    onCaughtUp?.(changed);
  }

  /** @param onMore called for each page after which there are more */
  async #pullPages(signal: AbortSignal, onMore: () => void): Promise<void> {
    const { changes, cloud, uid } = this.#options;
    /** The page requested while the previous one was stored. */
    let nextPage: PageRequest | null = null;
    for (;;) {
      signal.throwIfAborted();
      const cursor: string | undefined = await changes.cursor(uid);
      // Another pull may have stored other pages, or a push may have sent edits that the page lacks.
      const request: PageRequest['result'] | undefined =
        nextPage?.cursor === cursor && nextPage?.pushes === this.#pushes
          ? nextPage?.result
          : undefined;
      const result: CloudResult<ChangesPage> = await (request ?? cloud.changes(cursor));
      nextPage = null;
      signal.throwIfAborted();
      const isCursorInvalid =
        !result.ok && result.failure.kind === 'server' && result.failure.code === codes.badRequest;
      if (isCursorInvalid && cursor !== undefined) {
        this.#options.log('changes.restart');
        await changes.restart(uid);
        continue;
      }
      const page: ChangesPage = unwrap(result);
      if (page.more) {
        onMore();
        nextPage = {
          cursor: page.cursor,
          pushes: this.#pushes,
          result: cloud.changes(page.cursor),
        };
      }
      await changes.applyPage(uid, cursor, page);
      this.#changed ||= page.changes.length > 0;
      if (!page.more) return;
    }
  }

  /** Removes the audio of recordings that were permanently deleted on any phone. */
  async #removeAudio(signal: AbortSignal): Promise<void> {
    const { changes, audio, uid, log } = this.#options;
    signal.throwIfAborted();
    for (const id of await changes.orphanedAudio(uid)) {
      signal.throwIfAborted();
      try {
        await audio.remove(id);
      } catch (error) {
        if (!(error instanceof AudioStoreError)) throw error;
        // The recording stays marked, so the next pass will retry the removal.
        log('changes.audio_left', { code: error.code });
        continue;
      }
      await changes.markAudioRemoved(id);
    }
  }
}

/** Returns the oldest operations that fit in one call, at most `maxCount` but at least one if there are any. */
function firstBatch(pending: readonly Operation[], maxCount: number): readonly Operation[] {
  const encoder = new TextEncoder();
  let bytes = 0;
  let count = 0;
  for (const op of pending.slice(0, maxCount)) {
    bytes += encoder.encode(JSON.stringify(op)).length;
    if (count > 0 && bytes > BATCH_BYTES) break;
    count += 1;
  }
  return pending.slice(0, count);
}
