import type { LiveSession } from '@linnet/contract';
import type { Queries, Row } from '../../db/database.ts';
import { toFailure } from '../task/view.ts';

/** Time without packets after which a session no longer counts as a recording in progress, in milliseconds. */
export const openMs = 600_000;

/**
 * Converts a session for a response.
 * @param known the number of passages that the client already has
 */
export async function toView(
  queries: Queries,
  session: Row<'live_sessions'>,
  known: number,
): Promise<LiveSession> {
  const slices = await queries
    .selectFrom('live_slices')
    .select(['result', 'text'])
    .where('session_id', '=', session.id)
    .where('text', '!=', '')
    .orderBy('first')
    .offset(known)
    .execute();
  const first = slices.length > 0 || known === 0 ? known : Math.min(known, await countPassages());
  const end = slices.at(-1)?.result?.words.at(-1)?.end ?? 0;
  const isSettled = (session.tentative?.start ?? 0) < end;
  const error = toFailure(session.error_code);
  return {
    client_flag: session.client_flag,
    language: session.language,
    received: session.received,
    state: error ? { status: 'stopped', error } : { status: 'listening' },
    first,
    passages: slices.map(({ result, text }) => ({
      start: result?.words[0]?.start ?? 0,
      end: result?.words.at(-1)?.end ?? 0,
      text,
    })),
    // The session was read before its slices, so a newer slice may already contain the tentative words.
    tentative: isSettled ? null : session.tentative,
    updated_at: session.updated_at.toISOString(),
  };

  async function countPassages(): Promise<number> {
    const { count } = await queries
      .selectFrom('live_slices')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('session_id', '=', session.id)
      .where('text', '!=', '')
      .executeTakeFirstOrThrow();
    return count;
  }
}
