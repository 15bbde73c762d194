import type {
  AutomaticMove,
  Marker,
  MindNode,
  Note,
  Paragraph,
  Place,
  UnplacedChange,
} from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { SpokenLanguage } from '@linnet/contract/languages';
import type { RecSource, Scene } from '@linnet/contract/statuses';
import type { Copies, Receipt } from './copies.ts';
import type { MergedPart } from './ports/records.ts';

/** Whether the server also has the recording. If so, `server_id` is set. */
export const isLocal = { phoneOnly: 0, onServer: 2 } as const;
export type IsLocal = (typeof isLocal)[keyof typeof isLocal];

/** The transcription state of a recording on the phone. */
export const isTrans = { untranslated: 0, transferring: 1, translated: 2, failed: 3 } as const;
export type IsTrans = (typeof isTrans)[keyof typeof isTrans];

/** Whether the user has opened the recording. As in the specification, 1 means read and 0 means unread. */
export const isNew = { unread: 0, read: 1 } as const;
export type IsNew = (typeof isNew)[keyof typeof isNew];

/** Whether the recording is in the recycle bin. */
export const isDel = { kept: 0, binned: 1 } as const;
export type IsDel = (typeof isDel)[keyof typeof isDel];

/**
 * A recording on the phone. The fields are those of the specification's local record table. Dates are ISO 8601 UTC;
 * `record_time` is in whole seconds, paragraph times are in seconds.
 */
export type LocalRecord = {
  /** The recording's ID, the same on every device (`client_flag`). See `recordingId`. */
  readonly id: string;
  /** The user's title. If it's empty, the app shows `ai_title` or a name derived from the date. */
  readonly title: string;
  readonly ai_title: string;
  /** The account that owns the recording. */
  readonly uid: string;
  readonly create_date: string;
  readonly update_date: string;
  readonly record_time: number;
  readonly is_local: IsLocal;
  readonly server_id: string | null;
  /** The session's ID on the recorder, or null for an imported recording. */
  readonly device_file_id: number | null;
  readonly summary: string;
  /** The versioned document of structures, as a JSON string. */
  readonly summary_json: string | null;
  readonly is_trans: IsTrans;
  /** The progress of the current step, from 0 to 100. */
  readonly process: number;
  readonly rec_source: RecSource;
  /** The recording's type. */
  readonly scene: Scene;
  readonly tags: readonly string[];
  readonly content: readonly LocalParagraph[];
  readonly brief: string;
  readonly keywords: readonly string[];
  /** The path of the WAV on this phone, or '' if there is none. */
  readonly localfile: string;
  readonly local_noise_file: string;
  readonly server_url: string;
  readonly mind_pic_url: string;
  readonly mind_src_url: string;
  /** Markers set while recording or listening. */
  readonly markers: readonly Marker[];
  /** Notes typed before, during or after recording, sorted by time. */
  readonly notes: readonly Note[];
  /** Where the recording was made, as set by the user. */
  readonly place: Place | null;
  /** The language spoken in the recording, as set by the user, or null for the account's language. */
  readonly language: SpokenLanguage | null;
  /** Names and terms that improve speech recognition in this recording. */
  readonly words: readonly string[];
  /** Speaker names, keyed by the speaker's label in the transcript. */
  readonly speakers: Readonly<Record<string, string>>;
  /** Names proposed for unnamed speakers, keyed by the speaker's label in the transcript. */
  readonly proposals: Readonly<Record<string, string>>;
  /** Completed to-dos, keyed by their ID in the summary. */
  readonly ticks: Readonly<Record<string, boolean>>;
  /** The user's edited mind map, or null to show the generated one. */
  readonly mind_map: readonly MindNode[] | null;
  /** The user's changes to earlier transcripts that couldn't be placed in the latest one. */
  readonly unplaced: readonly UnplacedChange[];
  /** The mind map generated from the transcript. */
  readonly xmind_json: readonly MindNode[] | null;
  /** The recorder's serial number, or '' for an imported recording. */
  readonly sn: string;
  readonly is_new: IsNew;
  readonly is_del: IsDel;
  /** 1 if the recording is protected: retention rules never move it to the recycle bin. */
  readonly is_protected: 0 | 1;
  /** 1 if the recording is archived and so hidden from the list. */
  readonly is_archived: 0 | 1;
  /** The run of a rule that moved the recording to the recycle bin, or null. Only meaningful in the recycle bin. */
  readonly binned_by: AutomaticMove | null;
};

/** A paragraph as stored on the phone. */
export type LocalParagraph = Paragraph & {
  /**
   * The transcribed text before the user edited it. Absent if unedited, or if only the server has the original text.
   */
  readonly original?: string;
};

