import { sql } from 'kysely';
import type { QuestionTerm } from './question.ts';
import { hashTerm, speakerTerm } from './terms.ts';

/** The recordings to search, by ID. */
export type RecordingSelection =
  | 'all'
  | { readonly only: readonly string[] }
  | { readonly except: readonly string[] };

/** Returns the condition for passages of selected recordings. */
export function isSelected(recordings: RecordingSelection) {
  if (recordings === 'all') return sql`true`;
  return 'only' in recordings
    ? sql`passages.recording_id = any(${recordings.only}::uuid[])`
    : sql`passages.recording_id <> all(${recordings.except}::uuid[])`;
}

/** The length of a passage, in terms. */
export const passageLength = sql`coalesce(passages.length, cardinality(passages.terms))`;

/** The language of a passage joined with its task, as a language tag. Null for a metadata passage. */
export const passageLanguage = sql`coalesce(passages.language, tasks.language)`;

/** Returns the hashes that find the paragraphs spoken by people named in a question, in the order of its terms. */
export const hashSpeakers = (accountId: string, terms: readonly QuestionTerm[]) =>
  terms
    .filter(({ words }) => words === null)
    .map(({ text }) => hashTerm(accountId, speakerTerm(text)));
