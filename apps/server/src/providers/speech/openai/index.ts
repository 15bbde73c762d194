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
import { type PieceTranscript, readAnswer, toIso639 } from './answer.ts';
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
  /** Bytes that one request may have. */
  readonly maxBytes: number;
  /** Seconds of audio that one request may have; never more than fit into `maxBytes`. */
  readonly maxSeconds: number;
  readonly format: AudioFormat;
  /** Requests at the same time. */
  readonly atOnce: number;
}

const known: readonly SpeechLanguage[] = [
  ...languages.map(({ bcp47 }) => ({ tag: bcp47, quality: 'good' }) as const),
  { tag: autoLanguage, quality: 'good' },
];

/** Any service that answers `POST audio/transcriptions` as OpenAI's does. The audio goes there. */
export function createOpenAiRecognizer(options: OpenAiSpeechOptions): SpeechRecognizer {
  const service = openService(options);
  const asked = createQuestion(service, options);
  const longest = Math.min(options.maxSeconds, secondsWithin(options.maxBytes, options.format));
  return {
    id: 'openai',
    languages: async () => known,
    // Whether it answers is found out by asking it for something.
    readiness: async () => ({ status: 'ready' }),

    async transcribe(request): Promise<TranscribeResult> {
      const { signal } = request;
      const language = askedLanguage(request.language);
      if (signal?.aborted) throw new SpeechFailure('aborted', 'before it began');
      const source = await openSamples(request.audio);
      const pieces = planPieces(await loudnessOf(source), request.segments, longest);
      const progress = counter(pieces, request);
      const answers = await inParallel(
        pieces,
        options.atOnce,
        async (piece, signal) => {
          const answer = await asked(source, piece, language, signal);
          progress(piece);
          return answer;
        },
        signal,
      );
      const words = stitch(
        pieces.map((piece, index) => ({ ...piece, words: answers[index]?.words ?? [] })),
      ).map((word) => ({
        ...word,
        start: milliseconds(word.start),
        end: milliseconds(word.end),
      }));
      return {
        words,
        language: language ?? detectedLanguage(answers) ?? request.language,
        engine: `openai/${options.model}`,
        punctuated: words.length === 0 || words.some(({ text }) => /\p{P}$/u.test(text)),
      };
    },
  };
}

/** Null for `auto`. */
function askedLanguage(wanted: string): Bcp47 | null {
  if (wanted === autoLanguage) return null;
  const language = toBcp47(wanted);
  if (!language) throw new SpeechFailure('language-unsupported', wanted);
  return language;
}

/** The one that most words were heard in; undefined when there were none. */
function detectedLanguage(answers: readonly PieceTranscript[]): Bcp47 | undefined {
  const counts = new Map<PieceTranscript['language'], number>();
  for (const { language, words } of answers) {
    if (words.length > 0) counts.set(language, (counts.get(language) ?? 0) + words.length);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  if (!most) return undefined;
  const [language] = most;
  if (language === null) throw new SpeechFailure('language-unsupported', 'none of ours was heard');
  if (language === undefined) {
    throw new SpeechFailure(
      'output-unreadable',
      'the service does not say which language it heard',
    );
  }
  return language;
}

async function loudnessOf(source: SampleSource): Promise<Float32Array> {
  const meter = new LoudnessMeter(SPEECH_SAMPLE_RATE);
  for await (const block of source.read(0, source.sampleCount)) meter.add(block);
  return meter.finish();
}

/** Tells how much of what is sent was answered. */
function counter(pieces: readonly Piece[], { onProgress }: TranscribeRequest) {
  const all = pieces.reduce((sum, piece) => sum + piece.to - piece.from, 0);
  let done = 0;
  if (pieces.length === 0) onProgress?.(1);
  return (piece: Piece) => {
    done += piece.to - piece.from;
    onProgress?.(Math.min(1, done / all));
  };
}

/** Creates the request for one piece. */
function createQuestion(service: Service, options: OpenAiSpeechOptions) {
  /** Some servers know no times of words; they refuse once, and are not asked again. */
  let withWords = true;

  return async function ask(
    source: SampleSource,
    piece: Piece,
    language: Bcp47 | null,
    signal: AbortSignal,
  ): Promise<PieceTranscript> {
    const at = (seconds: number) =>
      Math.min(source.sampleCount, Math.round(seconds * SPEECH_SAMPLE_RATE));
    const [from, to] = [at(piece.audioFrom), at(piece.audioTo)];
    const file = await encodePiece(source, from, to, options.format);
    const put = (words: boolean) =>
      service.ask(
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
        (answer) => readAnswer(answer, (to - from) / SPEECH_SAMPLE_RATE, language),
        signal,
      );
    const { words, language: heard } = await translated(async () => {
      if (!withWords) return put(false);
      try {
        return await put(true);
      } catch (error) {
        if (!(error instanceof ServiceFailure) || error.rejection?.status !== 400) throw error;
        const answer = await put(false);
        withWords = false;
        return answer;
      }
    });
    const start = from / SPEECH_SAMPLE_RATE;
    return {
      language: heard,
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

async function translated<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ServiceFailure)) throw error;
    throw new SpeechFailure(failureCodes[error.code], error.detail);
  }
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
