/** The tables of retrieval. Passages are derived from transcripts, so that they can be deleted and rebuilt. */
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
  };
  /** The revision up to which an account's changes are in `passages`. */
  passage_revisions: { account_id: string; rev: number };
}

/** Ordinal of the passage about the recording. */
export const aboutRecording = -1;
