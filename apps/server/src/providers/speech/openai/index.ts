/**
 * The recognizer that uses a transcription service. A recording is uploaded in overlapping pieces, whose words are
 * joined by `stitch.ts`.
 */
import { autoLanguage, type Bcp47, languages, toBcp47 } from '@linnet/contract/languages';
import { inParallel } from '../../openai/in-parallel.ts';
import {
  openService,
  type Service,
  ServiceFailure,
  type ServiceOptions,
} from '../../openai/service.ts';
import {
  SPEECH_SAMPLE_RATE,
  SpeechFailure,
  type SpeechFailureCode,
  type SpeechLanguage,
  type SpeechRecognizer,
  type TranscribeRequest,
  type TranscribeResult,
} from '../port.ts';
import { LoudnessMeter } from '../slices.ts';
import { type PieceTranscript, parseTranscription, toIso639 } from './answer.ts';
import {
  type AudioFormat,
  encodePiece,
  openSamples,
  type SampleSource,
  secondsWithin,
} from './audio.ts';
import { type Piece, planPieces } from './pieces.ts';
import { stitch } from './stitch.ts';

export interface OpenAiSpeechOptions extends ServiceOptions {
  readonly model: string;
  /** Maximum bytes per request. */
  readonly maxBytes: number;
  /** Maximum seconds of audio per request; `maxBytes` limits it further. */
  readonly maxSeconds: number;
  readonly format: AudioFormat;
  /** Maximum concurrent requests. */
  readonly concurrency: number;
}

const supportedLanguages: readonly SpeechLanguage[] = [
  ...languages.map(({ bcp47 }) => ({ tag: bcp47, quality: 'good' }) as const),
  { tag: autoLanguage, quality: 'good' },
];

/**
 * Recognizes speech with a service that implements OpenAI's `POST audio/transcriptions`. The audio is uploaded to that
 * service.
 */
export function createOpenAiRecognizer(options: OpenAiSpeechOptions): SpeechRecognizer {
  const service = openService(options);
  const transcribePiece = createPieceTranscriber(service, options);
  const maxPieceSeconds = Math.min(
    options.maxSeconds,
    secondsWithin(options.maxBytes, options.format),
  );
  return {
    id: 'openai',
    languages: async () => supportedLanguages,
    // Only a request can tell whether the service is available.
    readiness: async () => ({ status: 'ready' }),

    async transcribe(request): Promise<TranscribeResult> {
      const { signal } = request;
      const language = parseLanguage(request.language);
      if (signal?.aborted) throw new SpeechFailure('aborted', 'before the first request');
      const source = await openSamples(request.audio);
      const pieces = planPieces(await loudnessOf(source), request.segments, maxPieceSeconds);
      const countDone = createProgress(pieces, request);
      const transcripts = await inParallel(
        pieces,
        options.concurrency,
        async (piece, signal) => {
          const transcript = await transcribePiece(source, piece, language, signal);
          countDone(piece);
          return transcript;
        },
        signal,
      );
      const words = stitch(
        pieces.map((piece, index) => ({ ...piece, words: transcripts[index]?.words ?? [] })),
      ).map((word) => ({
        ...word,
        start: roundToMilliseconds(word.start),
        end: roundToMilliseconds(word.end),
      }));
      return {
        words,
        language: language ?? detectedLanguage(transcripts) ?? request.language,
        engine: `openai/${options.model}`,
        punctuated: words.length === 0 || words.some(({ text }) => /\p{P}$/u.test(text)),
      };
    },
  };
}

/** Parses a language tag. Returns null for `auto`. */
function parseLanguage(tag: string): Bcp47 | null {
  if (tag === autoLanguage) return null;
  const language = toBcp47(tag);
  if (!language) throw new SpeechFailure('language-unsupported', tag);
  return language;
}

/** Returns the language of most words; undefined if there are no words. */
function detectedLanguage(transcripts: readonly PieceTranscript[]): Bcp47 | undefined {
  const counts = new Map<PieceTranscript['language'], number>();
  for (const { language, words } of transcripts) {
    if (words.length > 0) counts.set(language, (counts.get(language) ?? 0) + words.length);
  }
  const [mostFrequent] = [...counts].sort(([, a], [, b]) => b - a);
  if (!mostFrequent) return undefined;
  const [language] = mostFrequent;
  if (language === null) {
    throw new SpeechFailure('language-unsupported', 'the detected language is not supported');
  }
  if (language === undefined) {
    throw new SpeechFailure('output-unreadable', 'the response names no language');
  }
  return language;
}

async function loudnessOf(source: SampleSource): Promise<Float32Array> {
  const meter = new LoudnessMeter(SPEECH_SAMPLE_RATE);
  for await (const block of source.read(0, source.sampleCount)) meter.add(block);
  return meter.finish();
}

/** Returns a function that counts a transcribed piece and reports the share of audio transcribed so far. */
function createProgress(pieces: readonly Piece[], { onProgress }: TranscribeRequest) {
  const totalSeconds = pieces.reduce((sum, piece) => sum + piece.to - piece.from, 0);
  let doneSeconds = 0;
  if (pieces.length === 0) onProgress?.(1);
  return (piece: Piece) => {
    doneSeconds += piece.to - piece.from;
    onProgress?.(Math.min(1, doneSeconds / totalSeconds));
  };
}

function createPieceTranscriber(service: Service, options: OpenAiSpeechOptions) {
  /** False once the server has rejected word timestamps, which some don't support. */
  let withWords = true;

  return async function transcribePiece(
    source: SampleSource,
    piece: Piece,
    language: Bcp47 | null,
    signal: AbortSignal,
  ): Promise<PieceTranscript> {
    const toSampleIndex = (seconds: number) =>
      Math.min(source.sampleCount, Math.round(seconds * SPEECH_SAMPLE_RATE));
    const [from, to] = [toSampleIndex(piece.audioFrom), toSampleIndex(piece.audioTo)];
    const file = await encodePiece(source, from, to, options.format);
    const send = (words: boolean) =>
      service.request(
        (client, request) =>
          client.audio.transcriptions.create(
            {
              file,
              model: options.model,
              response_format: 'verbose_json',
              timestamp_granularities: words ? ['segment', 'word'] : ['segment'],
              ...(language && { language: toIso639(language) }),
            },
            request,
          ),
        (response) => parseTranscription(response, (to - from) / SPEECH_SAMPLE_RATE, language),
        signal,
      );
    const { words, language: detected } = await convertFailures(async () => {
      if (!withWords) return send(false);
      try {
        return await send(true);
      } catch (error) {
        if (!(error instanceof ServiceFailure) || error.rejection?.status !== 400) throw error;
        const transcript = await send(false);
        withWords = false;
        return transcript;
      }
    });
    const start = from / SPEECH_SAMPLE_RATE;
    return {
      language: detected,
      words: words.map((word) => ({ ...word, start: start + word.start, end: start + word.end })),
    };
  };
}

const failureCodes = {
  aborted: 'aborted',
  unavailable: 'service-unavailable',
  quota: 'quota-exhausted',
  refused: 'access-refused',
  rejected: 'access-refused',
  unreadable: 'output-unreadable',
} as const satisfies Record<ServiceFailure['code'], SpeechFailureCode>;

/** Converts a `ServiceFailure` to a `SpeechFailure`. */
async function convertFailures<Result>(operation: () => Promise<Result>): Promise<Result> {
  try {
    return await operation();
  } catch (error) {
    if (!(error instanceof ServiceFailure)) throw error;
    throw new SpeechFailure(failureCodes[error.code], error.detail);
  }
}

function roundToMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
