import type { ColumnType, Generated, JSONColumnType } from 'kysely';

/** The tables for questions. Passages are derived from transcripts, so they can be deleted and rebuilt. */
export interface RetrievalTables {
  /** The terms and concepts of a paragraph, by its ordinal, or of the recording's name, tags, keywords and place. */
  passages: {
    recording_id: string;
    /** The paragraph's ordinal, or `metadataOrdinal`. */
    ordinal: number;
    account_id: string;
    /** The transcript, or null for the metadata passage. */
    task_id: string | null;
    /** The paragraph's language as a language tag, or null if it is that of the transcript. */
    language: string | null;
    /** Hashes of terms, as decimal strings. They exceed the safe integers, so they are only compared in SQL. */
    terms: string[];
    /** Number of the text's terms. Null before the passages of an older version are rebuilt. */
    length: number | null;
    /**
     * Version of the rules and the lexicon that the passage and the recording's searchable text are derived with:
     * `passageFormat`.
     */
    format: Generated<number>;
    /** Bit mask of `paragraphKinds`. */
    kinds: number;
    /** Only in the metadata passage: digest of the passages' format, the transcript's ID and the speakers. */
    digest: string | null;
  };
  passage_revisions: {
    account_id: string;
    /** The account's last indexed revision. */
    rev: number;
    /** Number of the account's passages, including passages of recordings erased after indexing. */
    passages: Generated<number>;
  };
  /**
   * The searchable text of each indexed recording. Derived from recordings. To rebuild an account's texts, set `rev` of its
   * row in `passage_revisions` to 0.
   */
  search_texts: {
    recording_id: string;
    /** All texts that the search finds, folded, one per line. */
    text: string;
    /** Hashes of the n-grams of `text`. */
    grams: number[];
  };
  vector_revisions: {
    account_id: string;
    /** The revision up to which the account's changed recordings are marked in `passage_vectors`. */
    rev: Generated<number>;
    /** The latest version of the account's vectors. */
    version: Generated<number>;
  };
  /** The vectors of a recording's windows. They are derived from transcripts, so they can be deleted and rebuilt. */
  passage_vectors: {
    recording_id: string;
    account_id: string;
    /** The account's revision that last changed the recording. */
    changed_rev: number;
    /** The value of `changed_rev` that the vectors were computed for, or -1 if some vectors are missing. */
    computed_rev: Generated<number>;
    /** The model of all vectors, or null before the first computation. */
    model: string | null;
    /** The transcript, or null if there was none. */
    task_id: string | null;
    /** Increases with each change of the account's vectors. */
    version: Generated<number>;
    /** The ordinal and the digest of each window, as packed by `packWindows`. */
    windows: Generated<Buffer>;
    /** The sign bits of each vector. */
    bits: Generated<Buffer>;
    /** Each vector, as packed by `packVector`. */
    vectors: Generated<Buffer>;
    /** Number of failures since the last change. */
    failures: Generated<number>;
    /** The earliest time of the next attempt. */
    retry_at: Generated<Date>;
  };
  question_threads: {
    id: string;
    account_id: string;
    /** The recordings that the questions are about, or empty for all. */
    recording_ids: JSONColumnType<string[], string, string>;
    /** The recording that was in progress when the first question was asked, or null. */
    client_flag: string | null;
    created_at: ColumnType<Date, Date | undefined, never>;
    updated_at: ColumnType<Date, Date | undefined, Date>;
  };
  questions: {
    id: string;
    thread_id: string;
    question: string;
    /** Whether a language model has yet to write the answer. */
    is_writing: Generated<boolean>;
    /** Name of the language model that wrote the answer, or null. */
    engine: string | null;
    /** Number of quotes when the question was asked, including quotes of recordings erased since. */
    quoted: number;
    created_at: ColumnType<Date, Date | undefined, never>;
  };
  /** Copies of the paragraphs that answer a question, best first. */
  question_quotes: {
    question_id: string;
    position: number;
    /** Null for a quote from the live text of the thread's recording. */
    recording_id: string | null;
    paragraph_id: string | null;
    /** In seconds. */
    start_time: number;
    content: string;
    /** The speaker's label. */
    speaker: string | null;
  };
  /** Sentences of a written answer. Like their sources, they are erased with the recording. */
  question_sentences: {
    question_id: string;
    position: number;
    recording_id: string | null;
    /** Position of the quote that supports the sentence. */
    source: number;
    content: string;
  };
}

/** Ordinal of the passage with the recording's metadata: its name, tags, keywords and place. */
export const metadataOrdinal = -1;
