import type { LivePassage } from '@linnet/contract';
import type { SpokenLanguage } from '@linnet/contract/languages';
import type { Generated } from 'kysely';
import type { CreatedAt, Json } from '../db/columns.ts';
import type { SliceResult } from './store.ts';

/** The tables of live text. */
export interface LiveTables {
  /** The live text of recordings in progress. Counts are in packets of 20 ms from the start of the recording. */
  live_sessions: {
    id: string;
    account_id: string;
    /** The id that the client gives the recording. */
    client_flag: string;
    language: SpokenLanguage;
    /** Number of packets received. */
    received: Generated<number>;
    /** Number of packets before the end of the last slice. */
    settled: Generated<number>;
    /** Number of packets that the last worker had read when it released the session. */
    processed: Generated<number>;
    /** Whether the recording has ended, so that no more packets follow. */
    ended: Generated<boolean>;
    /** Why there is no more text; null while there is. */
    error_code: number | null;
    /** Text after the last slice that may still change. */
    tentative: Json<LivePassage | null>;
    /** The worker that holds the session. */
    held_by: string | null;
    /** When the hold expires. A worker that has not renewed it by then is presumed dead. */
    held_until: Date | null;
    created_at: CreatedAt;
    updated_at: CreatedAt;
  };
  /** Packets that are not settled yet, and the few before them from which a decoder resumes. */
  live_packets: { session_id: string; first: number; packets: Buffer };
  /** Recognized parts of a recording in progress. They adjoin each other, starting with the first packet. */
  live_slices: {
    session_id: string;
    /** Index of the first packet, and the number of packets. */
    first: number;
    count: number;
    /** SHA-256 of the packets. */
    sha256: Buffer;
    /** The result, with times from the start of the recording; null for silence. */
    result: Json<SliceResult | null>;
    /** The words as text; '' if nothing was said. */
    text: string;
  };
}
