import type { ColumnType, JSONColumnType } from 'kysely';

/** The tables of questions. Passages are derived from transcripts, so that they can be deleted and rebuilt. */
export interface RetrievalTables {
  /** The terms of a paragraph, by its ordinal, or of the recording's name, tags, keywords and place. */
  passages: {
    recording_id: string;
    /** The paragraph's ordinal, or `aboutRecording`. */
    ordinal: number;
    account_id: string;
    /** The transcript; null for the passage about the recording. */
    task_id: string | null;
    /** Hashes of terms, as decimal strings. They exceed the safe integers, so they are only compared in SQL. */
    terms: string[];
    /** Sum of the bits of `paragraphKinds`. */
    kinds: number;
  };
  /** The revision up to which an account's changes are in `passages`. */
  passage_revisions: { account_id: string; rev: number };
  question_threads: {
    id: string;
    account_id: string;
    /** The recordings that are asked about; empty for all. */
    recording_ids: JSONColumnType<string[], string, string>;
    created_at: ColumnType<Date, Date | undefined, never>;
    updated_at: ColumnType<Date, Date | undefined, Date>;
  };
  questions: {
    id: string;
    thread_id: string;
    question: string;
    created_at: ColumnType<Date, Date | undefined, never>;
  };
  /** Copies of the paragraphs that answer a question, best first. */
  question_quotes: {
    question_id: string;
    position: number;
    recording_id: string;
    paragraph_id: string;
    /** In seconds. */
    start_time: number;
    content: string;
    /** The speaker's label. */
    speaker: string | null;
  };
}

/** Ordinal of the passage about the recording. */
export const aboutRecording = -1;
