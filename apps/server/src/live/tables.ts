import type { LivePassage } from '@linnet/contract';
import type { SpokenLanguage } from '@linnet/contract/languages';
import type { Generated } from 'kysely';
import type { CreatedAt, Json } from '../db/columns.ts';
import type { SliceResult } from './store.ts';

/** Tables for live text. */
export interface LiveTables {
  /** Live text of recordings in progress. Counts are in packets of 20 ms from the start of the recording. */
  live_sessions: {
    id: string;
    account_id: string;
    /** The client-assigned ID of the recording. */
    client_flag: string;
    language: SpokenLanguage;
    /** Names and terms that the user added to the recording, which the recording itself has after its upload. */
    words: Json<readonly string[]>;
    /** Number of packets received. */
    received: Generated<number>;
    /** Number of packets before the end of the last slice. */
    settled: Generated<number>;
    /** Number of packets that the last worker had read when it released the session. */
    processed: Generated<number>;
    /** Whether the recording has ended. */
    ended: Generated<boolean>;
    /** Why live transcription stopped, or null if it hasn't. */
    error_code: number | null;
    /** Text after the last slice. It may still change. */
    tentative: Json<LivePassage | null>;
    /** The worker that holds the session. */
    held_by: string | null;
    /** When the hold expires. A worker that hasn't renewed it by then is presumed dead. */
    held_until: Date | null;
    created_at: CreatedAt;
    updated_at: CreatedAt;
  };
  /** Packets that aren't settled yet, and a few before them for restoring the decoder's state. */
  live_packets: { session_id: string; first: number; packets: Buffer };
  /** Recognized parts of a recording in progress, contiguous from the first packet. */
  live_slices: {
    session_id: string;
    /** Index of the first packet, and number of packets. */
    first: number;
    count: number;
    /** SHA-256 of the packets. */
    sha256: Buffer;
    /** The result, with times from the start of the recording, or null for silence. */
    result: Json<SliceResult | null>;
    /** The words as text, or '' if nothing was said. */
    text: string;
  };
}
