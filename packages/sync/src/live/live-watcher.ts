/** Receives the text of recordings in progress on other devices of the account. */
import { type Store, type Writable, writable } from '@linnet/base';
import type { CallBody, CallData, WatchedLiveSession } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import type { Clock } from '../clock.ts';
import { Flag } from '../flag.ts';
import type { Log } from '../log.ts';
import type { CloudResult } from '../ports/cloud.ts';
import { BACKOFF_SECONDS } from '../retrying.ts';
import { type LiveText, stopReasonOfCall, toStopReason } from './live-text.ts';
import { PACKET_SECONDS } from './packet-buffer.ts';

/** A recording in progress on another device. */
export type OtherRecording = {
  /** The recording's ID; the same after it arrives on this device. */
  readonly id: string;
  /** When the recording was started, in milliseconds since 1970. */
  readonly startedAt: number;
  /**
   * The elapsed recording time as an interval on this device's clock, in milliseconds since 1970. `to` is null while
   * audio arrives.
   */
  readonly elapsed: { readonly from: number; readonly to: number | null };
  readonly text: LiveText;
};

export type LiveWatcherOptions = {
  /** Waits for a new version of the text: the call `live/watch`. */
  readonly watch: (
    body: CallBody<'live/watch'>,
    signal: AbortSignal,
  ) => Promise<CloudResult<CallData<'live/watch'>>>;
  /** Returns the IDs of recordings in progress on this device. */
  readonly own: () => Iterable<string>;
  /** Returns the subset of `ids` that are on this device. */
  readonly known: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Fetches uploaded recordings from the server. */
  readonly pull: () => Promise<{ readonly ok: boolean }>;
  /** Returns whether the account uses live text. */
  readonly isEnabled: () => boolean;
  /** Returns whether the page is visible. A hidden page doesn't wait for text. */
  readonly isVisible: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
  /** Called with errors of this device, such as database errors. The watcher then retries. */
  readonly onError: (error: unknown) => void;
};

/** Number of failed calls before the recordings are hidden because their text is out of date: 18 seconds. */
const MAX_FAILURES = 4;
/**
 * How long an uploaded recording's text stays after the recording has arrived, in milliseconds. The list needs this
 * time to show the recording before the text disappears.
 */
const HANDOVER_MS = 1000;
/** The largest deviation of a duration that isn't corrected, in milliseconds. Packets arrive in bursts. */
const MAX_DRIFT_MS = 3000;
/** Number of arrived recordings whose text is kept until their transcript is available. */
const KEPT_TEXTS = 4;

/**
 * Waits for text with one call at a time. The server responds when there is new text. The interface shows a recording
 * until it arrives on this device or the server no longer lists it.
 */
export class LiveWatcher {
  readonly #options: LiveWatcherOptions;
  readonly #recordings: Writable<readonly OtherRecording[]> = writable([]);
  readonly #arrived: Writable<ReadonlyMap<string, LiveText>> = writable(new Map());
  /** Raised when a condition for calls may have changed. */
  readonly #changed = new Flag();
  /** Raised when calls that failed or were refused should be repeated. */
  readonly #retry = new Flag();
  /** The call in progress, and the IDs of the recordings that the server omits from its response. */
  #call: { readonly stop: AbortController; readonly except: readonly string[] } | null = null;
  /** Recordings from earlier responses that are now on this device. The server can omit them. */
  #known: ReadonlySet<string> = new Set();
  #version: string | undefined;

  constructor(options: LiveWatcherOptions) {
    this.#options = options;
  }

  /** The recordings in progress on other devices, oldest first. */
  get recordings(): Store<readonly OtherRecording[]> {
    return this.#recordings;
  }

  /** The text of recordings that have arrived from other devices, by recording ID. */
  get arrived(): Store<ReadonlyMap<string, LiveText>> {
    return this.#arrived;
  }

  /**
   * Applies changed conditions. Call it when the settings, this device's recordings or the page's visibility may have
   * changed.
   */
  update(): void {
    const { isEnabled, isVisible } = this.#options;
    const isOutdated = this.#call !== null && !isSame(this.#call.except, this.#except());
    if (!isEnabled() || !isVisible() || isOutdated) this.#call?.stop.abort();
    this.#changed.raise();
  }

  /** Repeats a failed call now. Call it when the connection or the server may have changed. */
  wake(): void {
    this.#retry.raise();
    this.update();
  }

  /** Works until `signal` aborts, then discards all text and resolves. */
  async run(signal: AbortSignal): Promise<void> {
    const { isEnabled, isVisible } = this.#options;
    try {
      let failures = 0;
      for (;;) {
        signal.throwIfAborted();
        if (!isEnabled()) this.#forget();
        if (!isEnabled() || !isVisible()) {
          await this.#changed.wait(signal);
          continue;
        }
        this.#changed.lower();
        this.#retry.lower();
        const result = await this.#watch(signal);
        signal.throwIfAborted();
        if (result === 'interrupted') continue;
        if (result.ok && (await this.#tryToApply(result.data, signal))) {
          failures = 0;
          continue;
        }
        const reason = result.ok ? null : stopReasonOfCall(result.failure);
        failures += 1;
        if (reason || failures >= MAX_FAILURES) this.#forget();
        else this.#freeze();
        const step = Math.min(failures, BACKOFF_SECONDS.length) - 1;
        const ms = reason ? null : (BACKOFF_SECONDS[step] as number) * 1000;
        this.#options.log('live.watch_failed', {
          kind: result.ok ? 'not_applied' : result.failure.kind,
          ...(ms !== null && { ms }),
        });
        await this.#waitForRetry(ms, signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.#forget();
      this.#arrived.set(new Map());
    }
  }

