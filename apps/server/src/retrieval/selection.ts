import { sql } from 'kysely';

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
