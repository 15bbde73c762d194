/**
 * The recognizer that uses a transcription service. A recording is uploaded in overlapping pieces, and `stitch.ts`
 * joins their words.
 */
import { autoLanguage, type Bcp47, languages, toBcp47 } from '@linnet/contract/languages';
import type { TranscriptionCreateParamsNonStreaming } from 'openai/resources/audio/transcriptions';
import { createFeatures } from '../../openai/features.ts';
import { runInParallel } from '../../openai/in-parallel.ts';
import {
  openService,
  type Service,
  ServiceFailure,
  type ServiceOptions,
  wallClock,
} from '../../openai/service.ts';
import type { SpeechSegment } from '../../voice/port.ts';
import { joinHints } from '../hints.ts';
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
import { detectLanguage } from './detect-language.ts';
import { type Piece, planPieces } from './pieces.ts';
import { stitch } from './stitch.ts';

export interface OpenAiSpeechOptions extends ServiceOptions {
  readonly model: string;
  /** Maximum bytes per request. */
  readonly maxBytes: number;
  /** Maximum length of audio per request, in seconds. `maxBytes` may limit it further. */
  readonly maxSeconds: number;
  readonly format: AudioFormat;
  /** Maximum number of concurrent requests. */
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
    // Only a request can show whether the service is available.
    readiness: async () => ({ status: 'ready' }),

