import type { MindNode } from '@linnet/contract';
import type { Bcp47 } from '@linnet/contract/languages';
import type { TaskStep, taskSteps } from '@linnet/contract/structures';
import type { Logger } from 'pino';
import type { Ffmpeg } from '../audio/ffmpeg.ts';
import type { Database, Row } from '../db/database.ts';
import type {
  Outcomes,
  RecognizedParagraph,
  TaskFailure,
  Transcript,
} from '../modules/task/outcome.ts';
import type { ConsentedVoices } from '../modules/voice/voices.ts';
import type { Analysis, TranscriptAnalyzer } from '../providers/analysis/port.ts';
import type { SpeakerDiarizer, SpeakerTurn } from '../providers/speakers/port.ts';
import type { SpeechEngines } from '../providers/speech/index.ts';
import type { RecognizedWord } from '../providers/speech/port.ts';
import type { ObjectStore } from '../providers/storage/port.ts';
import type { SpeechSegment, VoiceDetector } from '../providers/voice/port.ts';
import type { LiveText } from './live-text.ts';

/** Output of each step: plain data, stored in the database until the task ends. */
export interface StepOutputs {
  /**
   * Length of the decoded audio in seconds, and its waveform in base64 (missing in outputs of older versions). The
   * audio itself is in the scratch folder. If `live` is present, only the audio after the live text has to be
   * recognized.
   */
  decode: {
    readonly seconds: number;
    readonly peaks?: string;
    readonly live?: LiveText & {
      /** Number of samples in `rest.wav`. */
      readonly restSamples: number;
      /** Whether `audio.wav` contains the whole recording. Otherwise it doesn't exist. */
      readonly isWholeDecoded: boolean;
    };
  };
  /** The speech segments, or null if no detector is available and all of the audio may be speech. */
  detect: { readonly stretches: readonly SpeechSegment[] | null };
  recognise: {
    readonly words: readonly RecognizedWord[];
    readonly language: Bcp47;
    readonly engine: string;
    readonly punctuated: boolean;
  };
  /**
   * `labels`: the speaker of each recognized word (null if unknown), only for a call or range. `turns`: null if there
   * are labels or no diarization. `voices`: the speakers' embeddings in base64, only if the account stores voices.
   * Deleted with the step's output.
   */
  speakers: {
    readonly turns: readonly SpeakerTurn[] | null;
    readonly labels?: readonly (string | null)[];
    readonly voices?: ConsentedVoices & {
      readonly model: string;
      readonly embeddings: readonly { readonly speaker: number; readonly embedding: string }[];
    };
  };
  paragraphs: { readonly paragraphs: readonly RecognizedParagraph[] };
  /**
   * If there is a `failure`, the analysis comes from the built-in analyzer. The analysis is null for a range, because
   * the transcript keeps its summary, and if every attempt crashed. Then the transcript is stored without a summary.
   */
  analyse: { readonly analysis: Analysis | null; readonly failure?: Transcript['summaryFailure'] };
  'mind-map': { readonly nodes: readonly MindNode[] | null };
  store: Record<string, never>;
}

/** Dependencies shared by all of a worker's tasks. */
export interface PipelineDependencies {
  readonly db: Database;
  readonly store: ObjectStore;
  /** Null if ffmpeg isn't installed. */
  readonly ffmpeg: Ffmpeg | null;
  readonly detector: VoiceDetector | null;
  readonly engines: SpeechEngines;
  readonly diarizer: SpeakerDiarizer | null;
  readonly analyzer: TranscriptAnalyzer;
  readonly outcomes: Outcomes;
  /** Whether every feature is available to all users (`BILLING=off`). */
  readonly isFree: boolean;
  readonly log: Logger;
  readonly now: () => Date;
}

/** A step's inputs, except the outputs of previous steps. */
export interface StepContext extends PipelineDependencies {
  readonly task: Row<'tasks'>;
  readonly recording: Pick<
    Row<'recordings'>,
    | 'id'
    | 'client_flag'
    | 'object_key'
    | 'total_time'
    | 'recorded_at'
    | 'utc_offset'
    | 'name'
    | 'speakers'
    | 'ticks'
    | 'account_id'
  >;
  /** The task's private folder, which survives a killed worker. */
  readonly scratch: string;
  /** Counts a failure of the current step and returns the total. */
  countFailure(): Promise<number>;
}

type Steps = typeof taskSteps;
/** The elements of a list before a given element. */
type Preceding<List extends readonly unknown[], Name> = List extends readonly [
  infer First,
  ...infer Rest,
]
  ? First extends Name
    ? never
    : First | Preceding<Rest, Name>
  : never;

/** The outputs of the steps before a given step. */
export type InputsOf<Name extends TaskStep> = {
  readonly [Step in Preceding<Steps, Name> & TaskStep]: StepOutputs[Step];
};

export interface Step<Name extends TaskStep> {
  readonly name: Name;
  /** The step's share of the total progress as a percentage, roughly proportional to its duration. */
  readonly share: number;
  /**
   * Runs the step. It can be killed at any point and rerun with the same result.
   * @param onProgress called with the completed fraction, rising from 0 to 1
   * @throws TaskEnd if the task must end at this step
   */
  run(
    context: StepContext,
    inputs: InputsOf<Name>,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<StepOutputs[Name]>;
  /** The step's file in the scratch folder, if any: the last step that needs it, and a completeness check. */
  readonly file?: {
    readonly neededBy: TaskStep;
    isComplete(context: StepContext, output: StepOutputs[Name]): Promise<boolean>;
  };
}

/** All steps in contract order, which the compiler enforces. */
export type Pipeline = StepsOf<Steps>;
type StepsOf<List extends readonly TaskStep[]> = {
  readonly [Index in keyof List]: Step<List[Index]>;
};

/** Thrown by a step to end the task without a transcript. */
export class TaskEnd extends Error {
  override readonly name = 'TaskEnd';
  readonly failure: TaskFailure;
  constructor(failure: TaskFailure, cause?: unknown) {
    super(failure, cause === undefined ? undefined : { cause });
    this.failure = failure;
  }
}
