import type {
  MindNode,
  Paragraph,
  StructureId,
  SummaryDocument,
  SummaryTemplate,
  TaskStatus,
  TaskStep,
  Word,
} from '@linnet/contract';
import type { Bcp47, SpokenLanguage } from '@linnet/contract/languages';
import type { Scene } from '@linnet/contract/statuses';
import type { Generated } from 'kysely';
import type { CreatedAt, Json } from '../../db/columns.ts';
import type { TaskRange } from './range.ts';

/** Options for a requested summary. */
export interface SummaryRequest {
  readonly structure: StructureId;
  readonly template?: SummaryTemplate;
  /** Language of the summary. */
  readonly language?: Bcp47;
}

/** Tables for transcriptions. */
export interface TaskTables {
  tasks: {
    id: string;
    recording_id: string;
    account_id: string;
    /** `auto` until the engine has detected the language. */
    language: SpokenLanguage;
    status: Generated<TaskStatus>;
    progress: Generated<number>;
    /** Object to transcribe instead of the recording's own audio, while the task is active. */
    audio_key: string | null;
    /** Current step, or null unless the task is running. `step_done` is the completed fraction of the step, 0 to 1. */
    step: TaskStep | null;
    step_done: Generated<number>;
    /** When the current step started waiting for a service, or null while the step is running. */
    waiting_since: Date | null;
    attempts: Generated<number>;
    /** Queue position, assigned by `nextQueuePosition`. */
    turn: Generated<number>;
    error_code: number | null;
    engine: string | null;
    title: Generated<string>;
    brief: Generated<string>;
    summary: Generated<string>;
    summary_json: Json<SummaryDocument | null>;
    /** Options of the latest requested summary, or null for the defaults. */
    summary_request: Json<SummaryRequest | null>;
    keywords: Json<string[]>;
    xmind_json: Json<MindNode[] | null>;
    minutes: Generated<number>;
    /** The paragraphs to transcribe, or null for the whole recording. */
    range: Json<TaskRange | null>;
    /** Whether the task is free, because it replaces a draft with a better engine. */
    is_free: Generated<boolean>;
    /** Revision at which the transcript was stored, or null if there is none or it is older than this column. */
    transcript_rev: number | null;
    /** Status of the latest summary request, or null if there was none. */
    summary_status: TaskStatus | null;
    summary_error_code: number | null;
    rev: number;
    created_at: CreatedAt;
    updated_at: CreatedAt;
  };
  /** Outputs of an active task's completed steps. */
  task_steps: {
    task_id: string;
    step: TaskStep;
    output: Json<object>;
    finished_at: CreatedAt;
  };
  paragraphs: {
    id: string;
    task_id: string;
    account_id: string;
    ordinal: number;
    start_time: number;
    end_time: number;
    content: string;
    /** The transcribed text, or null until the paragraph is edited. */
    original: string | null;
    words: Json<Word[]>;
    speaker: string | null;
    /** The language, if it differs from the transcript's. */
    language: Bcp47 | null;
    is_tag: Generated<Paragraph['is_tag']>;
    rev: number;
  };
  transcription_history: {
    task_id: string;
    account_id: string;
    recording_id: string | null;
    name: string;
    /** Source of the recording: 1 is a call, anything else a note. */
    source: Generated<number>;
    scene: Scene | null;
    total_time: number;
    language: SpokenLanguage;
    status: TaskStatus;
    error_code: number | null;
    minutes: Generated<number>;
    created_at: Date;
    updated_at: Date;
  };
}
