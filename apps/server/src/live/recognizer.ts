import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { writeWave } from '@linnet/audio/wave';
import type { CodeName } from '@linnet/contract/codes';
import { type Bcp47, toBcp47 } from '@linnet/contract/languages';
import type { Logger } from 'pino';
import { speechFailures } from '../modules/task/speech-failure.ts';
import type { SpeechEngines } from '../providers/speech/index.ts';
import {
  type LoadedRecognizer,
  SPEECH_SAMPLE_RATE,
  SpeechFailure,
  type SpeechRecognizer,
} from '../providers/speech/port.ts';
import { withScratch } from '../providers/speech/scratch.ts';
import { type VoiceDetector, VoiceFailure } from '../providers/voice/port.ts';
import { applyVocabulary } from '../transcript/vocabulary.ts';
import type { SliceResult } from './store.ts';
import { shift } from './text.ts';

export interface RecognizerDependencies {
  readonly engines: SpeechEngines;
  /** Null to recognize all audio without checking it for speech. */
  readonly detector: VoiceDetector | null;
  readonly log: Logger;
}

/** Seconds to wait before each retry of a slice. Live transcription of the session stops if the last retry fails. */
const retrySeconds = [1, 5];

/** Thrown to stop the live transcription of a session. */
export class LiveEnd extends Error {
  override readonly name = 'LiveEnd';
  readonly reason: CodeName;
  constructor(reason: CodeName, cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

/** Recognizes the slices of a recording, keeping the engine loaded between them. */
export interface SliceRecognizer {
  /**
   * @param samples 16 kHz, mono
   * @param start the start of the slice in the recording, in seconds
   * @returns null if the slice contains no speech
   * @throws LiveEnd
   */
  recognize(samples: Int16Array, start: number, signal: AbortSignal): Promise<SliceResult | null>;
  /** Changes the names and terms to recognize, from the next slice. The engine is loaded again with them. */
  setVocabulary(vocabulary: readonly string[]): void;
  /**
   * Returns whether the engine is an online service, which loads no model. False before the first slice, when the
   * engine isn't known yet.
   */
  isService(): boolean;
  close(): Promise<void>;
}

/** A part of a slice, and its start in seconds from the start of the slice. */
interface Part {
  readonly samples: Int16Array;
  readonly start: number;
}

export function createSliceRecognizer(
  { engines, detector, log }: RecognizerDependencies,
  language: string,
  initialVocabulary: readonly string[],
): SliceRecognizer {
  let vocabulary = initialVocabulary;
  let loaded: LoadedRecognizer | null = null;
  /** Whether the loaded engine has an earlier vocabulary. */
  let isOutdated = false;
  let isService = false;
  /** The language of the latest slice, used for slices that are too short for language detection. */
  let latest: Bcp47 | null = null;

  async function load(): Promise<LoadedRecognizer> {
    const recognizer = await engines.find(language);
    if (!recognizer) throw new SpeechFailure('language-unsupported', language);
    isService = !recognizer.load;
    return recognizer.load
      ? recognizer.load(language, vocabulary)
      : toLoadedEngine(recognizer, language, vocabulary);
  }

  /** Recognizes a slice, reloading the engine if it failed last time or has an earlier vocabulary. */
  async function attempt(samples: Int16Array, signal: AbortSignal) {
    if (isOutdated) await unload();
    loaded ??= await load();
    try {
      return await loaded.recognize(samples, signal);
    } catch (error) {
      await unload();
      throw error;
    }
  }

  async function unload(): Promise<void> {
    isOutdated = false;
    await loaded?.close();
    loaded = null;
  }

  async function attemptWithRetries(samples: Int16Array, signal: AbortSignal) {
    for (let failures = 1; ; failures += 1) {
      try {
        return await attempt(samples, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof SpeechFailure)) throw error;
        if (!error.retryable || failures > retrySeconds.length) {
          throw new LiveEnd(speechFailures[error.code] ?? 'engineFailed', error);
        }
        const seconds = retrySeconds[failures - 1] ?? 0;
        log.warn({ reason: error.message, seconds }, 'slice recognition failed, retrying');
        await delay(seconds * 1000, undefined, { signal });
      }
    }
  }

  /** Returns the part of a slice from the first to the last speech, or null if there is none. */
  async function findSpeech(samples: Int16Array, signal: AbortSignal): Promise<Part | null> {
    const all = { samples, start: 0 };
    if (!detector) return all;
    return withScratch(async (folder) => {
      const file = path.join(folder, 'slice.wav');
      await writeFile(file, writeWave(samples, SPEECH_SAMPLE_RATE));
      try {
        const segments = await detector.detect({ path: file, signal });
        const [first, last] = [segments[0], segments.at(-1)];
        if (!first || !last) return null;
        const toIndex = (seconds: number) => Math.round(seconds * SPEECH_SAMPLE_RATE);
        const speech = samples.subarray(toIndex(first.start), toIndex(last.end));
        return { samples: speech, start: first.start };
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof VoiceFailure)) throw error;
        log.warn({ reason: error.message }, 'speech detection failed');
        return all;
      }
    });
  }

  return {
    async recognize(samples, start, signal) {
      const speech = await findSpeech(samples, signal);
      if (!speech) return null;
      const result = await attemptWithRetries(speech.samples, signal);
      if (result.words.length === 0) return null;
      const spoken = toBcp47(result.language) ?? latest;
      // The engine detected a language that later steps don't support.
      if (!spoken) throw new LiveEnd('languageUnavailable');
      const words = await applyVocabulary(shift(result.words, start + speech.start), vocabulary);
      latest = spoken;
      return { ...result, words, language: spoken };
    },
    setVocabulary(changed) {
      vocabulary = changed;
      isOutdated = true;
    },
    isService: () => isService,
    close: async () => loaded?.close(),
  };
}

/** Wraps an engine that loads no model: each slice is a separate call. */
function toLoadedEngine(
  recognizer: SpeechRecognizer,
  language: string,
  vocabulary: readonly string[],
): LoadedRecognizer {
  return {
    recognize: (samples, signal) =>
      recognizer.transcribe({ audio: { kind: 'pcm', samples }, language, vocabulary, signal }),
    close: async () => undefined,
  };
}
