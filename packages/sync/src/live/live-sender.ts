/** Sends the packets of recordings in progress to the server, and collects the recognized text. */
import { type Store, toBase64, type Writable, writable } from '@linnet/base';
import type { CallBody, LiveSession } from '@linnet/contract';
import type { SpokenLanguage } from '@linnet/contract/languages';
import { limits } from '@linnet/contract/limits';
import type { Clock } from '../clock.ts';
import { Flag } from '../flag.ts';
import type { Log } from '../log.ts';
import type { AudioStore } from '../ports/audio.ts';
import type { CloudResult } from '../ports/cloud.ts';
import { BACKOFF_SECONDS } from '../retrying.ts';
import { type LiveStopReason, type LiveText, stopReasonOfCall, toStopReason } from './live-text.ts';
import { PACKET_BYTES, PACKET_SECONDS, PacketBuffer } from './packet-buffer.ts';

/** Receives the packets of recordings once they're on disk. Its methods return immediately and never throw. */
export type LiveSink = {
  /**
   * Adds packets of 160 bytes.
   * @param offset the position of the first byte in the recording's packets
   * @param isInProgress false if the recording has already ended. Its packets are sent only if earlier ones were.
   */
  add(id: string, offset: number, bytes: Uint8Array, isInProgress: boolean): void;
  /** Reports the end of the recording. @param bytes the total size of its packets */
  end(id: string, bytes: number): void;
  /** Reports the deletion of the recording. */
  drop(id: string): void;
};

export type LiveSenderOptions = {
  /** Sends packets to the server: the call `live/append`. */
  readonly append: (
    body: CallBody<'live/append'>,
    signal: AbortSignal,
  ) => Promise<CloudResult<LiveSession>>;
  /** Reads packets that are no longer in memory. */
  readonly audio: Pick<AudioStore, 'readPackets'>;
  /** Returns a recording's language, or null while nothing may be sent. */
  readonly language: (id: string) => SpokenLanguage | null;
  /** Returns the names and terms that the user added to a recording. */
  readonly words: (id: string) => Promise<readonly string[]>;
  /** Returns whether the page is visible. A hidden page doesn't poll for text. */
  readonly isVisible: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly onError: (error: unknown) => void;
};

/** Maximum and minimum number of packets per call. A slow connection or server gets fewer. */
const MAX_PACKETS = Math.floor(limits.live.appendBytes / PACKET_BYTES);
const MIN_PACKETS = 50;
/** Maximum number of packets in memory per recording: ten minutes, 4.8 MB. Earlier ones are read from the file. */
const BUFFER_PACKETS = 600 / PACKET_SECONDS;
/** Minimum time between calls, unless a complete batch is waiting. */
const PACE_MS = 500;
/** Number of polls without new text before polling stops: ten seconds. Recognizing a passage takes a few seconds. */
const MAX_IDLE_POLLS = 10_000 / PACE_MS;
/**
 * How long calls are retried after the end of the recording. After that, the upload of the complete recording has
 * probably started, and the rest is transcribed from it.
 */
const END_RETRY_MS = 30_000;
/**
 * Maximum number of successive calls from which the server accepts no packets: a minute. The server accepts none while
 * too many wait for recognition.
 */
const MAX_STALLED_CALLS = 60_000 / PACE_MS;
/** Number of ended recordings whose text is kept. */
const KEPT_TEXTS = 4;

type Session = {
  readonly id: string;
  readonly language: SpokenLanguage;
  readonly buffer: PacketBuffer;
  /** Number of packets that the server has, or null before its first response. */
  received: number | null;
  /** The recording's words that the server has, or null before its first response. */
  sentWords: readonly string[] | null;
  /**
   * The total number of packets, and when the recording ended in milliseconds of `Clock.elapsed`. Null while it is in
   * progress.
   */
  end: { readonly packets: number; readonly at: number } | null;
  /** True once the server has confirmed the end. */
  isEndReceived: boolean;
  idlePolls: number;
  /** Maximum number of packets in the next call. */
  batch: number;
  /** Number of calls since the server last accepted packets. */
  stalledCalls: number;
  /** Raised by new packets, the end, and requests to poll. */
  readonly work: Flag;
  /** Raised by the end and by a new connection. Both end a delay early. */
  readonly urgent: Flag;
  readonly stop: AbortController;
  isOver: boolean;
};

