/**
 * Transcribes the packets of one live recording, slice by slice. A slice is settled (final) once a pause makes it long
 * enough. The audio after the last settled slice is the open part. Its text up to a pause may be shown as tentative,
 * until the slice is settled.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { AudioFailure } from '@linnet/audio/failure';
import { PACKET_BYTES, PACKET_MS } from '@linnet/audio/format';
import type { OpusModule } from '@linnet/audio/opus';
import { DECODER_PREROLL, OpenAudio, startOfPacket } from './audio.ts';
import { type Cut, planCut } from './cut.ts';
import {
  createSliceRecognizer,
  LiveEnd,
  type RecognizerDependencies,
  type SliceRecognizer,
} from './recognizer.ts';
import { SpeedMeter } from './speed-meter.ts';
import type { LiveHold, LiveStore, SliceResult } from './store.ts';
import { toText } from './text.ts';

export interface LiveDependencies extends RecognizerDependencies {
  readonly store: LiveStore;
  readonly opus: OpusModule;
}

/** Poll interval for new packets, in milliseconds. */
const pollMs = 200;
/** Interval of renewing the hold, in milliseconds: a quarter of its duration. */
const renewMs = 2000;
/** Idle timeout in milliseconds: without new packets, the session is released to free the memory of its model. */
const idleMs = 60_000;
/** Number of packets before the open part that determine the noise floor: ten seconds. */
const floorPackets = 10_000 / PACKET_MS;

/**
 * Processes a session that this worker holds, until all of its audio is settled, no more packets arrive, or live
 * transcription stops because of an error.
 * @throws HoldLost, and any error from the database
 */
export async function processSession(
  deps: LiveDependencies,
  session: LiveHold,
  signal: AbortSignal,
): Promise<void> {
  const { store, log, opus } = deps;
  const preroll = Math.min(DECODER_PREROLL, session.settled);
  const audio = new OpenAudio(opus, session.settled, preroll);
  const vocabulary = await store.vocabulary(session);
  const recognizer = createSliceRecognizer(deps, session.language, vocabulary);
  const lost = new AbortController();
  const timer = setInterval(() => {
    store.renew(session).catch((error) => lost.abort(error));
  }, renewMs);
  try {
    const stopping = AbortSignal.any([signal, lost.signal]);
    await transcribe({ store, audio, recognizer, hold: session, preroll }, stopping);
  } catch (error) {
    // The abort error doesn't carry the reason, so throw the original error.
    if (lost.signal.aborted) throw lost.signal.reason;
    if (!(error instanceof LiveEnd)) throw error;
    log.warn(
      { session: session.id, reason: error.reason, err: error.cause },
      'live transcription stopped',
    );
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
  /** Number of packets before the open part that are decoded only to restore the decoder's state. */
  readonly preroll: number;
}

async function transcribe(work: Work, signal: AbortSignal): Promise<void> {
  const { store, audio, recognizer, hold } = work;
  let next = audio.from - work.preroll;
  let recent: readonly number[] = [];
  /** The result for the open part up to a pause. It is reused if the slice is settled at the same pause. */
  let tentative: { readonly speechEnd: number; readonly result: SliceResult | null } | null = null;
  let speed = new SpeedMeter();
  let arrivedAt = performance.now();
  let words = hold.words;
  for (;;) {
    signal.throwIfAborted();
    const { packets, isComplete, isStopped, ...session } = await store.read(hold, next);
    if (!isDeepStrictEqual(session.words, words)) {
      words = session.words;
      recognizer.setVocabulary(await store.vocabulary(hold));
      tentative = null;
      // The next measurement includes loading the model again.
      speed = new SpeedMeter();
    }
    if (packets.length > 0) {
      arrivedAt = performance.now();
      push(audio, packets);
      next += packets.length / PACKET_BYTES;
    }
    if (isStopped || (isComplete && audio.loudness.length === 0)) {
      return store.release(hold, next);
    }

    const cut = planCut(audio.loudness, Math.min(...recent), isComplete);
    if (cut.kind === 'wait' || (cut.kind === 'tentative' && shouldSkipTentative(cut.speechEnd))) {
      if (performance.now() - arrivedAt > idleMs) return store.release(hold, next);
      await delay(pollMs, undefined, { signal });
      continue;
    }
    const result = await recognizeCut(cut);
    if (cut.kind === 'tentative') {
      tentative = { speechEnd: cut.speechEnd, result };
      if (result) await store.showTentative(hold, { ...span(result), text: toText(result) });
      continue;
    }
    await store.settle(hold, {
      ...{ first: audio.from, count: cut.to, sha256: audio.sha256(cut.to) },
      ...{ result, text: result ? toText(result) : '' },
    });
    recent = [...recent, ...audio.loudness.slice(0, cut.to)].slice(-floorPackets);
    audio.settle(cut.to);
    tentative = null;
  }

  /**
   * Returns whether to skip tentative text at a pause: it is shown already, the engine is too slow, or it is a service
   * that charges for each request.
   */
  function shouldSkipTentative(speechEnd: number): boolean {
    return recognizer.isService() || tentative?.speechEnd === speechEnd || speed.isTooSlow;
  }

  async function recognizeCut(cut: Exclude<Cut, { kind: 'wait' }>): Promise<SliceResult | null> {
    if (cut.kind === 'silence') return null;
    if (tentative?.speechEnd === cut.speechEnd) return tentative.result;
    const started = performance.now();
    const result = await recognizer.recognize(
      audio.samples(cut.to),
      startOfPacket(audio.from),
      signal,
    );
    speed.add((performance.now() - started) / 1000, (cut.to * PACKET_MS) / 1000);
    return result;
  }
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