  async #watch(signal: AbortSignal): Promise<CloudResult<CallData<'live/watch'>> | 'interrupted'> {
    const stop = new AbortController();
    const call = { stop, except: this.#except() };
    this.#call = call;
    try {
      const result = await this.#options.watch(
        {
          ...(this.#version !== undefined && { version: this.#version }),
          wait: limits.live.watchSeconds,
          known: this.#recordings
            .get()
            .slice(-limits.live.watched)
            .map(({ id, text }) => ({ client_flag: id, passages: text.passages.length })),
          except: [...call.except],
        },
        AbortSignal.any([signal, stop.signal]),
      );
      return stop.signal.aborted ? 'interrupted' : result;
    } finally {
      this.#call = null;
    }
  }

  /** Returns the IDs of recordings that the server should omit. */
  #except(): readonly string[] {
    return [...new Set([...this.#options.own(), ...this.#known])].slice(-limits.live.watched);
  }

  /** Applies a response. Returns false if that fails, for example because uploaded recordings couldn't be fetched. */
  async #tryToApply(data: CallData<'live/watch'>, signal: AbortSignal): Promise<boolean> {
    try {
      return await this.#apply(data, signal);
    } catch (error) {
      signal.throwIfAborted();
      this.#options.onError(error);
      return false;
    }
  }

  async #apply({ version, list }: CallData<'live/watch'>, signal: AbortSignal): Promise<boolean> {
    const { known, own, pull, clock } = this.#options;
    const before = this.#recordings.get();
    const listed = new Set(list.map(({ client_flag }) => client_flag));
    const unlisted = before.filter(({ id }) => !listed.has(id) && !this.#known.has(id));
    // Fetch them first. Otherwise, an open page would report that its recording doesn't exist.
    if (unlisted.length > 0 && !(await pull()).ok) return false;
    const ids = [...new Set([...this.#known, ...listed, ...unlisted.map(({ id }) => id)])];
    const onDevice = await known(ids);
    signal.throwIfAborted();
    for (const { id, text } of unlisted) if (onDevice.has(id)) this.#keepText(id, text);
    const excluded = new Set([...own(), ...onDevice]);
    this.#known = new Set(ids.filter((id) => onDevice.has(id)).slice(-limits.live.watched));
    const current = list
      .filter(({ client_flag }) => !excluded.has(client_flag))
      .map((session) => this.#toRecording(session));
    const arrived = unlisted.filter(({ id }) => onDevice.has(id));
    if (arrived.length > 0) {
      this.#recordings.set([...arrived, ...current]);
      await clock.sleep(HANDOVER_MS, signal);
    }
    this.#recordings.set(current);
    // After a change of language, a recording has a new text, so request it from the beginning.
    const isRestarted = before.some(({ id, text }) =>
      current.some((each) => each.id === id && each.text.language !== text.language),
    );
    this.#version = isRestarted ? undefined : version;
    return true;
  }

  #toRecording(session: WatchedLiveSession): OtherRecording {
    const { client_flag: id, language, first, passages, tentative, phase } = session;
    const before = this.#recordings.get().find((each) => each.id === id);
    const isSameText = before === undefined || before.text.language === language;
    const earlierPassages = isSameText ? (before?.text.passages.slice(0, first) ?? []) : [];
    const state =
      session.state.status === 'stopped'
        ? ({ status: 'stopped', reason: toStopReason(session.state.error.code) } as const)
        : phase === 'ended'
          ? ({ status: 'ended' } as const)
          : ({ status: 'listening' } as const);
    return {
      id,
      startedAt: Date.parse(session.started_at),
      elapsed: this.#elapsed(session, before),
      text: {
        language,
        passages: isSameText ? [...earlierPassages, ...passages] : [],
        tentative: isSameText ? tentative : null,
        state,
      },
    };
  }

  #elapsed(
    { received, phase }: WatchedLiveSession,
    before: OtherRecording | undefined,
  ): OtherRecording['elapsed'] {
    const now = this.#options.clock.now();
    const from = now - received * PACKET_SECONDS * 1000;
    if (phase !== 'recording') return { from, to: now };
    const previous = before?.elapsed;
    const isClose = previous?.to === null && Math.abs(previous.from - from) < MAX_DRIFT_MS;
    return { from: isClose ? previous.from : from, to: null };
  }

  #keepText(id: string, text: LiveText): void {
    const texts = [...this.#arrived.get(), [id, { ...text, state: { status: 'ended' } }] as const];
    this.#arrived.set(new Map(texts.slice(-KEPT_TEXTS)));
  }

  /** Stops the elapsed times while the state of the recordings is unknown. */
  #freeze(): void {
    const now = this.#options.clock.now();
    this.#recordings.set(
      this.#recordings.get().map((each) => ({
        ...each,
        elapsed: { from: each.elapsed.from, to: each.elapsed.to ?? now },
      })),
    );
    // The next response must contain the recordings' state, even if the text hasn't changed.
    this.#version = undefined;
  }

  #forget(): void {
    this.#version = undefined;
    this.#known = new Set();
    if (this.#recordings.get().length > 0) this.#recordings.set([]);
  }

  /** Waits until woken, or for `ms`. If `ms` is null, there's no time limit. */
  async #waitForRetry(ms: number | null, signal: AbortSignal): Promise<void> {
    const raceEnded = new AbortController();
    const waitSignal = AbortSignal.any([signal, raceEnded.signal]);
    const waits = [this.#retry.wait(waitSignal)];
    if (ms !== null) waits.push(this.#options.clock.sleep(ms, waitSignal));
    try {
      await Promise.race(waits);
    } finally {
      raceEnded.abort();
      // The losing wait rejects because of the abort above.
      await Promise.allSettled(waits);
    }
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id, index) => id === other[index]);
}
