/**
 * Why a file wasn't imported.
 * - `format_unsupported`: this server can't decode the format.
 * - `unreadable`: the file is damaged or empty.
 * - `too_large`: the file exceeds the maximum size of a recording.
 * - `quota_exceeded`: the account has no storage space left.
 */
export type ImportFailureCode =
  | 'format_unsupported'
  | 'unreadable'
  | 'too_large'
  | 'quota_exceeded';

/**
 * The outcome of an import.
 * - `imported`: a recording was added.
 * - `known`: the account already has a recording with the same content.
 * - `deleted`: a recording with the same content was permanently deleted, so the file isn't imported again.
 */
export type FileOutcome =
  | { readonly status: 'imported' | 'known' | 'deleted' }
  | { readonly status: 'failed'; readonly code: ImportFailureCode };
