import { pino } from 'pino';
import type { TranscribeDependencies } from '../src/jobs/transcribe.ts';
import { createMinutes } from '../src/modules/minutes/service.ts';
import { createOutcomes } from '../src/modules/task/outcome.ts';
import { createCheckpoints } from '../src/pipeline/checkpoints.ts';
import { selectAnalyzer } from '../src/providers/analysis/index.ts';
import { createSpeechEngines } from '../src/providers/speech/engines.ts';
import { selectSpeechEngines } from '../src/providers/speech/index.ts';
import type { RecognizedWord, SpeechRecognizer } from '../src/providers/speech/port.ts';
import type { TestServer } from './server.ts';

/** Returns the worker's transcription dependencies for a test server, with optional overrides. */
export function createTranscriptionDependencies(
  { db, queue, store, config, now }: TestServer,
  overrides: Partial<TranscribeDependencies> = {},
): TranscribeDependencies {
  const isUnlimited = config.BILLING === 'off';
  const minutes = createMinutes({ unlimited: isUnlimited, now });
  return {
    db,
    store,
    ffmpeg: null,
    detector: null,
    engines: selectSpeechEngines(config),
    diarizer: null,
    analyzer: selectAnalyzer(config),
    outcomes: createOutcomes({ db, queue, minutes, now }),
    checkpoints: createCheckpoints(db),
    isFree: isUnlimited,
    log: pino({ level: 'silent' }),
    now,
    dataDir: config.DATA_DIR,
    ...overrides,
  };
}

/** Creates engines with a scripted recognizer, for failures and results that a real engine can't produce on demand. */
export function scriptedEngines(transcribe: SpeechRecognizer['transcribe']) {
  return createSpeechEngines([
    {
      id: 'scripted',
      languages: async () => [
        { tag: 'en', quality: 'good' },
        { tag: 'auto', quality: 'good' },
      ],
      readiness: async () => ({ status: 'ready' }),
      transcribe,
    },
  ]);
}

/** Returns a scripted recognition result with consecutive words of 0.4 s each. */
export function recognizedText(text: string, language = 'en') {
  const words = text.split(' ').map((word, index): RecognizedWord => {
    return { text: word, start: index / 2, end: index / 2 + 0.4, confidence: 1 };
  });
  return { words, language, engine: 'scripted/one', punctuated: true };
}
