import { PACKET_BYTES } from '@linnet/audio/format';
import type { LivePassage } from '@linnet/contract';
import type { CodeName } from '@linnet/contract/codes';
import { codes } from '@linnet/contract/codes';
import type { Bcp47 } from '@linnet/contract/languages';
import type { UpdateObject } from 'kysely';
import { sql } from 'kysely';
import type { Database, Row, Transaction } from '../db/database.ts';
import type { Tables } from '../db/schema.ts';
import { toStorable } from '../db/storable.ts';
import { readVocabulary } from '../modules/setting/settings.ts';
import type { TranscribeResult } from '../providers/speech/port.ts';
import { DECODER_RUN_UP } from './audio.ts';

/**
 * Seconds after which a worker that has not renewed its hold on a session is presumed dead. Together with a poll, this
 * is less than ten.
 */
const HOLD_SECONDS = 8;

/** Thrown when another worker has taken over the session, or the session was deleted. */
export class HoldLost extends Error {
  override readonly name = 'HoldLost';
}

/** The result for a slice, in a language that later steps can process. */
export type SliceResult = TranscribeResult & { readonly language: Bcp47 };

/** A slice as stored. Positions are packets of the recording. */
export interface NewSlice {
  readonly first: number;
  readonly count: number;
  /** SHA-256 of its packets. */
  readonly sha256: Buffer;
  /** Null for silence. */
  readonly result: SliceResult | null;
  readonly text: string;
}

/** The new packets of a session. */
export interface Arrived {
  readonly packets: Uint8Array;
  /** Whether no more packets follow. */
  readonly isComplete: boolean;
  /** Whether the session was stopped, for example because the minutes ran out. */
  readonly isStopped: boolean;
}

/** The sessions that workers process. A worker can only write to a session that it holds. */
export interface LiveStore {
  /** Takes hold of a session that has new packets and that no living worker holds; null if there is none. */
  claim(): Promise<Row<'live_sessions'> | null>;
  /** Reads the names and terms that an account wants recognized. */
  vocabulary(accountId: string): Promise<readonly string[]>;
  /**
   * Extends the hold.
   * @throws HoldLost
   */
  renew(id: string): Promise<void>;
  /**
   * Reads the packets from `first` on.
   * @throws HoldLost
   */
  read(id: string, first: number): Promise<Arrived>;
  /**
   * Stores a slice, and deletes the packets that are no longer needed.
   * @throws HoldLost
   */
  settle(id: string, slice: NewSlice): Promise<void>;
  /** @throws HoldLost */
  showTentative(id: string, passage: LivePassage): Promise<void>;
  /** Ends the text of a session. */
  stop(id: string, reason: CodeName): Promise<void>;
  /** Gives up the hold. The session is claimed again when it has more than `heard` packets. */
  release(id: string, heard: number): Promise<void>;
}

/** @param worker identifies this worker */
export function createLiveStore(db: Database, worker: string): LiveStore {
  const holdUntil = sql<Date>`now() + make_interval(secs => ${HOLD_SECONDS})`;

  /** Updates a session that this worker holds. */
  async function update(
    queries: Database | Transaction,
    id: string,
    values: UpdateObject<Tables, 'live_sessions'>,
  ): Promise<void> {
    const row = await updateSessions(queries)
      .set(values)
      .where('id', '=', id)
      .where('held_by', '=', worker)
      .executeTakeFirstOrThrow();
    if (row.numUpdatedRows === 0n) throw new HoldLost();
  }
  const updateSessions = (queries: Database | Transaction) => queries.updateTable('live_sessions');

  return {
    async claim() {
      const row = await updateSessions(db)
        .set({ held_by: worker, held_until: holdUntil })
        .where('id', '=', (where) =>
          where
            .selectFrom('live_sessions')
            .select('id')
            .where('error_code', 'is', null)
            .where(sql<boolean>`(held_until is null or held_until < now())`)
            .where(sql<boolean>`(received > heard or (ended and settled < received))`)
            .orderBy('created_at')
            .limit(1)
            .forUpdate()
            .skipLocked(),
        )
        .returningAll()
        .executeTakeFirst();
      return row ?? null;
    },

    vocabulary: (accountId) => readVocabulary(db, accountId),

    renew: (id) => update(db, id, { held_until: holdUntil }),

    async read(id, first) {
      // Read the session first, so that the packets include all those that it counts.
      const session = await db
        .selectFrom('live_sessions')
        .select(['received', 'ended', 'error_code', 'held_by'])
        .where('id', '=', id)
        .executeTakeFirst();
      if (session?.held_by !== worker) throw new HoldLost();
      const rows = await db
        .selectFrom('live_packets')
        .select(['first', 'packets'])
        .where('session_id', '=', id)
        .where(sql<boolean>`first + length(packets) / ${PACKET_BYTES}::int > ${first}::int`)
        .orderBy('first')
        .execute();
      const packets = Buffer.concat(
        rows.map((row) => row.packets.subarray(Math.max(0, first - row.first) * PACKET_BYTES)),
      );
      const end = first + packets.length / PACKET_BYTES;
      return {
        packets,
        isComplete: session.ended && end >= session.received,
        isStopped: session.error_code !== null,
      };
    },

    async settle(id, { result, ...slice }) {
      await db.transaction().execute(async (trx) => {
        const settled = slice.first + slice.count;
        await update(trx, id, { settled, tentative: null, held_until: holdUntil });
        await trx
          .insertInto('live_slices')
          .values({
            ...slice,
            text: toStorable(slice.text),
            session_id: id,
            result: result && JSON.stringify(toStorable(result)),
          })
          .execute();
        await trx
          .deleteFrom('live_packets')
          .where('session_id', '=', id)
          .where(
            sql<boolean>`first + length(packets) / ${PACKET_BYTES}::int <= ${settled - DECODER_RUN_UP}::int`,
          )
          .execute();
      });
    },

    async showTentative(id, passage) {
      await update(db, id, { tentative: JSON.stringify(passage), held_until: holdUntil });
    },

    async stop(id, reason) {
      await updateSessions(db)
        .set({ error_code: codes[reason], tentative: null, held_by: null, held_until: null })
        .where('id', '=', id)
        .where('held_by', '=', worker)
        .execute();
    },

    async release(id, heard) {
      await updateSessions(db)
        .set({ heard, held_by: null, held_until: null })
        .where('id', '=', id)
        .where('held_by', '=', worker)
        .execute();
    },
  };
}
