import type { Marker, MindNode, Paragraph, Place } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { RecSource } from '@linnet/contract/statuses';
import type { Copies, Receipt } from './copies.ts';

/** Whether the server has the recording as well (`server_id` set). */
export const isLocal = { phoneOnly: 0, onServer: 2 } as const;
export type IsLocal = (typeof isLocal)[keyof typeof isLocal];

/** Transcription state of a recording on the phone. */
export const isTrans = { untranslated: 0, transferring: 1, translated: 2, failed: 3 } as const;
export type IsTrans = (typeof isTrans)[keyof typeof isTrans];

/** 1 is read, 0 is unread, as in the specification. */
export const isNew = { unread: 0, read: 1 } as const;
export type IsNew = (typeof isNew)[keyof typeof isNew];

/** Whether the recording is in the recycle bin. */
export const isDel = { kept: 0, binned: 1 } as const;
export type IsDel = (typeof isDel)[keyof typeof isDel];

/**
 * One recording on the phone, with the fields and names of the specification's local record table. Dates are ISO-8601
 * UTC; `record_time` is in whole seconds, paragraph times in seconds.
 */
export type LocalRecord = {
  /** The recording's id on every device (`client_flag`), see {@link recordingId}. */
  readonly id: string;
  /** The user's title; if it is '', `ai_title` is shown, or else a name derived from the date. */
  readonly title: string;
  readonly ai_title: string;
  /** The account that owns the recording. */
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
  /** Names by the speaker's label in the transcript. */
  readonly speakers: Readonly<Record<string, string>>;
  /** Completed to-dos, by their id in the summary. */
  readonly ticks: Readonly<Record<string, boolean>>;
  /** The user's own mind map; null shows the generated one. */
  readonly mind_map: readonly MindNode[] | null;
  /** The mind map generated from the transcript. */
  readonly xmind_json: readonly MindNode[] | null;
  /** The recorder's serial, or '' for an import. */
  readonly sn: string;
  readonly is_new: IsNew;
  readonly is_del: IsDel;
};

/** A paragraph as stored on the phone. */
export type LocalParagraph = Paragraph & {
  /** The recognized text before edits; absent if unedited, or if only the server has it. */
  readonly original?: string;
};

/** The version of a recording's audio: as recorded, or denoised. */
export type AudioVersion = 'original' | 'cleaner';

/** The reason why a recording is not processed further. The user interface words it. */
export type Trouble =
  | { readonly step: 'fetch'; readonly code: FetchTrouble }
  | { readonly step: 'upload'; readonly code: UploadTrouble; readonly failure?: CallFailure }
  | {
      readonly step: 'transcribe';
      readonly code: TranscribeTrouble;
      readonly failure?: CallFailure;
    };

/**
 * - `checksum_differs`: the stored audio differs from the recorder's. The copy was discarded and is read again; the
 *   recorder's copy remains.
 * - `storage_full`: the phone has no disk space left. The received part remains.
 * - `session_gone`: the recorder no longer has the session, and the phone received only a part of it.
 * - `not_sent`: the recorder lists the session but sends no data. The received part remains.
 * - `not_audio`: the packets cannot be decoded. They remain unchanged.
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
 * - `refused`: the server refuses the upload for the reason in `failure`.
 * - `file_missing`: the phone has no audio.
 * - `cloud_differs`: the server stores different audio under this recording's id. Neither is overwritten.
 */
export type UploadTrouble = 'refused' | 'file_missing' | 'cloud_differs';

/** `refused`: the task could not be created. `failed`: the task failed. The reason is in `failure`. */
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
  /** Size of the complete session's packets, in bytes; 0 while unknown. */
  readonly audioBytes: number;
  /** The latest transcription task on the server. */
  readonly task: { readonly id: string; readonly language: string } | null;
  /** Language of a transcription that the server has not received yet; null if none is requested. */
  readonly requestedLanguage: string | null;
  readonly trouble: Trouble | null;
  readonly phoneRetention: PhoneRetention;
};

/** The fields of a record that lists show. Few, because a list may have ten thousand records. */
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
    /** Beginning of the brief, or of the summary if there is no brief. */
    readonly opening: string;
    /** When it was moved to the recycle bin, ISO-8601; null if it is not in the bin. */
    readonly binnedAt: string | null;
    /** Loudness over the recording, 0–255 each, evenly spaced; empty if unknown. */
    readonly peaks: Uint8Array;
  };

/** A record with all its fields. */
export type RecordDetail = LocalRecord &
  RecordWork & { readonly peaks: Uint8Array; readonly receipt: Receipt };
