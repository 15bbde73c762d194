/** Turns the packets of one recording in progress into text, slice by slice. */
import { setTimeout as delay } from 'node:timers/promises';
import { AudioFailure } from '@linnet/audio/failure';
import { PACKET_BYTES, PACKET_MS } from '@linnet/audio/format';
import type { OpusModule } from '@linnet/audio/opus';
import { DECODER_RUN_UP, OpenAudio, startOfPacket } from './audio.ts';
import { type Cut, planCut } from './cut.ts';
import {
  createSliceRecognizer,
  LiveEnd,
  type RecognizerParts,
  type SliceRecognizer,
} from './recognizer.ts';
import type { LiveHold, LiveStore, SliceResult } from './store.ts';
import { textOf } from './text.ts';

export interface LiveParts extends RecognizerParts {
  readonly store: LiveStore;
  readonly opus: OpusModule;
}

/** Milliseconds between polls for new packets. */
const pollMs = 200;
/** Milliseconds between renewals of the hold, a quarter of its duration. */
const renewMs = 2000;
/** Milliseconds without packets after which a session is released, so that its model doesn't occupy memory. */
const idleMs = 60_000;
/** Maximum processing time per time of audio at which text is shown before its slice is complete. */
const slowestTwice = 0.5;
/** Packets before the open part in which the noise floor is searched: ten seconds. */
const floorPackets = 10_000 / PACKET_MS;

/**
 * Processes a session that this worker holds until all of its audio is settled, nothing arrives anymore, or its text
 * ends.
 * @throws HoldLost; also any error from the database
 */
export async function processSession(
  parts: LiveParts,
  session: LiveHold,
  signal: AbortSignal,
): Promise<void> {
  const { store, log, opus } = parts;
  const vocabulary = await store.vocabulary(session);
  const runUp = Math.min(DECODER_RUN_UP, session.settled);
  const audio = new OpenAudio(opus, session.settled, runUp);
  const recognizer = createSliceRecognizer(parts, session.language, vocabulary);
  const lost = new AbortController();
  const timer = setInterval(() => {
    store.renew(session).catch((error) => lost.abort(error));
  }, renewMs);
  try {
    const stopping = AbortSignal.any([signal, lost.signal]);
    await transcribe({ store, audio, recognizer, hold: session, runUp }, stopping);
  } catch (error) {
    // An aborted wait doesn't say why it was aborted.
    if (lost.signal.aborted) throw lost.signal.reason;
    if (!(error instanceof LiveEnd)) throw error;
    log.warn({ session: session.id, reason: error.reason, err: error.cause }, 'live text ended');
    await store.stop(session, error.reason);
  } finally {
    clearInterval(timer);
    audio.free();
    await recognizer.close();
  }
}

interface Work {
  readonly store: LiveStore;
  readonly audio: OpenAudio;
  readonly recognizer: SliceRecognizer;
  readonly hold: LiveHold;
  /** Packets before the open part that are decoded only for the state of the decoder. */
  readonly runUp: number;
}

async function transcribe(work: Work, signal: AbortSignal): Promise<void> {
  const { store, audio, recognizer, hold } = work;
  let next = audio.from - work.runUp;
  let recent: readonly number[] = [];
  /** The result for the open part up to a pause, which is settled if nothing more is said. */
  let tentative: { readonly spoken: number; readonly result: SliceResult | null } | null = null;
  const speed = createSpeedMeter();
  let arrivedAt = performance.now();
  for (;;) {
    signal.throwIfAborted();
    const { packets, isComplete, isStopped } = await store.read(hold, next);
    if (packets.length > 0) {
      arrivedAt = performance.now();
      push(audio, packets);
      next += packets.length / PACKET_BYTES;
    }
    if (isStopped || (isComplete && audio.loudness.length === 0)) {
      return store.release(hold, next);
    }

    const cut = planCut(audio.loudness, Math.min(...recent), isComplete);
    if (cut.kind === 'wait' || (cut.kind === 'tentative' && isRedundant(cut.spoken))) {
      if (performance.now() - arrivedAt > idleMs) return store.release(hold, next);
      await delay(pollMs, undefined, { signal });
      continue;
    }
    const result = await resultOf(cut);
    if (cut.kind === 'tentative') {
      tentative = { spoken: cut.spoken, result };
      if (result) await store.showTentative(hold, { ...span(result), text: textOf(result) });
      continue;
    }
    await store.settle(hold, {
      ...{ first: audio.from, count: cut.to, sha256: audio.sha256(cut.to) },
      ...{ result, text: result ? textOf(result) : '' },
    });
    recent = [...recent, ...audio.loudness.slice(0, cut.to)].slice(-floorPackets);
    audio.settle(cut.to);
    tentative = null;
  }

  /**
   * Whether text up to a pause isn't worth recognizing: it is shown already, the engine is too slow, or each request to
   * a service costs money.
   */
  function isRedundant(spoken: number): boolean {
    return recognizer.isService() || tentative?.spoken === spoken || speed.isTooSlow();
  }

  async function resultOf(cut: Exclude<Cut, { kind: 'wait' }>): Promise<SliceResult | null> {
    if (cut.kind === 'silence') return null;
    if (tentative?.spoken === cut.spoken) return tentative.result;
    const started = performance.now();
    const result = await recognizer.recognize(
      audio.samples(cut.to),
      startOfPacket(audio.from),
      signal,
    );
    speed.add(performance.now() - started, cut.to * PACKET_MS);
    return result;
  }
}

/** Measures whether the engine is fast enough to recognize audio twice: at a pause, and again with what follows it. */
function createSpeedMeter() {
  let isLoaded = false;
  let ratio = 0;
  return {
    /** Both times are in milliseconds. */
    add(processing: number, audio: number): void {
      // The first recognition includes the loading of the model.
      if (isLoaded) ratio = processing / audio;
      isLoaded = true;
    },
    isTooSlow: () => ratio > slowestTwice,
  };
}

/** @throws LiveEnd if the packets can't be decoded */
function push(audio: OpenAudio, packets: Uint8Array): void {
  try {
    audio.push(packets);
  } catch (error) {
    throw error instanceof AudioFailure ? new LiveEnd('audioUnreadable', error) : error;
  }
}

function span({ words }: SliceResult): { start: number; end: number } {
  return { start: words[0]?.start ?? 0, end: words.at(-1)?.end ?? 0 };
}
