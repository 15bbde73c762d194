import type { Marker, MindNode, Paragraph, Place } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { RecSource } from '@linnet/contract/statuses';
import type { Copies, Receipt } from './copies.ts';

/** Where the row is known: on this phone only, or on the server too (`server_id` set). */
export const isLocal = { phoneOnly: 0, onServer: 2 } as const;
export type IsLocal = (typeof isLocal)[keyof typeof isLocal];

/** Transcription as the phone sees it. */
export const isTrans = { untranslated: 0, transferring: 1, translated: 2, failed: 3 } as const;
export type IsTrans = (typeof isTrans)[keyof typeof isTrans];

/** 1 is read, 0 is unread, as in the specification. */
export const isNew = { unread: 0, read: 1 } as const;
export type IsNew = (typeof isNew)[keyof typeof isNew];

/** Kept, or in the recycle bin. */
export const isDel = { kept: 0, binned: 1 } as const;
export type IsDel = (typeof isDel)[keyof typeof isDel];

/**
 * One recording on the phone: the specification's local record table, field by field, with its names.
 * Times of day are ISO-8601 UTC; `record_time` is whole seconds; paragraph times are seconds.
 */
export type LocalRecord = {
  /** The recording's identity everywhere (`client_flag`): see {@link recordingId}. */
  readonly id: string;
  /** The user's title; '' shows `ai_title`, and without that a name made of the date. */
  readonly title: string;
  readonly ai_title: string;
  /** The account it belongs to. */
  readonly uid: string;
  readonly create_date: string;
  readonly update_date: string;
  readonly record_time: number;
  readonly is_local: IsLocal;
  readonly server_id: string | null;
  /** The session's id on the recorder; null for an import. */
  readonly device_file_id: number | null;
  readonly summary: string;
  /** The versioned document of structures, as JSON text. */
  readonly summary_json: string | null;
  readonly is_trans: IsTrans;
  /** Progress of the current step, 0–100. */
  readonly process: number;
  readonly rec_source: RecSource;
  readonly tags: readonly string[];
  readonly content: readonly LocalParagraph[];
  readonly brief: string;
  readonly keywords: readonly string[];
  /** The WAV on this phone, or ''. */
  readonly localfile: string;
  readonly local_noise_file: string;
  readonly server_url: string;
  readonly mind_pic_url: string;
  readonly mind_src_url: string;
  /** Markers set while recording or listening. */
  readonly markers: readonly Marker[];
  /** The place of the recording, set by the user. */
  readonly place: Place | null;
  /** Names by the label of the speaker in the transcript. */
  readonly speakers: Readonly<Record<string, string>>;
  /** Completed to-dos, by their id in the summary. */
  readonly ticks: Readonly<Record<string, boolean>>;
  /** The user's own mind map; null shows the one made from the transcript. */
  readonly mind_map: readonly MindNode[] | null;
  /** The mind map made from the transcript. */
  readonly xmind_json: readonly MindNode[] | null;
  /** The recorder's serial, or '' for an import. */
  readonly sn: string;
  readonly is_new: IsNew;
  readonly is_del: IsDel;
};

/** A paragraph as the phone has it. */
export type LocalParagraph = Paragraph & {
  /** The recognized text; absent if it was not edited, or if only the server has it. */
  readonly original?: string;
};

/** The version of a recording's audio: as recorded, or denoised. */
export type AudioVersion = 'original' | 'cleaner';

/** Why a recording is not processed further. Worded by the user interface. */
export type Trouble =
  | { readonly step: 'fetch'; readonly code: FetchTrouble }
  | { readonly step: 'upload'; readonly code: UploadTrouble; readonly failure?: CallFailure }
  | {
      readonly step: 'transcribe';
      readonly code: TranscribeTrouble;
      readonly failure?: CallFailure;
    };

/**
 * - `checksum_differs`: the stored audio differs from the recorder's; the copy was discarded and is read again. The
 *   recorder keeps its own.
 * - `storage_full`: the phone has no disk space left. The part so far is kept.
 * - `session_gone`: the recorder no longer has the session, and the phone has only a part.
 * - `not_sent`: the recorder lists the session but sends nothing of it. The part so far is kept.
 * - `not_audio`: the packets cannot be decoded. They are kept as they are.
 * - `recorder_busy`, `recorder_fault`, `recorder_refused`: the recorder refused to send the session; the request is
 *   retried later.
 * - `download_differs`: the downloaded audio does not have the digest that the server reports.
 */
export type FetchTrouble =
  | 'checksum_differs'
  | 'storage_full'
  | 'session_gone'
  | 'not_sent'
  | 'not_audio'
  | 'recorder_busy'
  | 'recorder_fault'
  | 'recorder_refused'
  | 'download_differs';

/**
 * - `refused`: the server refuses it, for the reason in `failure`.
 * - `file_missing`: no audio on the phone.
 * - `cloud_differs`: the server holds other audio under this recording's identity. Neither is overwritten.
 */
export type UploadTrouble = 'refused' | 'file_missing' | 'cloud_differs';

/** - `refused`: the task could not be made; `failed`: it was made and failed; reason in `failure`. */
export type TranscribeTrouble = 'refused' | 'failed';

/**
 * Whether this phone keeps the audio of a recording.
 * - `auto`: follows the storage setting.
 * - `always`: downloaded by the user, even if the setting excludes phones.
 * - `never`: removed from this phone by the user; not downloaded again.
 */
export type PhoneRetention = 'auto' | 'always' | 'never';

/** The sync state stored with a record. */
export type RecordWork = {
  readonly copies: Copies;
  /** Bytes of packets of the whole session; 0 while unknown. */
  readonly audioBytes: number;
  /** The latest transcription task on the server. */
  readonly task: { readonly id: string; readonly language: string } | null;
  /** The requested language of a transcript that the server does not know of yet; null if there is none. */
  readonly requestedLanguage: string | null;
  readonly trouble: Trouble | null;
  readonly phoneRetention: PhoneRetention;
};

/** The fields of a record that lists show: few, because lists read ten thousand records. */
export type RecordSummary = Pick<
  LocalRecord,
  | 'id'
  | 'title'
  | 'ai_title'
  | 'create_date'
  | 'update_date'
  | 'record_time'
  | 'is_local'
  | 'device_file_id'
  | 'is_trans'
  | 'process'
  | 'rec_source'
  | 'sn'
  | 'tags'
  | 'is_new'
  | 'is_del'
> &
  Pick<RecordWork, 'audioBytes' | 'copies' | 'trouble' | 'phoneRetention'> & {
    /** The beginning of its brief, or without one of its summary. */
    readonly opening: string;
    /** When it was moved to the recycle bin, ISO-8601; null if it is not there. */
    readonly binnedAt: string | null;
    /** Loudness over the recording, 0–255 each, evenly spaced; empty if unknown. */
    readonly peaks: Uint8Array;
  };

/** A record with all its fields. */
export type RecordDetail = LocalRecord &
  RecordWork & { readonly peaks: Uint8Array; readonly receipt: Receipt };
