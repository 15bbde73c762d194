import type { CopyState } from './copies.ts';
import type { MergedPart, QueuedRecord } from './ports/records.ts';
import { isTrans } from './record.ts';

/** Determines which steps run automatically. */
export type CloudPolicy = {
  /** True to upload every recording. */
  readonly upload: boolean;
  /** The language of automatic transcription, or null if the account's language isn't transcribed automatically. */
  readonly transcribe: string | null;
  /** The languages in which recordings with a language of their own are transcribed automatically. */
  readonly languages: readonly string[];
  /** True if audio may be sent over the current network. */
  readonly maySend: boolean;
};

/** A recording's next automatic step. */
export type CloudStep =
  | { readonly step: 'upload' }
  | { readonly step: 'transcribe'; readonly language: string; readonly serverId: string }
  /** Merge the transcripts of this recording's parts. */
  | { readonly step: 'merge'; readonly parts: readonly MergedPart[]; readonly serverId: string }
  /** Poll the recording's task on the server. */
  | { readonly step: 'follow'; readonly serverId: string };

/**
 * Returns a recording's next step, or null if none is due or the user has to decide first. A failed or refused
 * transcription doesn't block an upload to the cloud, which may have lost its copy.
 */
export function nextStep(record: QueuedRecord, policy: CloudPolicy): CloudStep | null {
  const { problem, server_id: serverId } = record;
  if (problem && problem.step !== 'transcribe') return null;
  const language = languageFor(record, policy);
  const { phone, cloud } = record.copies;
  const isUploaded = cloud.status === 'verified' || (cloud.status === 'stored' && !isSource(phone));
  const isAwaited = !problem && (language !== null || record.mergedFrom !== null);
  if (!isUploaded && (policy.upload || isAwaited) && isSource(phone)) return { step: 'upload' };
  if (problem) return null;
  if (isUploaded && serverId !== null && !isTranscribing(record)) {
    if (record.mergedFrom !== null) {
      return record.hasUnsentParts ? null : { step: 'merge', parts: record.mergedFrom, serverId };
    }
    if (language !== null) return { step: 'transcribe', language, serverId };
  }
  return isTranscribing(record) && serverId !== null ? { step: 'follow', serverId } : null;
}

/** True if the record shows a running transcription. */
export const isTranscribing = ({ is_trans }: Pick<QueuedRecord, 'is_trans'>) =>
  is_trans === isTrans.transferring;

/** True if a record is being transcribed, or will be transcribed automatically. */
export function awaitsTranscript(record: QueuedRecord, policy: CloudPolicy): boolean {
  return (
    isTranscribing(record) || record.mergedFrom !== null || languageFor(record, policy) !== null
  );
}

/** True if the phone has verified audio to compare the cloud's copy against. */
const isSource = (phone: CopyState) => phone.status === 'verified';

/**
 * Returns the language to transcribe next: the requested language, or else the language of automatic transcription. A
 * recording's own language overrides the account's.
 */
export function languageFor(
  record: QueuedRecord,
  { transcribe, languages }: Pick<CloudPolicy, 'transcribe' | 'languages'>,
): string | null {
  if (record.requestedLanguage !== null) return record.requestedLanguage;
  const isNew = record.autoTranscribe && record.is_trans === isTrans.untranslated && !record.task;
  if (!isNew) return null;
  if (record.language === null) return transcribe;
  return languages.includes(record.language) ? record.language : null;
}
