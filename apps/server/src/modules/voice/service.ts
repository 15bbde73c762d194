import type { CallData, CallInput } from '@linnet/contract';
import { sql } from 'kysely';
import type { Database, Queries } from '../../db/database.ts';
import { lockAccount, nextRevision } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';
import { vectorFromBytes } from '../../providers/speakers/vectors.ts';
import type { Operations } from '../sync/operations.ts';
import { refreshProposals } from './voices.ts';

/** Lists, renames, deletes and exports an account's voices. */
export interface VoiceService {
  list(accountId: string): Promise<CallData<'voice/list'>>;
  /**
   * Renames a voice, and the speaker in all its recordings.
   * @throws CallError notFound
   */
  rename(accountId: string, query: CallInput<'voice/rename'>): Promise<CallData<'voice/rename'>>;
  /**
   * Deletes a voice.
   * @throws CallError notFound
   */
  forget(accountId: string, query: CallInput<'voice/forget'>): Promise<CallData<'voice/forget'>>;
  export(accountId: string): Promise<CallData<'voice/export'>>;
}

export function createVoiceService(
  db: Database,
  operations: Pick<Operations, 'perform'>,
): VoiceService {
  return {
    async list(accountId) {
      const rows = await selectVoices(db, accountId).execute();
      const named = Map.groupBy(
        rows.flatMap((row) => (row.name === null ? [] : [{ ...row, name: row.name }])),
        ({ name }) => name,
      );
      const voices = [...named].map(([name, voice]) => {
        const times = voice.map(({ recorded_at }) => recorded_at.toISOString()).sort();
        return {
          name,
          recordings: new Set(voice.map(({ recording_id }) => recording_id)).size,
          first_at: times[0] ?? '',
          last_at: times.at(-1) ?? '',
        };
      });
      return {
        list: voices.sort((a, b) => a.name.localeCompare(b.name, 'en')),
        unnamed: rows.filter(({ name }) => name === null).length,
      };
    },

    rename: (accountId, { name, to }) =>
      db.transaction().execute(async (trx) => {
        await lockAccount(trx, accountId);
        const rows = await selectVoices(trx, accountId).where(nameSql, '=', name).execute();
        if (rows.length === 0) throw new CallError('notFound');
        await operations.perform(
          trx,
          accountId,
          rows.map(({ client_flag: recording, speaker }) => {
            return { type: 'recording.speaker', recording, speaker, name: to };
          }),
        );
        return { recordings: new Set(rows.map(({ recording_id }) => recording_id)).size };
      }),

    forget: (accountId, { name }) =>
      db.transaction().execute(async (trx) => {
        await lockAccount(trx, accountId);
        const deleted = await trx
          .deleteFrom('speaker_voices')
          .using('recordings')
          .whereRef('recordings.id', '=', 'speaker_voices.recording_id')
          .where('speaker_voices.account_id', '=', accountId)
          // Also delete the embeddings of unnamed speakers for whom this name is proposed: they have the same voice.
          .where((where) => where.or([where(nameSql, '=', name), where(proposalSql, '=', name)]))
          .returning('speaker_voices.speaker')
          .execute();
        if (deleted.length === 0) throw new CallError('notFound');
        await refreshProposals(trx, accountId, () => nextRevision(trx, accountId));
        return { embeddings: deleted.length };
      }),

    async export(accountId) {
      const rows = await selectVoices(db, accountId)
        .select(['speaker_voices.model', 'embedding', 'speaker_voices.created_at'])
        .execute();
      return {
        list: rows.map(({ name, client_flag, speaker, recorded_at, created_at, ...voice }) => ({
          name,
          client_flag,
          speaker,
          recorded_at: recorded_at.toISOString(),
          created_at: created_at.toISOString(),
          model: voice.model,
          embedding: [...vectorFromBytes(voice.embedding)],
        })),
      };
    },
  };
}

/** SQL expression for a speaker's name, or null if the speaker is unnamed. */
const nameSql = sql<string | null>`recordings.speakers ->> speaker_voices.speaker`;
const proposalSql = sql<string | null>`recordings.proposals ->> speaker_voices.speaker`;

/** Selects an account's voices with their speakers' names, ordered by recording. */
function selectVoices(queries: Queries, accountId: string) {
  return queries
    .selectFrom('speaker_voices')
    .innerJoin('recordings', 'recordings.id', 'speaker_voices.recording_id')
    .select(['speaker_voices.recording_id', 'speaker_voices.speaker'])
    .select(['recordings.client_flag', 'recordings.recorded_at', nameSql.as('name')])
    .where('speaker_voices.account_id', '=', accountId)
    .orderBy('recordings.recorded_at')
    .orderBy('speaker_voices.recording_id')
    .orderBy('speaker_voices.speaker');
}