/** The version of a recording's audio: as recorded (`original`), or denoised (`cleaner`). */
export type AudioVersion = 'original' | 'cleaner';

/** Why a recording isn't processed further. The user interface shows a message for each. */
export type Problem =
  | { readonly step: 'fetch'; readonly code: FetchProblem }
  | { readonly step: 'upload'; readonly code: UploadProblem; readonly failure?: CallFailure }
  | {
      readonly step: 'transcribe';
      readonly code: TranscribeProblem;
      readonly failure?: CallFailure;
    };

/**
 * Why a recording's audio couldn't be transferred to the phone.
 *
 * - `checksum_differs`: the phone's audio differed from the recorder's copy, so it was discarded. It will be read again
 *   from the recorder, which still has the session.
 * - `storage_full`: the phone has no disk space left. The received part is kept.
 * - `session_gone`: the recorder deleted the session before the phone had received all of it.
 * - `not_sent`: the recorder lists the session but sends no data. The received part is kept.
 * - `not_audio`: the packets can't be decoded. They're kept unchanged.
 * - `recorder_busy`, `recorder_fault`, `recorder_refused`: the recorder refused to send the session. The request is
 *   retried later.
 * - `download_differs`: the digest of the downloaded audio differs from the digest the server reports.
 */
export type FetchProblem =
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
 * Why a recording couldn't be uploaded.
 *
 * - `refused`: the server rejected the upload for the reason in `failure`.
 * - `file_missing`: the phone has no audio.
 * - `cloud_differs`: the server stores different audio under this recording's ID. Neither is overwritten.
 */
export type UploadProblem = 'refused' | 'file_missing' | 'cloud_differs';

/**
 * Why a recording has no transcript.
 *
 * - `refused`: the server rejected the task for the reason in `failure`.
 * - `failed`: the task failed for the reason in `failure`.
 * - `range_failed`: a range couldn't be transcribed again for the reason in `failure`. The transcript is unchanged.
 */
export type TranscribeProblem = 'refused' | 'failed' | 'range_failed';

/**
 * Whether this phone keeps a recording's audio.
 *
 * - `auto`: the storage setting decides.
 * - `always`: the user downloaded the audio, so it stays even if the storage setting excludes phones.
 * - `never`: the user removed the audio from this phone, so it isn't downloaded automatically.
 */
export type PhoneRetention = 'auto' | 'always' | 'never';

/** The sync state stored with a record. */
export type RecordWork = {
  readonly copies: Copies;
  /** The size of the complete session's packets in bytes, or 0 while unknown. */
  readonly audioBytes: number;
  /** The latest transcription task on the server. */
  readonly task: { readonly id: string; readonly language: string } | null;
  /** The language of a transcription not yet requested from the server, or null. */
  readonly requestedLanguage: string | null;
  readonly problem: Problem | null;
  readonly phoneRetention: PhoneRetention;
};

/** The fields of a record that lists show. Kept few, because a list may contain ten thousand records. */
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
  | 'scene'
  | 'sn'
  | 'tags'
  | 'speakers'
  | 'is_new'
  | 'is_del'
  | 'is_protected'
  | 'is_archived'
  | 'binned_by'
> &
  Pick<RecordWork, 'audioBytes' | 'copies' | 'problem' | 'phoneRetention'> & {
    /** The beginning of the brief, or of the summary if there's no brief. */
    readonly opening: string;
    /** When the recording was moved to the recycle bin (ISO 8601), or null if it isn't in the bin. */
    readonly binnedAt: string | null;
    /** The ID of the latest transcription task, or of the transcript that is shown again after a canceled or failed one. */
    readonly taskId: string | null;
    /** The loudness of equal-length sections of the recording, each from 0 to 255. Empty if unknown. */
    readonly peaks: Uint8Array;
  };

/**
 * Whether a record's transcript is on this phone.
 *
 * - `none`: the recording has no transcript.
 * - `arriving`: the server has a transcript, which this phone will receive with the next changes.
 * - `received`: the transcript is on this phone.
 */
export type TranscriptState = 'none' | 'arriving' | 'received';

/** A record with all its fields. */
export type RecordDetail = LocalRecord &
  RecordWork & {
    readonly transcript: TranscriptState;
    readonly peaks: Uint8Array;
    readonly receipt: Receipt;
    /** The ID of the recording that this one continues and will be merged with, or null. */
    readonly continues: string | null;
    /** True if automatic transcription includes this recording. */
    readonly autoTranscribe: boolean;
    /** The recordings whose transcripts the server will merge into this one's, or null if there are none. */
    readonly mergedFrom: readonly MergedPart[] | null;
  };