/**
 * Sends the packets of each recording in order, with one call in flight. After a lost connection, resumes where the
 * server's copy ends. Recording doesn't depend on live text: after a failure, live text ends, and the complete
 * recording is transcribed later.
 */
export class LiveSender implements LiveSink {
  readonly #options: LiveSenderOptions;
  readonly #sessions = new Map<string, Session>();
  readonly #texts: Writable<ReadonlyMap<string, LiveText>> = writable(new Map());
  /** Number of views that show each recording's text. */
  readonly #watchers = new Map<string, number>();

  constructor(options: LiveSenderOptions) {
    this.#options = options;
  }

  /** The text of recent recordings, by recording ID. */
  get texts(): Store<ReadonlyMap<string, LiveText>> {
    return this.#texts;
  }

  add(id: string, offset: number, bytes: Uint8Array, isInProgress: boolean): void {
    this.#guard(() => {
      const session = this.#sessions.get(id) ?? (isInProgress ? this.#start(id) : null);
      if (!session || session.isOver) return;
      session.buffer.add(offset / PACKET_BYTES, bytes);
      session.idlePolls = 0;
      session.work.raise();
    });
  }

  end(id: string, bytes: number): void {
    this.#guard(() => {
      const session = this.#sessions.get(id);
      if (!session || session.isOver || session.end) return;
      if (this.#options.language(id) === null) return this.#finish(session, 'incomplete');
      const packets = Math.floor(bytes / PACKET_BYTES);
      session.end = { packets, at: this.#options.clock.elapsed() };
      session.work.raise();
      session.urgent.raise();
    });
  }

  drop(id: string): void {
    this.#guard(() => {
      this.#forget(id);
      this.#publish(new Map([...this.#texts.get()].filter(([each]) => each !== id)));
    });
  }

  /** Polls for a recording's text until the returned function is called. */
  watch(id: string): () => void {
    this.#watchers.set(id, (this.#watchers.get(id) ?? 0) + 1);
    this.#sessions.get(id)?.work.raise();
    return () => {
      const count = (this.#watchers.get(id) ?? 1) - 1;
      if (count === 0) this.#watchers.delete(id);
      else this.#watchers.set(id, count);
    };
  }

  /** Ends delays early. Call it when the connection, the settings or the page's visibility have changed. */
  wake(): void {
    for (const { work, urgent } of this.#sessions.values()) {
      work.raise();
      urgent.raise();
    }
  }

  /** Stops sending and discards all text. Call it on sign-out. */
  stop(): void {
    for (const id of [...this.#sessions.keys()]) this.#forget(id);
    this.#publish(new Map());
  }

  /** Runs work whose failure must not reach the recorder. */
  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#options.onError(error);
    }
  }

  /** @param restarted the session to replace from the start of the recording */
  #start(id: string, restarted?: Session): Session | null {
    const language = this.#options.language(id);
    if (language === null) return null;
    const session: Session = {
      id,
      language,
      buffer: restarted?.buffer ?? new PacketBuffer(BUFFER_PACKETS),
      received: restarted ? 0 : null,
      sentWords: null,
      end: null,
      isEndReceived: false,
      idlePolls: 0,
      stalledCalls: 0,
      batch: MAX_PACKETS,
      work: new Flag(),
      urgent: new Flag(),
      stop: new AbortController(),
      isOver: false,
    };
    this.#sessions.set(id, session);
    for (const old of [...this.#sessions.keys()].slice(0, -KEPT_TEXTS)) this.drop(old);
    this.#setText(session, {
      language,
      passages: [],
      tentative: null,
      state: { status: 'listening' },
    });
    this.#options.log('live.started', {});
    void this.#run(session).catch((error: unknown) => {
      if (session.stop.signal.aborted) return;
      this.#finish(session, 'incomplete');
      this.#options.onError(error);
    });
    return session;
  }

  async #run(session: Session): Promise<void> {
    const { append, clock, log } = this.#options;
    const { signal } = session.stop;
    let failures = 0;
    while (!session.isOver) {
      if (this.#restartInNewLanguage(session)) return;
      if (!this.#needsCall(session)) {
        if (session.isEndReceived) return this.#finish(session, null);
        await session.work.wait(signal);
        continue;
      }
      session.work.lower();
      const body = await this.#nextBody(session);
      signal.throwIfAborted();
      if (!body) return this.#finish(session, 'incomplete');
      const result = await append(body, signal);
      signal.throwIfAborted();
      if (result.ok) {
        failures = 0;
        await this.#onResponse(session, body, result.data);
        continue;
      }
      const reason = stopReasonOfCall(result.failure);
      if (reason) return this.#finish(session, reason);
      session.batch = Math.max(MIN_PACKETS, Math.floor(session.batch / 2));
      if (session.end && clock.elapsed() - session.end.at > END_RETRY_MS) {
        return this.#finish(session, 'incomplete');
      }
      const step = Math.min(failures++, BACKOFF_SECONDS.length - 1);
      const ms = (BACKOFF_SECONDS[step] as number) * 1000;
      log('live.waiting', { ms, kind: result.failure.kind });
      await this.#pause(session, ms);
    }
  }

  /** Restarts the session if the language of its recording in progress has changed. @returns true if restarted */
  #restartInNewLanguage(session: Session): boolean {
    const language = this.#options.language(session.id);
    if (language === null || language === session.language || session.end) return false;
    session.isOver = true;
    this.#start(session.id, session);
    return true;
  }

  #needsCall(session: Session): boolean {
    const { id, buffer, received, end, isEndReceived, idlePolls } = session;
    if (this.#options.language(id) === null) return false;
    if ((received ?? 0) < buffer.end || (end && !isEndReceived)) return true;
    const isWatched = this.#watchers.has(id) && this.#options.isVisible();
    return isWatched && idlePolls < MAX_IDLE_POLLS;
  }

  /** Returns the next call's body, or null if packets that the server lacks are no longer available. */
  async #nextBody(session: Session): Promise<CallBody<'live/append'> | null> {
    const { id, language, buffer, end, sentWords } = session;
    const first = session.received ?? buffer.first;
    const total = Math.max(buffer.end, end?.packets ?? 0);
    const packets = await this.#packets(session, first, Math.min(total, first + session.batch));
    if (!packets) return null;
    const words = await this.#options.words(id).catch((error: unknown) => {
      // Live text works without them.
      this.#options.onError(error);
      return sentWords ?? [];
    });
    return {
      client_flag: id,
      language,
      ...(!isSameList(words, sentWords) && { words: [...words] }),
      first,
      packets: toBase64(packets),
      ended: end !== null && first + packets.length / PACKET_BYTES >= end.packets,
      known: this.#texts.get().get(id)?.passages.length ?? 0,
    };
  }

  /** Returns the packets from index `first` up to at most `last`, or null if the first isn't available. */
  async #packets(session: Session, first: number, last: number): Promise<Uint8Array | null> {
    const { id, buffer } = session;
    if (first >= last) return new Uint8Array();
    if (first >= buffer.first && first < buffer.end) return buffer.read(first, last - first);
    const to = first < buffer.first ? Math.min(last, buffer.first) : last;
    return this.#options.audio.readPackets(id, first * PACKET_BYTES, to * PACKET_BYTES);
  }

  async #onResponse(
    session: Session,
    { first, packets, ended, words }: CallBody<'live/append'>,
    data: LiveSession,
  ): Promise<void> {
    if (words) session.sentWords = words;
    // The server has lost the session and created another one.
    if (data.received < (session.received ?? 0)) session.sentWords = null;
    const hasAdvanced = data.received > (session.received ?? first);
    session.stalledCalls = hasAdvanced || packets === '' ? 0 : session.stalledCalls + 1;
    session.batch =
      session.stalledCalls > 0
        ? Math.max(MIN_PACKETS, Math.floor(session.batch / 2))
        : Math.min(MAX_PACKETS, session.batch * 2);
    session.received = data.received;
    session.buffer.dropBefore(data.received);
    const hasNewText = this.#setPassages(session, data);
    session.idlePolls = hasNewText || hasAdvanced ? 0 : session.idlePolls + 1;
    if (data.state.status === 'stopped') {
      return this.#finish(session, toStopReason(data.state.error.code));
    }
    const { end, buffer } = session;
    const isTooLate = end !== null && this.#options.clock.elapsed() - end.at > END_RETRY_MS;
    if (session.stalledCalls > (isTooLate ? 0 : MAX_STALLED_CALLS)) {
      return this.#finish(session, 'incomplete');
    }
    if (end && ended && data.received >= end.packets) session.isEndReceived = true;
    const isBehind = buffer.end - data.received >= session.batch || (end && !session.isEndReceived);
    if (!(isBehind && hasAdvanced)) await this.#pause(session, PACE_MS);
  }

  /** Stores a response's text. @returns true if the text has changed */
  #setPassages({ id }: Session, { first, passages, tentative, language }: LiveSession): boolean {
    const before = this.#texts.get().get(id);
    if (!before) return false;
    const isSame =
      first === before.passages.length &&
      passages.length === 0 &&
      tentative?.text === before.tentative?.text;
    if (isSame) return false;
    this.#setText(
      { id },
      {
        ...before,
        language,
        passages: [...before.passages.slice(0, first), ...passages],
        tentative,
      },
    );
    return true;
  }

  /** Waits for `ms`, or until the recording ends or the connection returns. */
  async #pause({ stop, urgent }: Session, ms: number): Promise<void> {
    const raceEnded = new AbortController();
    const signal = AbortSignal.any([stop.signal, raceEnded.signal]);
    const waits = [urgent.wait(signal), this.#options.clock.sleep(ms, signal)];
    try {
      await Promise.race(waits);
    } finally {
      raceEnded.abort();
      // The losing wait rejects because of the abort above.
      await Promise.allSettled(waits);
    }
  }

  /** @param reason why live text stopped early, or null if the server has the complete recording */
  #finish(session: Session, reason: LiveStopReason | null): void {
    session.isOver = true;
    session.buffer.dropBefore(Number.POSITIVE_INFINITY);
    this.#options.log('live.ended', { reason: reason ?? 'complete' });
    const text = this.#texts.get().get(session.id);
    if (!text) return;
    const state = reason
      ? ({ status: 'stopped', reason } as const)
      : ({ status: 'ended' } as const);
    // Once live text has stopped, nothing settles the tentative words.
    this.#setText(session, { ...text, state, tentative: reason ? null : text.tentative });
  }

  #forget(id: string): void {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    if (!session) return;
    session.isOver = true;
    session.stop.abort();
  }

  #setText({ id }: Pick<Session, 'id'>, text: LiveText): void {
    this.#publish(new Map(this.#texts.get()).set(id, text));
  }

  #publish(texts: ReadonlyMap<string, LiveText>): void {
    this.#texts.set(texts);
  }
}

const isSameList = (one: readonly string[], other: readonly string[] | null) =>
  one.length === other?.length && one.every((item, index) => item === other[index]);
