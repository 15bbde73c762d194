import type { CallData } from '@linnet/contract';
import type { CallFailure, Client } from '@linnet/contract/client';
import { limits } from '@linnet/contract/limits';
import { type FoundRecord, maxMatches } from '@linnet/sync';
import type { Outcome } from '../../ports/store.ts';

/** Maximum number of matches. A low limit is enough, because most recordings are found on this phone. */
const MAX_RESULTS = 50;

/**
 * Searches on the server.
 * @returns the matches, with the IDs that the recordings have on phones
 */
export async function searchServer(
  client: Client,
  keyword: string,
  signal: AbortSignal,
): Promise<Outcome<readonly FoundRecord[], CallFailure>> {
  const response = await client.call(
    'task/search',
    {
      keyword: keyword.trim().slice(0, limits.search.keywordMaxLength),
      notes: true,
      limit: MAX_RESULTS,
      page: 1,
    },
    { signal },
  );
  return response.ok ? { ok: true, data: response.data.list.map(toFoundRecord) } : response;
}

function toFoundRecord(row: CallData<'task/search'>['list'][number]): FoundRecord {
  return {
    id: row.client_flag || row.id,
    title: row.name,
    ai_title: row.ai_title,
    create_date: row.recorded_at,
    record_time: Math.round(row.total_time),
    is_archived: row.is_archived ?? 0,
    matches: row.matches
      .slice(0, maxMatches)
      .map(({ where, text, paragraph_id: id, start_time: seconds }) => ({
        where,
        text,
        paragraph: id !== undefined && seconds !== undefined ? { id, seconds } : null,
      })),
    matchCount: row.match_count,
  };
}
