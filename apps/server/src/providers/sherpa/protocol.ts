/** Defines the tasks of a sherpa-onnx process and the events it emits, one JSON object per line. */
import { z } from 'zod';

/** Location of the samples, which the process reads itself. */
export interface TaskAudio {
  readonly path: string;
  /** Number of bytes before the first sample. */
  readonly dataOffset: number;
  readonly sampleCount: number;
}

/** `config` is the engine configuration from `configs.ts`. */
export type SherpaTask =
  | {
      readonly kind: 'recognize';
      readonly config: object;
      /** The engine's per-stream options. */
      readonly options: Readonly<Record<string, string>>;
      readonly audio: TaskAudio;
      /** Ranges in samples; `to` is exclusive. */
      readonly slices: readonly { readonly from: number; readonly to: number }[];
    }
  | {
      /** Recognizes slices one after another. */
      readonly kind: 'serve';
      readonly config: object;
      readonly options: Readonly<Record<string, string>>;
      /** Path of the pipe from which the process reads one JSON-encoded `TaskAudio` per line. */
      readonly requests: string;
    }
  | { readonly kind: 'detect'; readonly config: object; readonly audio: TaskAudio }
  | { readonly kind: 'diarize'; readonly config: object; readonly audio: TaskAudio }
  | {
      /** Computes an embedding for each speaker. */
      readonly kind: 'embed';
      readonly config: object;
      readonly audio: TaskAudio;
      readonly speakers: readonly {
        readonly speaker: number;
        /** Ranges in samples; `to` is exclusive. */
        readonly parts: readonly { readonly from: number; readonly to: number }[];
      }[];
    };

/**
 * The engine's result for one slice. Times are in seconds from the start of the slice. The lists may be shorter than
 * `tokens`.
 */
const sliceResultSchema = z.object({
  text: z.string(),
  tokens: z.array(z.string()),
  timestamps: z.array(z.number()),
  durations: z.array(z.number()).default([]),
  /** Natural logarithms of probabilities. */
  ys_log_probs: z.array(z.number()).default([]),
  lang: z.string().default(''),
});
export type SliceResult = z.output<typeof sliceResultSchema>;

export const eventSchema = z.discriminatedUnion('event', [
  /** The addon can't be used on this machine. */
  z.object({ event: z.literal('absent'), reason: z.string() }),
  /** The addon is loaded; the models are being loaded. */
  z.object({ event: z.literal('begun') }),
  /** The models are loaded. Any later failure isn't a loading failure. */
  z.object({ event: z.literal('loaded') }),
  z.object({ event: z.literal('progress'), fraction: z.number().min(0).max(1) }),
  z.object({ event: z.literal('recognized'), slice: z.int().min(0), result: sliceResultSchema }),
  /** A speech segment, in samples. */
  z.object({ event: z.literal('speech'), from: z.int(), to: z.int() }),
  z.object({
    event: z.literal('turns'),
    turns: z.array(z.object({ start: z.number(), end: z.number(), speaker: z.int() })),
  }),
  /** The mean of the embeddings of a speaker's parts, as a unit vector. */
  z.object({
    event: z.literal('embedded'),
    speaker: z.int(),
    embedding: z.array(z.number()).min(1),
  }),
]);
export type SherpaEvent = z.output<typeof eventSchema>;

/** File descriptor for the events, because the engine itself writes to standard output and standard error. */
export const EVENT_DESCRIPTOR = 3;
