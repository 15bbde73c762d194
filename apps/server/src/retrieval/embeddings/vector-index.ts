import { type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { latestTranscript } from '../../modules/task/latest-transcript.ts';
import { type Embedder, EmbeddingFailure } from '../../providers/embedding/port.ts';
import { markChanges } from './changes.ts';
import {
  type PackedVector,
  type PendingRecording,
  readVectors,
  storeVectors,
} from './vector-store.ts';
import { packSigns, packVector, wordsToBytes } from './vectors.ts';
import { createWindows, type Window } from './windows.ts';

/** Keeps the vectors of all accounts up to date. All vectors are computed by the same model. */
export interface VectorIndex {
  /**
   * Computes missing vectors. Safe to run in several processes: at worst, they compute the same vectors.
   * @param deadline time in milliseconds after which no further work is started
   * @throws EmbeddingFailure if the engine fails on texts that it should accept
   */
  update(deadline: number, signal: AbortSignal): Promise<UpdateResult>;
  /**
   * Counts the recordings whose vectors are missing, outdated, or from a different model.
   * @throws EmbeddingFailure if the engine fails
   */
  countMissing(signal: AbortSignal): Promise<number>;
}

export interface UpdateResult {
  /** Number of computed vectors. */
  readonly vectors: number;
  /** Recordings with text that the engine can't embed, each with the last error. */
  readonly failed: readonly { readonly recordingId: string; readonly reason: EmbeddingFailure }[];
}

/** Number of windows per request. */
const batchSize = 64;
/** Time in milliseconds after which the finished vectors of a long recording are stored before computing the rest. */
const storeAfterMs = 20_000;
/** Number of recordings to read from the database at once. */
const pageSize = 100;
/** Time in milliseconds for which the name of the engine's model is cached. */
const modelCacheMs = 3_600_000;
/** A text to embed only to find out the engine's model. */
const probe = 'The meeting begins at nine.';

/** @param options overrides `storeAfterMs` in tests */
export function createVectorIndex(
  db: Database,
  embedder: Embedder,
  { storeAfter = storeAfterMs }: { readonly storeAfter?: number } = {},
): VectorIndex {
  let identity: { readonly model: string; readonly until: number } | null = null;

  /** Determines the engine's model with a request, because only responses name it. */
  async function fetchModel(signal: AbortSignal): Promise<string> {
    identity = null;
    const { model } = await embedder.embed({ kind: 'passage', texts: [probe], signal });
    identity = { model, until: Date.now() + modelCacheMs };
    return model;
  }

  const currentModel = async (signal: AbortSignal) =>
    identity !== null && Date.now() < identity.until ? identity.model : fetchModel(signal);

  const selectPending = (model: string) =>
    db
      .selectFrom('passage_vectors')
      .innerJoin('accounts', 'accounts.id', 'passage_vectors.account_id')
      .where('accounts.closed_at', 'is', null)
      .where(sql<SqlBool>`(changed_rev <> computed_rev or model is distinct from ${model})`);

  /** Returns pending recordings: the fewest failures first, then the most recent. */
  const nextPage = (model: string): Promise<PendingRecording[]> =>
    selectPending(model)
      .select(['recording_id', 'account_id', 'changed_rev', 'passage_vectors.version', 'failures'])
      .where(sql<SqlBool>`retry_at <= now()`)
      .orderBy('failures')
      .orderBy('recording_id', 'desc')
      .limit(pageSize)
      .execute();

  /**
   * Computes the vectors of windows. If the engine rejects a batch, splits it recursively to find the rejected texts
   * and compute the others.
   * @throws EmbeddingFailure if the engine fails for another reason, or now uses a different model
   */
  async function compute(windows: readonly Window[], model: string, signal: AbortSignal) {
    const found = new Map<string, PackedVector>();
    let reason: EmbeddingFailure | null = null;
    const queue = [windows];
    for (let batch = queue.pop(); batch !== undefined; batch = queue.pop()) {
      try {
        const texts = batch.map(({ text }) => text);
        const answer = await embedder.embed({ kind: 'passage', texts, signal });
        if (answer.model !== model) throw changedModel(model, answer.model);
        for (const [index, vector] of answer.vectors.entries()) {
          const packed = { bits: wordsToBytes(packSigns(vector)), vector: packVector(vector) };
          found.set(batch[index]?.digest ?? '', packed);
        }
      } catch (error) {
        if (!(error instanceof EmbeddingFailure) || !error.isCausedByTexts) throw error;
        if (reason === null && (await fetchModel(signal)) !== model) throw error;
        reason = error;
        const middle = Math.ceil(batch.length / 2);
        if (batch.length > 1) queue.push(batch.slice(middle), batch.slice(0, middle));
      }
    }
    return { found, reason };
  }

  function changedModel(before: string, after: string): EmbeddingFailure {
    identity = null;
    return new EmbeddingFailure(
      'engine-failed',
      `the model has changed from ${before} to ${after}`,
    );
  }

  /**
   * Computes and stores vectors of a recording. Holds no lock during the computation.
   * @returns `rest` is the recording if some vectors are still missing and no other process has changed them, or null
   */
  async function step(pending: PendingRecording, model: string, signal: AbortSignal) {
    const { taskId, windows } = await readWindows(db, pending.recording_id);
    const stored = await readVectors(db, pending, model);
    const vectors = new Map(stored?.byDigest);
    const missing = windows.filter(({ digest }) => !vectors.has(digest));
    const startedAt = Date.now();
    let [done, count] = [0, 0];
    let reason: EmbeddingFailure | null = null;
    while (done < missing.length && (done === 0 || Date.now() - startedAt < storeAfter)) {
      const computed = await compute(missing.slice(done, done + batchSize), model, signal);
      for (const [digest, packed] of computed.found) vectors.set(digest, packed);
      done += batchSize;
      count += computed.found.size;
      reason ??= computed.reason;
    }
    const isLast = done >= missing.length;
    const next = await storeVectors(db, pending, stored, {
      ...{ model, taskId, hasFailed: reason !== null, isComplete: isLast && reason === null },
      windows: windows.flatMap((window) => {
        const packed = vectors.get(window.digest);
        return packed === undefined ? [] : [[window, packed]];
      }),
    });
    return { count, reason, rest: isLast || reason !== null ? null : next };
  }

  return {
    async update(deadline, signal) {
      const isOver = () => signal.aborted || Date.now() >= deadline;
      const failed: { recordingId: string; reason: EmbeddingFailure }[] = [];
      let vectors = 0;
      await markChanges(db, deadline);
      // If there are no recordings, don't send a request just to determine the model.
      if (!(await hasRecordings(db))) return { vectors, failed };
      const model = await currentModel(signal);
      for (;;) {
        const page = isOver() ? [] : await nextPage(model);
        for (const first of page) {
          for (let rest: PendingRecording | null = first; rest !== null && !isOver(); ) {
            const { recording_id: recordingId }: PendingRecording = rest;
            const stepped = await step(rest, model, signal);
            vectors += stepped.count;
            if (stepped.reason !== null) failed.push({ recordingId, reason: stepped.reason });
            rest = stepped.rest;
          }
        }
        if (page.length === 0) return { vectors, failed };
      }
    },

    async countMissing(signal) {
      const { count } = await selectPending(await currentModel(signal))
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return count;
    },
  };
}

async function hasRecordings(db: Database): Promise<boolean> {
  const row = await db
    .selectFrom('passage_vectors')
    .select('recording_id')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Reads the windows of a recording's latest transcript. */
async function readWindows(db: Database, recordingId: string) {
  const transcript = await latestTranscript(db, recordingId);
  if (transcript === undefined) return { taskId: null, windows: [] };
  const paragraphs = await db
    .selectFrom('paragraphs')
    .select(['ordinal', 'content'])
    .where('task_id', '=', transcript.id)
    .orderBy('ordinal')
    .execute();
  return { taskId: transcript.id, windows: createWindows(paragraphs) };
}
