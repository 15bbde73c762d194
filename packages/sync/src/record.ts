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

/** 1 is read, 0 is unread: the specification's spelling of it. */
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
  /** The owner's; '' shows `ai_title`, and without one a name made of the date. */
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
  /** 0–100 of whatever moves now. */
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
  /** What the owner marked while recording or listening. */
  readonly markers: readonly Marker[];
  /** Where it was recorded, as its owner says. */
  readonly place: Place | null;
  /** Names by what the transcript calls the speaker. */
  readonly speakers: Readonly<Record<string, string>>;
  /** Ticked to-dos, by their id in the summary. */
  readonly ticks: Readonly<Record<string, boolean>>;
  /** The owner's own mind map; null shows the one made from the transcript. */
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
  /** What the engine heard; absent where nothing was changed, or where only the server knows it. */
  readonly original?: string;
};

/** Which of the two a recording's sound may be: as it was recorded, or with its noise reduced. */
export type SoundVersion = 'original' | 'cleaner';

/** Why a recording does not move on by itself, and what it needs. Worded by the user interface. */
export type Trouble =
  | { readonly step: 'fetch'; readonly code: FetchTrouble }
  | { readonly step: 'upload'; readonly code: UploadTrouble; readonly failure?: CallFailure }
  | {
      readonly step: 'transcribe';
      readonly code: TranscribeTrouble;
      readonly failure?: CallFailure;
    };

/**
 * - `checksum_differs`: what was stored is not what the recorder has; the copy was dropped, and is read
 *   again. The recorder keeps its own.
 * - `storage_full`: the phone refused to store more. Everything so far is kept.
 * - `session_gone`: the recorder no longer has the session, and the phone has only a part.
 * - `not_sent`: the recorder lists the session, and sends nothing of it. What came before is kept.
 * - `not_audio`: the packets cannot be decoded. They are kept as they are.
 * - `recorder_busy`, `recorder_fault`, `recorder_refused`: the recorder refused to hand the session over; it is asked
 *   again later.
 * - `download_differs`: what came from the cloud is not what the server said that it holds.
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
 * - `refused`: the server will not take it, for the reason in `failure`.
 * - `file_missing`: no audio here.
 * - `cloud_differs`: the server holds other audio under this recording's identity. Neither is overwritten.
 */
export type UploadTrouble = 'refused' | 'file_missing' | 'cloud_differs';

/** - `refused`: the task could not be made; `failed`: it was made and failed; reason in `failure`. */
export type TranscribeTrouble = 'refused' | 'failed';

/**
 * Whether this phone keeps the audio of a recording.
 * - `auto`: as the storage setting says.
 * - `always`: the owner downloaded it, also while phones keep none.
 * - `never`: the owner removed it from this phone, which does not download it again.
 */
export type KeptHere = 'auto' | 'always' | 'never';

/** What lies beside a record: how its audio and its transcription stand. */
export type RecordWork = {
  readonly copies: Copies;
  /** Bytes of packets the whole session has; 0 while unknown. */
  readonly audioBytes: number;
  /** The latest transcription task on the server. */
  readonly task: { readonly id: string; readonly language: string } | null;
  /** The language a transcript was asked for in, of which the server was not told yet; null when none was. */
  readonly wantedLanguage: string | null;
  readonly trouble: Trouble | null;
  readonly keptHere: KeptHere;
};

/** A record as lists need it: little enough that ten thousand are read in a moment. */
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
  Pick<RecordWork, 'audioBytes' | 'copies' | 'trouble' | 'keptHere'> & {
    /** How its brief, or without one its summary, begins. */
    readonly opening: string;
    /** When it came into the bin, ISO-8601; null for one that is not there. */
    readonly binnedAt: string | null;
    /** Loudness over the recording, 0–255 each, evenly spaced; empty before it is on the phone. */
    readonly peaks: Uint8Array;
  };

/** A record with everything. */
export type RecordDetail = LocalRecord &
  RecordWork & { readonly peaks: Uint8Array; readonly receipt: Receipt };
