import type { MindNode } from '@linnet/contract';
import type { Bcp47 } from '@linnet/contract/languages';
import type { TaskStep, taskSteps } from '@linnet/contract/structures';
import type { Logger } from 'pino';
import type { Database, Row } from '../db/database.ts';
import type { HeardParagraph, Outcomes, TaskFailure } from '../modules/task/outcome.ts';
import type { Analysis, TranscriptAnalyser } from '../providers/analysis/port.ts';
import type { SpeakerDiariser, SpeakerTurn } from '../providers/speakers/port.ts';
import type { SpeechEngines } from '../providers/speech/index.ts';
import type { RecognisedWord } from '../providers/speech/port.ts';
import type { ObjectStore } from '../providers/storage/port.ts';
import type { SpeechStretch, VoiceDetector } from '../providers/voice/port.ts';

/** What each step gives: plain data, kept in the database until the task ends. */
export interface StepOutputs {
  /**
   * Seconds of audio, as decoded, and how it is drawn, as base64 (absent in what a version without it kept); the
   * audio itself lies in the scratch folder.
   */
  decode: { readonly seconds: number; readonly peaks?: string };
  /** Null where nothing here looks for speech: all of it may be speech then. */
  detect: { readonly stretches: readonly SpeechStretch[] | null };
  recognise: {
    readonly words: readonly RecognisedWord[];
    readonly language: Bcp47;
    readonly engine: string;
    readonly punctuated: boolean;
  };
  /** Null where speakers are not told apart. */
  speakers: { readonly turns: readonly SpeakerTurn[] | null };
  paragraphs: { readonly paragraphs: readonly HeardParagraph[] };
  /** Null when no summary could be made: the transcript is there all the same. */
  analyse: { readonly analysis: Analysis | null };
  'mind-map': { readonly nodes: readonly MindNode[] | null };
  store: Record<string, never>;
}

/** What the worker has for every task. */
export interface PipelineParts {
  readonly db: Database;
  readonly store: ObjectStore;
  readonly detector: VoiceDetector | null;
  readonly engines: SpeechEngines;
  readonly diariser: SpeakerDiariser | null;
  readonly analyser: TranscriptAnalyser;
  readonly outcomes: Outcomes;
  /** Whether everything is open to everyone (`BILLING=off`). */
  readonly open: boolean;
  readonly log: Logger;
  readonly now: () => Date;
}

/** What a step works with besides what those before it gave. */
export interface StepContext extends PipelineParts {
  readonly task: Row<'tasks'>;
  readonly recording: Pick<
    Row<'recordings'>,
    'object_key' | 'recorded_at' | 'name' | 'speakers' | 'ticks' | 'account_id'
  >;
  /** A folder of the task's own, which outlives the worker. */
  readonly scratch: string;
  /** Counts a failure of the step that is being done, and tells how many there were. */
  countFailure(): Promise<number>;
}

type Steps = typeof taskSteps;
/** Those that come before one in a list. */
type Preceding<List extends readonly unknown[], Name> = List extends readonly [
  infer First,
  ...infer Rest,
]
  ? First extends Name
    ? never
    : First | Preceding<Rest, Name>
  : never;

/** What the steps before one gave. */
export type InputsOf<Name extends TaskStep> = {
  readonly [Step in Preceding<Steps, Name> & TaskStep]: StepOutputs[Step];
};

export interface Step<Name extends TaskStep> {
  readonly name: Name;
  /** How much of the hundred it takes: about its part of the time. */
  readonly share: number;
  /**
   * May be killed at any point and run again, and gives the same then.
   * @param onProgress called with the fraction done, rising from 0 to 1
   * @throws TaskEnd when the task has to end here
   */
  run(
    context: StepContext,
    inputs: InputsOf<Name>,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<StepOutputs[Name]>;
  /** Of a step that leaves a file in the scratch folder: until when that is needed, and whether it is whole. */
  readonly file?: {
    readonly neededBy: TaskStep;
    isWhole(context: StepContext, output: StepOutputs[Name]): Promise<boolean>;
  };
}

/** All steps in the order of the contract: the compiler takes no other. */
export type Pipeline = StepsOf<Steps>;
type StepsOf<List extends readonly TaskStep[]> = {
  readonly [Index in keyof List]: Step<List[Index]>;
};

/** An end without a transcript that a step decides on. */
export class TaskEnd extends Error {
  override readonly name = 'TaskEnd';
  readonly failure: TaskFailure;
  constructor(failure: TaskFailure, cause?: unknown) {
    super(failure, cause === undefined ? undefined : { cause });
    this.failure = failure;
  }
}
