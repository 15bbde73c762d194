import { randomUUID } from 'node:crypto';
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
import { DECODER_PREROLL } from './audio.ts';

/**
 * Seconds after which a worker that hasn't renewed its hold on a session is presumed dead. Including the next worker's
 * poll interval, a session is taken over within ten seconds.
 */
const HOLD_SECONDS = 8;

/** Thrown when another worker has taken over the session, or the session was deleted. */
export class HoldLost extends Error {
  override readonly name = 'HoldLost';
}

/** The result for a slice, in a language that later steps support. */
export type SliceResult = TranscribeResult & { readonly language: Bcp47 };

/** A slice as stored. Positions are packet numbers in the recording. */
export interface NewSlice {
  readonly first: number;
  readonly count: number;
  /** SHA-256 of the packets. */
  readonly sha256: Buffer;
  /** Null if the slice is silent. */
  readonly result: SliceResult | null;
  readonly text: string;
}

/** The new packets of a session. */
export interface NewPackets {
  readonly packets: Uint8Array;
  /** Whether all packets have arrived. */
  readonly isComplete: boolean;
  /** Whether the session was stopped, for example because the minutes ran out. */
  readonly isStopped: boolean;
  /** The words that the user has added to the recording so far. */
  readonly words: readonly string[];
}

/**
 * A session held by a worker. The hold is a lease that the worker renews. Each claim gets a new `held_by`, so a worker's
 * expired holds have no effect.
 */
export type LiveHold = Row<'live_sessions'>;

/** The live sessions in the database. A worker can only write to a session that it holds. */
export interface LiveStore {
  /** Claims a session that has new packets and isn't held by a live worker, if there is one. */
  claim(): Promise<LiveHold | null>;
  /** Reads the names and terms to recognize: the recording's own words, followed by the account's entries. */
  vocabulary(hold: LiveHold): Promise<readonly string[]>;
  /**
   * Extends the hold.
   * @throws HoldLost
   */
  renew(hold: LiveHold): Promise<void>;
  /**
   * Reads the packets starting at `first`.
   * @throws HoldLost
   */
  read(hold: LiveHold, first: number): Promise<NewPackets>;
  /**
   * Stores a slice, and deletes the packets that are no longer needed.
   * @throws HoldLost
   */
  settle(hold: LiveHold, slice: NewSlice): Promise<void>;
  /** @throws HoldLost */
  showTentative(hold: LiveHold, passage: LivePassage): Promise<void>;
  /** Stops the live transcription of a session, with an error code. */
  stop(hold: LiveHold, reason: CodeName): Promise<void>;
  /** Releases the hold. The session can be claimed again once it has more than `processed` packets. */
  release(hold: LiveHold, processed: number): Promise<void>;
}

export function createLiveStore(db: Database): LiveStore {
  const holdUntil = sql<Date>`now() + make_interval(secs => ${HOLD_SECONDS})`;

  /** Updates a session that this worker holds. */
  async function update(
    queries: Database | Transaction,
    { id, held_by }: LiveHold,
    values: UpdateObject<Tables, 'live_sessions'>,
  ): Promise<void> {
    const row = await updateSessions(queries)
      .set(values)
      .where('id', '=', id)
      .where('held_by', '=', held_by)
      .executeTakeFirstOrThrow();
    if (row.numUpdatedRows === 0n) throw new HoldLost();
  }
  const updateSessions = (queries: Database | Transaction) => queries.updateTable('live_sessions');

  return {
    async claim() {
      const row = await updateSessions(db)
        .set({ held_by: randomUUID(), held_until: holdUntil })
        .where('id', '=', (where) =>
          where
            .selectFrom('live_sessions')
            .select('id')
            .where('error_code', 'is', null)
            .where(sql<boolean>`(held_until is null or held_until < now())`)
            .where(sql<boolean>`(received > processed or (ended and settled < received))`)
            .orderBy('created_at')
            .limit(1)
            .forUpdate()
            .skipLocked(),
        )
        .returningAll()
        .executeTakeFirst();
      return row ?? null;
    },

    async vocabulary({ id, account_id, client_flag }) {
      const session = await db
        .selectFrom('live_sessions')
        .select('words')
        .where('id', '=', id)
        .executeTakeFirst();
      const storedVocabulary = await readVocabulary(db, account_id, client_flag);
      return [...new Set([...(session?.words ?? []), ...storedVocabulary])];
    },

    renew: (hold) => update(db, hold, { held_until: holdUntil }),

    async read({ id, held_by }, first) {
      // Read the session before the packets, so that every packet it counts as received is among those read.
      const session = await db
        .selectFrom('live_sessions')
        .select(['received', 'ended', 'error_code', 'held_by', 'words'])
        .where('id', '=', id)
        .executeTakeFirst();
      if (session?.held_by !== held_by) throw new HoldLost();
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
        words: session.words,
      };
    },

    async settle(hold, { result, ...slice }) {
      await db.transaction().execute(async (trx) => {
        const settled = slice.first + slice.count;
        await update(trx, hold, { settled, tentative: null, held_until: holdUntil });
        await trx
          .insertInto('live_slices')
          .values({
            ...slice,
            text: toStorable(slice.text),
            session_id: hold.id,
            result: result && JSON.stringify(toStorable(result)),
          })
          .execute();
        await trx
          .deleteFrom('live_packets')
          .where('session_id', '=', hold.id)
          .where(
            sql<boolean>`first + length(packets) / ${PACKET_BYTES}::int <= ${settled - DECODER_PREROLL}::int`,
          )
          .execute();
      });
    },

    async showTentative(hold, passage) {
      await update(db, hold, { tentative: JSON.stringify(passage), held_until: holdUntil });
    },

    async stop({ id, held_by }, reason) {
      await db.transaction().execute(async (trx) => {
        const { numUpdatedRows } = await updateSessions(trx)
          .set({ error_code: codes[reason], tentative: null, held_by: null, held_until: null })
          .where('id', '=', id)
          .where('held_by', '=', held_by)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows > 0n) await deletePackets(trx, id);
      });
    },

    async release({ id, held_by }, processed) {
      await updateSessions(db)
        .set({ processed, held_by: null, held_until: null })
        .where('id', '=', id)
        .where('held_by', '=', held_by)
        .execute();
    },
  };
}

/** Deletes the packets of a session whose live transcription has stopped. */
export async function deletePackets(trx: Transaction, sessionId: string): Promise<void> {
  await trx.deleteFrom('live_packets').where('session_id', '=', sessionId).execute();
}