    async transcribe(request): Promise<TranscribeResult> {
      const { signal } = request;
      const language = parseLanguage(request.language);
      if (signal?.aborted) throw new SpeechFailure('aborted', 'before the first request');
      const source = await openSamples(request.audio);
      const pieces = planPieces(await measureLoudness(source), request.segments, maxPieceSeconds);
      const countDone = createProgress(pieces, request);
      const prompt = joinHints(request.vocabulary ?? [], ', ', MAX_PROMPT_BYTES);
      const transcripts = await runInParallel(
        pieces,
        options.concurrency,
        async (piece, signal) => {
          const transcript = await transcribePiece(
            { source, piece, language, prompt, speech: request.segments },
            signal,
          );
          countDone(piece);
          return transcript;
        },
        signal,
      );
      const words = stitch(transcripts).map((word) => ({
        ...word,
        start: roundToMilliseconds(word.start),
        end: roundToMilliseconds(word.end),
      }));
      return {
        words,
        language: language ?? (await detectedLanguage(transcripts)) ?? request.language,
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

/**
 * Returns the language of most words, as named by the service or else detected. Returns undefined if there are no words.
 */
async function detectedLanguage(
  transcripts: readonly PieceTranscript[],
): Promise<Bcp47 | undefined> {
  const counts = new Map<PieceTranscript['language'], number>();
  for (const { language, words } of transcripts) {
    if (words.length > 0) counts.set(language, (counts.get(language) ?? 0) + words.length);
  }
  const [mostFrequent] = [...counts].sort(([, a], [, b]) => b - a);
  if (!mostFrequent) return undefined;
  const [named] = mostFrequent;
  const words = transcripts.flatMap((transcript) => transcript.words);
  const language =
    named === undefined ? await detectLanguage(words.map(({ text }) => text).join(' ')) : named;
  if (language === null) {
    throw new SpeechFailure('language-unsupported', 'the detected language is not supported');
  }
  return language;
}

/**
 * Maximum UTF-8 bytes of a prompt. The service reads only the last 224 tokens of a prompt, and a token has two to four
 * bytes in most languages.
 */
const MAX_PROMPT_BYTES = 448;

async function measureLoudness(source: SampleSource): Promise<Float32Array> {
  const meter = new LoudnessMeter(SPEECH_SAMPLE_RATE);
  for await (const block of source.read(0, source.sampleCount)) meter.add(block);
  return meter.finish();
}

/**
 * Returns a function to call after each transcribed piece, which reports the fraction of the audio transcribed so far.
 */
function createProgress(pieces: readonly Piece[], { onProgress }: TranscribeRequest) {
  const totalSeconds = pieces.reduce((sum, piece) => sum + piece.to - piece.from, 0);
  let doneSeconds = 0;
  if (pieces.length === 0) onProgress?.(1);
  return (piece: Piece) => {
    doneSeconds += piece.to - piece.from;
    onProgress?.(Math.min(1, doneSeconds / totalSeconds));
  };
}

/** A piece of a recording to transcribe. */
interface PieceRequest {
  readonly source: SampleSource;
  readonly piece: Piece;
  /** Null to detect the language. */
  readonly language: Bcp47 | null;
  /** Names and terms that may occur, or ''. */
  readonly prompt: string;
  /** The recording's speech segments, if known. */
  readonly speech: readonly SpeechSegment[] | undefined;
}

/**
 * Level of detail of a response: timestamps of words and segments, timestamps of segments only, or text without
 * timestamps.
 */
type Detail = 'words' | 'segments' | 'text';
interface Attempt {
  readonly detail: Detail;
  /** Empty if the service has rejected the prompt. */
  readonly prompt: string;
}
const simplerDetail = { words: 'segments', segments: 'text', text: null } as const;
const responseFormats: Record<
  Detail,
  Pick<TranscriptionCreateParamsNonStreaming, 'response_format' | 'timestamp_granularities'>
> = {
  words: { response_format: 'verbose_json', timestamp_granularities: ['segment', 'word'] },
  segments: { response_format: 'verbose_json', timestamp_granularities: ['segment'] },
  text: { response_format: 'json' },
};

function createPieceTranscriber(service: Service, options: OpenAiSpeechOptions) {
  const details = createFeatures<Detail>('words', options.clock ?? wallClock);
  /** Remembers whether the service accepts prompts. */
  const prompts = createFeatures<boolean>(true, options.clock ?? wallClock);

  /**
   * Uploads a piece. Without timestamps, overlapping text couldn't be aligned, so the piece is then uploaded without
   * overlap.
   */
  async function send(
    { source, piece, language, prompt, speech }: PieceRequest,
    detail: Detail,
    signal: AbortSignal,
  ) {
    const [audioFrom, audioTo] =
      detail === 'text' ? [piece.from, piece.to] : [piece.audioFrom, piece.audioTo];
    const toSampleIndex = (seconds: number) =>
      Math.min(source.sampleCount, Math.round(seconds * SPEECH_SAMPLE_RATE));
    const [from, to] = [toSampleIndex(audioFrom), toSampleIndex(audioTo)];
    const [start, seconds] = [from / SPEECH_SAMPLE_RATE, (to - from) / SPEECH_SAMPLE_RATE];
    const file = await encodePiece(source, from, to, options.format);
    const { words, ...transcript } = await service.request(
      (client, request) =>
        client.audio.transcriptions.create(
          {
            file,
            model: options.model,
            ...responseFormats[detail],
            ...(language && { language: toIso639(language) }),
            ...(prompt && { prompt }),
          },
          request,
        ),
      (response) =>
        parseTranscription(response, seconds, language, clipSegments(speech, start, seconds)),
      signal,
    );
    return {
      ...piece,
      ...transcript,
      audioFrom,
      audioTo,
      words: words.map((word) => ({ ...word, start: start + word.start, end: start + word.end })),
    };
  }

  /**
   * Transcribes a piece. If the service rejects a request, retries it without the prompt, and then with the next
   * simpler level of detail.
   */
  return (request: PieceRequest, signal: AbortSignal) =>
    convertFailures(async () => {
      const prompt = prompts.current() ? request.prompt : '';
      let attempt: Attempt = { detail: details.current(), prompt };
      for (;;) {
        const { detail } = attempt;
        const simpler = simplerDetail[detail];
        try {
          const transcript = await send({ ...request, prompt: attempt.prompt }, detail, signal);
          if (request.prompt !== '') prompts.accept(attempt.prompt !== '');
          if (transcript.isTimed || !simpler) {
            // A piece without speech doesn't show whether the service returns timestamps.
            if (transcript.words.length > 0) details.accept(detail);
            return transcript;
          }
          attempt = { ...attempt, detail: 'text' };
        } catch (error) {
          if (!(error instanceof ServiceFailure)) throw error;
          const { status = 0, isTooLong = false } = error.rejection ?? {};
          if (isTooLong || (status !== 400 && status !== 422)) throw error;
          if (attempt.prompt !== '') attempt = { detail, prompt: '' };
          // The prompt didn't cause the rejection, so send the prompt again with the next simpler level of detail.
          else if (simpler) attempt = { detail: simpler, prompt };
          else throw error;
        }
      }
    });
}

/**
 * Clips the speech segments to a piece, in seconds from its start. Returns undefined if they are unknown, or none are
 * in the piece.
 */
function clipSegments(
  speech: readonly SpeechSegment[] | undefined,
  from: number,
  seconds: number,
): SpeechSegment[] | undefined {
  const segments = speech
    ?.map(({ start, end }) => ({
      start: Math.max(0, start - from),
      end: Math.min(seconds, end - from),
    }))
    .filter(({ start, end }) => end > start);
  return segments && segments.length > 0 ? segments : undefined;
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
