/**
 * Stores the voices of speakers and the names proposed from them. A named voice has no row of its own: it consists of
 * the embeddings of all speakers with that name. It therefore changes whenever a speaker is named or a recording is
 * deleted.
 */
import { voiceSetting } from '@linnet/contract/statuses';
import { sql } from 'kysely';
import type { Queries, Transaction } from '../../db/database.ts';
import { vectorFromBytes, vectorToBytes } from '../../providers/speakers/vectors.ts';
import { proposeNames } from './propose.ts';

/** Voices computed with the user's consent. */
export interface ConsentedVoices {
  /** The account's revision at which the user consented. Absent from the output of older versions. */
  readonly consent?: number | undefined;
}

/** The voices of a recording's speakers, as computed by one model. */
export interface RecordingVoices extends ConsentedVoices {
  readonly model: string;
  readonly voices: readonly {
    /** The speaker's label in the transcript. */
    readonly speaker: string;
    /** A unit vector. */
    readonly embedding: Float32Array;
  }[];
}

/** A recording, identified by its account and ID. */
interface OwnRecording {
  readonly accountId: string;
  readonly recordingId: string;
}

/** Returns the revision at which the user consented to storing voices, or null without consent. */
export async function findVoiceConsent(
  queries: Queries,
  accountId: string,
): Promise<number | null> {
  const setting = await queries
    .selectFrom('settings')
    .select('since')
    .where('account_id', '=', accountId)
    .where('group_name', '=', voiceSetting.group)
    .where('config_key', '=', voiceSetting.key)
    .where('config_value', '=', '1')
    .executeTakeFirst();
  return setting?.since ?? null;
}

/**
 * Returns whether the consent under which voices were computed is still valid. It isn't if the user has withdrawn it,
 * even if the user has consented again since. The transaction must already hold the account's lock, so the consent
 * can't be withdrawn before the voices are written.
 */
export async function isConsentValid(
  trx: Transaction,
  accountId: string,
  { consent }: ConsentedVoices,
): Promise<boolean> {
  return consent !== undefined && consent === (await findVoiceConsent(trx, accountId));
}

/**
 * Deletes a recording's voices, because its speakers get new labels with a new transcript. The transaction must already
 * hold the account's lock.
 * @returns the labels of the speakers whose names the user has decided on
 */
export async function deleteRecordingVoices(
  trx: Transaction,
  recordingId: string,
): Promise<string[]> {
  const deleted = await trx
    .deleteFrom('speaker_voices')
    .where('recording_id', '=', recordingId)
    .returning(['speaker', 'is_answered'])
    .execute();
  return deleted.flatMap(({ speaker, is_answered: isAnswered }) => (isAnswered ? speaker : []));
}

/**
 * Stores the voices of a new transcript, provided that the user still consents, and proposes names for its speakers.
 * The transaction must already hold the account's lock.
 * @param answered the labels of the speakers whose names the user has decided on
 * @param rev revision of the transaction
 */
export async function storeVoices(
  trx: Transaction,
  { accountId, recordingId }: OwnRecording,
  recordingVoices: RecordingVoices | null,
  answered: ReadonlySet<string>,
  rev: number,
): Promise<void> {
  if (recordingVoices && (await isConsentValid(trx, accountId, recordingVoices))) {
    const { model, voices } = recordingVoices;
    const rows = voices.map(({ speaker, embedding }) => ({
      account_id: accountId,
      recording_id: recordingId,
      speaker,
      model,
      embedding: vectorToBytes(embedding),
      is_answered: answered.has(speaker),
    }));
    if (rows.length > 0) await trx.insertInto('speaker_voices').values(rows).execute();
  }
  await refreshProposals(trx, accountId, () => rev);
}

/**
 * Copies a recording's voices to the recording that it was merged into. If a speaker already has a voice there, that
 * voice is kept. The transaction must already hold the account's lock.
 * @param labels maps this recording's speaker labels to the labels in the merged recording
 */
