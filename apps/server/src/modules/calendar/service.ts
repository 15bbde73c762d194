import { timingSafeEqual } from 'node:crypto';
import { createCalendar } from '@linnet/contract/todo-calendar';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { type Database, lockAccount, type Queries } from '../../db/database.ts';
import { isId } from '../../db/ids.ts';
import { hmac } from '../../secrets.ts';
import { displayName } from '../recording/view.ts';
import { selectLatestTranscript } from '../task/latest-transcript.ts';
import { toEntries } from './entries.ts';

export const calendarPath = '/calendar';

/** Maximum number of recordings in the calendar. The latest are included. */
const maxRecordings = 1000;

/** The private calendar of an account, with the to-dos and dates of its recordings. */
export interface Calendars {
  /** Returns the URL of the account's calendar, or null if none has been created. */
  url(accountId: string, origin: string): Promise<string | null>;
  /** Creates the calendar URL, or returns the existing URL. */
  create(accountId: string, origin: string): Promise<string>;
  /** Revokes the calendar URL immediately. */
  revoke(accountId: string): Promise<void>;
  /**
   * Returns the session ID in a calendar URL, or null if its signature is invalid.
   * @param name the last path segment of the URL
   */
  parseSession(name: string): string | null;
  /** Generates the calendar as an iCalendar file. Returns null if the session has ended. */
  read(sessionId: string, origin: string): Promise<string | null>;
}

export interface CalendarsDependencies {
  readonly db: Database;
  readonly secret: Uint8Array;
  readonly now: () => Date;
}

export function createCalendars({ db, secret, now }: CalendarsDependencies): Calendars {
  const createSignature = (sessionId: string) => hmac(secret, sessionId);
  /** Derives the URL from the session ID, so it can be shown again without being stored. */
  const toUrl = (origin: string, sessionId: string) =>
    `${origin}${calendarPath}/${sessionId}.${createSignature(sessionId).toString('base64url')}.ics`;

  const findSession = (queries: Queries, accountId: string) =>
    queries
      .selectFrom('calendar_addresses')
      .innerJoin('sessions', 'sessions.id', 'calendar_addresses.session_id')
      .select('id')
      .where('account_id', '=', accountId)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();

  /** Returns the account of a calendar's session, or null if the session has ended. */
  async function findAccount(sessionId: string): Promise<string | null> {
    const session = await db
      .selectFrom('calendar_addresses')
      .innerJoin('sessions', 'sessions.id', 'calendar_addresses.session_id')
      .select('account_id')
      .where('id', '=', sessionId)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    return session?.account_id ?? null;
  }

  return {
    async url(accountId, origin) {
      const session = await findSession(db, accountId);
      return session ? toUrl(origin, session.id) : null;
    },

    create: (accountId, origin) =>
      db.transaction().execute(async (trx) => {
        await lockAccount(trx, accountId);
        const existing = await findSession(trx, accountId);
        if (existing) return toUrl(origin, existing.id);
        const id = uuidv7();
        const times = { created_at: now(), last_seen_at: now() };
        await trx
          .insertInto('sessions')
          .values({ id, account_id: accountId, ...times })
          .execute();
        await trx.insertInto('calendar_addresses').values({ session_id: id }).execute();
        return toUrl(origin, id);
      }),

    async revoke(accountId) {
      await db
        .updateTable('sessions')
        .set({ revoked_at: now() })
        .where('account_id', '=', accountId)
        .where('revoked_at', 'is', null)
        .where('id', 'in', (query) => query.selectFrom('calendar_addresses').select('session_id'))
        .execute();
    },

    parseSession(name) {
      const [sessionId = '', encoded = '', ext, ...others] = name.split('.');
      if (!isId(sessionId) || ext !== 'ics' || others.length > 0) return null;
      const [signature, expected] = [Buffer.from(encoded, 'base64url'), createSignature(sessionId)];
      const isSigned = signature.length === expected.length && timingSafeEqual(signature, expected);
      return isSigned ? sessionId : null;
    },

    async read(sessionId, origin) {
      const accountId = await findAccount(sessionId);
      if (accountId === null) return null;
      const recordings = await db
        .selectFrom('recordings')
        .innerJoinLateral(selectLatestTranscript, (join) => join.onTrue())
        .select(['client_flag', 'ticks', 'summary_json', displayName.as('title')])
        .where('recordings.account_id', '=', accountId)
        .where('is_del', '=', 0)
        .where(sql<boolean>`transcript.summary_json is not null`)
        .orderBy('recorded_at', 'desc')
        .orderBy('recordings.id', 'desc')
        .limit(maxRecordings)
        .execute();
      const entries = recordings.map((recording) => toEntries(recording, origin));
      return createCalendar(
        {
          todos: entries.flatMap(({ todos }) => todos),
          dates: entries.flatMap(({ dates }) => dates),
        },
        now(),
      );
    },
  };
}
