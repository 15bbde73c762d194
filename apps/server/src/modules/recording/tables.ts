import type {
  AutomaticMove,
  Marker,
  MindNode,
  Note,
  Place,
  UnplacedChange,
} from '@linnet/contract';
import type { SpokenLanguage } from '@linnet/contract/languages';
import type { Scene } from '@linnet/contract/statuses';
import type { Generated } from 'kysely';
import type { CreatedAt, Json } from '../../db/columns.ts';

/** Tables for recordings. */
export interface RecordingTables {
  recordings: {
    id: string;
    account_id: string;
    client_flag: string;
    name: Generated<string>;
    ai_title: Generated<string>;
    source: Generated<number>;
    /** Null if the recording was registered without a type. */
    scene: Scene | null;
    object_key: string | null;
    file_size: Generated<number>;
    /** Digest of the stored file, as computed by the server. */
    sha256: string | null;
    /** Digest of the audio, as computed by `digestAudio`, or null until it is computed. */
    audio_sha256: string | null;
    /** Digest of the file, as computed by the phone that uploaded it and confirmed by the server. */
    client_sha256: string | null;
    /** When the object with these digests was stored. */
    object_stored_at: Date | null;
    /** When the object was found to be missing from the store, or null while it exists. */
    lost_at: Date | null;
    /** Whether phones may request a transcription automatically. */
    auto_transcribe: Generated<boolean>;
    mime_type: Generated<string>;
    ext: Generated<string>;
    total_time: Generated<number>;
    /** In base64, as in the contract. */
    peaks: Generated<string>;
    sn: Generated<string>;
    brief: Generated<string>;
    keywords: Json<string[]>;
    is_del: Generated<0 | 1>;
    /** 1 if the recording is protected: retention rules never move it to the recycle bin. */
    is_protected: Generated<0 | 1>;
    /** 1 if the recording is archived, and so hidden from the list. */
    is_archived: Generated<0 | 1>;
    binned_at: Date | null;
    /** When the recording was last restored from the recycle bin, or null if it never was. */
    restored_at: Date | null;
    /** The automatic run that moved the recording to the recycle bin, or null if it was not moved automatically. */
    binned_by: Json<AutomaticMove | null>;
    /** Revision at which the audio was stored, or null if it never was. */
    stored_rev: number | null;
    tags: Json<string[]>;
    place: Json<Place | null>;
    /** The language spoken in the recording, as set by the user, or null for the account's language. */
    language: SpokenLanguage | null;
    /** Names and terms that speech recognition listens for. */
    words: Json<string[]>;
    speakers: Json<Record<string, string>>;
    /** Names proposed for unnamed speakers, keyed by speaker label. */
    proposals: Json<Record<string, string>>;
    markers: Json<Marker[]>;
    notes: Json<Note[]>;
    ticks: Json<Record<string, boolean>>;
    mind_map: Json<MindNode[] | null>;
    unplaced: Json<UnplacedChange[]>;
    rev: number;
    recorded_at: Date;
    /** How many minutes the user's local time was ahead of UTC. */
    utc_offset: Generated<number>;
    created_at: CreatedAt;
    updated_at: CreatedAt;
  };
  /** Audio levels of recorded calls; see call.ts in the audio package. */
  call_levels: { recording_id: string; levels: Buffer };
  /** Voices of the speakers in the latest transcript, for accounts that have agreed to store them. */
  speaker_voices: {
    recording_id: string;
    /** The speaker's label in the transcript. */
    speaker: string;
    account_id: string;
    /** The model that computed the embedding. */
    model: string;
    /** A unit vector, encoded by `vectorToBytes`. */
    embedding: Buffer;
    /** Whether the user has named the speaker, removed the name, or dismissed a proposal. */
    is_answered: Generated<boolean>;
    created_at: CreatedAt;
  };
}
