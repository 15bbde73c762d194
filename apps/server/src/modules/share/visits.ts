import { timingSafeEqual } from 'node:crypto';
import type { SummaryDocument } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import type { SharePart } from '@linnet/contract/statuses';
import { sql } from 'kysely';
import type { Database, Row } from '../../db/database.ts';
import { hmac } from '../../secrets.ts';
import { displayName } from '../recording/view.ts';
import { latestTranscript } from '../task/latest-transcript.ts';

/** A valid link with its recording's row. */
export type OpenLink = Pick<Row<'share_links'>, 'id' | 'parts' | 'password_hash'> & {
  readonly recording: SharedRow;
};
type SharedRow = Pick<
  Row<'recordings'>,
  | 'id'
  | 'brief'
  | 'ticks'
  | 'speakers'
  | 'total_time'
  | 'recorded_at'
  | 'utc_offset'
  | 'object_key'
  | 'lost_at'
> & { readonly title: string };

/** The text of a recording that is shared. Parts that aren't shared are never read. */
export interface SharedContent {
  /** BCP 47 tag of the spoken language, or null if there is no transcript. */
  readonly language: string | null;
  readonly summary: string;
  readonly document: SummaryDocument | null;
  readonly paragraphs: readonly Pick<
    Row<'paragraphs'>,
    'start_time' | 'content' | 'speaker' | 'language' | 'is_tag'
  >[];
}

/** Provides shared recordings to readers, who have no account. */
export interface Visits {
  /**
   * Finds a link. Returns null if it doesn't exist or has expired, its recording is in the recycle bin, or its account
   * is closed.
   */
  find(linkId: string): Promise<OpenLink | null>;
  /** Reads the current texts of a link's recording. */
  read(link: OpenLink): Promise<SharedContent>;
  /** Counts a view and stores its time. */
  count(linkId: string): Promise<void>;
  /** Creates a token that proves that the reader has entered the password. It is tied to the link and its password. */
  prove(link: OpenLink): string;
  /** Returns whether the link has no password, or the proof is valid. */
  isUnlocked(link: OpenLink, proof: string | undefined): boolean;
}

export interface VisitsDependencies {
  readonly db: Database;
  readonly secret: Uint8Array;
  readonly now: () => Date;
}

/** How long a reader can open the page without entering the password again, in seconds. */
export const unlockedSeconds = 12 * 3600;

export function createVisits({ db, secret, now }: VisitsDependencies): Visits {
  const createSignature = (link: OpenLink, expires: string) =>
    hmac(secret, `unlocked ${link.id} ${expires} ${link.password_hash}`);

  return {
    async find(linkId) {
      const row = await db
        .selectFrom('share_links')
        .innerJoin('recordings', 'recordings.id', 'share_links.recording_id')
        .innerJoin('accounts', 'accounts.id', 'share_links.account_id')
        .select(['share_links.id as link_id', 'parts', 'share_links.password_hash'])
        .select(['recordings.id', 'brief', 'ticks', 'speakers', 'total_time', 'recorded_at'])
        .select(['utc_offset', 'object_key', 'lost_at', displayName.as('title')])
        .where('share_links.id', '=', linkId)
        .where('is_del', '=', 0)
        .where('closed_at', 'is', null)
        .where((condition) =>
          condition.or([
            condition('share_links.expires_at', 'is', null),
            condition('share_links.expires_at', '>', now()),
          ]),
        )
        .executeTakeFirst();
      if (!row) return null;
      const { link_id: id, parts, password_hash, ...recording } = row;
      return { id, parts, password_hash, recording };
    },

    async read({ parts, recording }) {
      const has = (...wanted: readonly SharePart[]) => wanted.some((part) => parts.includes(part));
      const transcript = has('transcript', 'summary', 'todos')
        ? await latestTranscript(db, recording.id)
        : undefined;
      if (!transcript) return { language: null, summary: '', document: null, paragraphs: [] };
      const { summary } = await db
        .selectFrom('tasks')
        .select('summary')
        .where('id', '=', transcript.id)
        .executeTakeFirstOrThrow();
      return {
        language: transcript.language,
        summary: has('summary') ? summary : '',
        document: has('summary', 'todos') ? transcript.summary_json : null,
        paragraphs: has('transcript')
          ? await db
              .selectFrom('paragraphs')
              .select(['start_time', 'content', 'speaker', 'language', 'is_tag'])
              .where('task_id', '=', transcript.id)
              .orderBy('ordinal')
              .execute()
          : [],
      };
    },

    async count(linkId) {
      const latest = JSON.stringify([now().toISOString()]);
      await db
        .updateTable('share_links')
        .set({
          view_count: sql`view_count + 1`,
          views: sql`jsonb_path_query_array(${latest}::jsonb || views,
            ${sql.lit(`$[0 to ${limits.shares.views - 1}]`)})`,
        })
        .where('id', '=', linkId)
        .execute();
    },

    prove(link) {
      const expires = String(Math.floor(now().getTime() / 1000) + unlockedSeconds);
      return `${expires}.${createSignature(link, expires).toString('base64url')}`;
    },

    isUnlocked(link, proof) {
      if (link.password_hash === null) return true;
      const [expires = '', encoded = ''] = proof?.split('.') ?? [];
      const [signature, expected] = [
        Buffer.from(encoded, 'base64url'),
        createSignature(link, expires),
      ];
      const isSigned = signature.length === expected.length && timingSafeEqual(signature, expected);
      return isSigned && Number(expires) * 1000 > now().getTime();
    },
  };
}