export async function copyVoices(
  trx: Transaction,
  fromId: string,
  toId: string,
  labels: ReadonlyMap<string, string>,
): Promise<void> {
  const voices = await trx
    .selectFrom('speaker_voices')
    .select(['account_id', 'speaker', 'model', 'embedding', 'is_answered'])
    .where('recording_id', '=', fromId)
    .execute();
  const rows = voices.flatMap((voice) => {
    const speaker = labels.get(voice.speaker);
    return speaker === undefined ? [] : [{ ...voice, recording_id: toId, speaker }];
  });
  if (rows.length === 0) return;
  await trx
    .insertInto('speaker_voices')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Marks speakers as decided on by the user, so no name is proposed for them again. */
export async function markAnswered(
  trx: Transaction,
  speakers: readonly { readonly recordingId: string; readonly speaker: string }[],
): Promise<void> {
  const values = speakers.map(({ recordingId: id, speaker }) => ({ id, speaker }));
  await sql`
    update speaker_voices set is_answered = true
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as v(id uuid, speaker text)
    where recording_id = v.id and speaker_voices.speaker = v.speaker`.execute(trx);
}

/** Deletes all voices of an account, including voices already computed by transcriptions in progress. */
export async function deleteAllVoices(trx: Transaction, accountId: string): Promise<void> {
  await trx.deleteFrom('speaker_voices').where('account_id', '=', accountId).execute();
  await sql`
    update task_steps set output = output - 'voices'
    where step = 'speakers' and task_id in (select id from tasks where account_id = ${accountId})`.execute(
    trx,
  );
}

/**
 * Recomputes the names proposed for the speakers of an account's recordings. The transaction must already hold the
 * account's lock.
 * @param nextRev returns the revision for the changed recordings; called only if any recordings have changed
 */
export async function refreshProposals(
  trx: Transaction,
  accountId: string,
  nextRev: () => number | Promise<number>,
): Promise<void> {
  const rows = await trx
    .selectFrom('recordings')
    .leftJoin('speaker_voices as voice', 'voice.recording_id', 'recordings.id')
    .select(['recordings.id', 'recordings.speakers', 'recordings.proposals'])
    .select(['voice.speaker', 'voice.model', 'voice.embedding', 'voice.is_answered'])
    .where('recordings.account_id', '=', accountId)
    // Most recordings have neither voices nor proposals, and aren't read.
    .where(
      sql<boolean>`recordings.id in (
        select recording_id from speaker_voices where account_id = ${accountId}
        union select id from recordings where account_id = ${accountId} and proposals <> '{}')`,
    )
    .execute();
  const proposed = proposeNames(
    rows.flatMap(({ id, speakers, speaker, model, embedding, is_answered }) =>
      speaker === null || model === null || embedding === null
        ? []
        : [
            {
              recordingId: id,
              speaker,
              model,
              embedding: vectorFromBytes(embedding),
              name: Object.hasOwn(speakers, speaker) ? (speakers[speaker] ?? null) : null,
              isAnswered: is_answered === true,
              namesInRecording: Object.values(speakers),
            },
          ],
    ),
  );
  const changed = new Map(
    rows
      .filter(
        ({ id, proposals }) =>
          serializeProposals(proposals) !== serializeProposals(proposed.get(id) ?? {}),
      )
      .map(({ id }) => [id, proposed.get(id) ?? {}]),
  );
  if (changed.size === 0) return;
  const values = [...changed].map(([id, proposals]) => ({ id, proposals }));
  await sql`
    update recordings set proposals = v.proposals, rev = ${await nextRev()}
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as v(id uuid, proposals jsonb)
    where recordings.id = v.id`.execute(trx);
}

/** Serializes proposals for comparison, independent of the order of their labels. */
const serializeProposals = (proposals: Readonly<Record<string, string>>) =>
  JSON.stringify(Object.entries(proposals).sort(([a], [b]) => (a < b ? -1 : 1)));
