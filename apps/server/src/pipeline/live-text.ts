/** Reuses live text: the results of slices that were recognized while a recording was in progress. */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AudioFailure } from '@linnet/audio/failure';
import { PACKET_BYTES, PACKET_MS } from '@linnet/audio/format';
import { OggOpusReader } from '@linnet/audio/ogg';
import { sql } from 'kysely';
import type { Row } from '../db/database.ts';
import { DECODER_PREROLL, startOfPacket } from '../live/audio.ts';
import type { SliceResult } from '../live/store.ts';
import { shift } from '../live/text.ts';
import { findLiveSession } from '../modules/live/service.ts';
import type { StepContext } from './step.ts';

/** The part of a recording that was recognized while it was in progress. */
export interface LiveText {
  readonly sessionId: string;
  /** Number of slices whose audio matches the stored recording. */
  readonly slices: number;
  /** Number of packets in these slices. */
  readonly packets: number;
}

/** A recording's live text, and the audio after it. */
export interface LiveMatch extends LiveText {
  /** Number of packets in the recording. */
  readonly total: number;
  /** The packets after `startOfRest`, or null if there are too many to keep in memory. */
  readonly rest: Uint8Array | null;
}

/** Timeout for a worker that is recognizing the last seconds, in milliseconds. */
const maxWaitMs = 10_000;
/** Poll interval during that time, in milliseconds. */
const pollMs = 100;
/**
 * Maximum number of packets worth waiting for (30 s of audio). For longer audio, ordinary recognition, which uses all
 * cores, is faster.
 */
const maxAwaited = 30_000 / PACKET_MS;
/** Maximum size of the audio after the live text to keep in memory, in bytes: ten minutes. */
const maxRestBytes = (600_000 / PACKET_MS) * PACKET_BYTES;

/**
 * Compares the slices of the recording's session with the stored audio.
 * @returns null if there is no live text for the task's language and engine, or it doesn't match the stored audio
 * @throws StorageFailure
 */
export async function matchLiveText(
  context: StepContext,
  key: string,
  signal: AbortSignal,
): Promise<LiveMatch | null> {
  const { db, store, task, recording, engines } = context;
  if (task.audio_key !== null) return null;
  const found = await findLiveSession(db, task.account_id, recording.client_flag);
  if (!found) return null;
  if (found.language === task.language) await waitForLastSlice(context, found, signal);
  await takeOver(db, found);
  const session = await findLiveSession(db, task.account_id, recording.client_flag);
  if (session?.language !== task.language) return null;
  const engine = (await engines.find(task.language))?.id;
  const slices = await db
    .selectFrom('live_slices')
    .select(['count', 'sha256'])
    .select(sql<string | null>`result->>'engine'`.as('engine'))
    .where('session_id', '=', session.id)
    .orderBy('first')
    .execute();
  const isSameEngine = slices.every((slice) => !slice.engine || isFromEngine(slice.engine, engine));
  if (slices.length === 0 || !isSameEngine || recording.object_key !== key) return null;
  const matched = await compare(await store.read(key), slices, signal);
  return matched.slices === 0 ? null : { sessionId: session.id, ...matched };
}

/**
 * Takes the session away from its worker, because this task recognizes the rest of the audio. The worker notices within
 * seconds.
 */
async function takeOver(
  db: StepContext['db'],
  { id }: Pick<Row<'live_sessions'>, 'id'>,
): Promise<void> {
  await db
    .updateTable('live_sessions')
    .set({ held_by: null, held_until: sql<Date>`'infinity'` })
    .where('id', '=', id)
    .execute();
}

/** Returns whether a slice's engine and model (`pocketsphinx/en-us`) belong to an engine (`pocketsphinx`). */
function isFromEngine(name: string, engine: string | undefined): boolean {
  return name.split('/')[0] === engine;
}

/** Waits while a worker is still recognizing the last seconds of a finished recording. */
async function waitForLastSlice(
  { db, recording, task }: StepContext,
  found: Row<'live_sessions'>,
  signal: AbortSignal,
): Promise<void> {
  const deadline = performance.now() + maxWaitMs;
  let session: Row<'live_sessions'> | undefined = found;
  while (session && performance.now() < deadline) {
    const waiting = session.received - session.settled;
    const isInProgress = session.error_code === null && waiting > 0 && waiting <= maxAwaited;
    // A session without a holder is claimed within half a second, unless a task has taken over.
    const isHeld =
      session.held_until === null || (session.held_by !== null && session.held_until > new Date());
    if (!session.ended || !isInProgress || !isHeld) return;
    await delay(pollMs, undefined, { signal });
    session = await findLiveSession(db, task.account_id, recording.client_flag);
  }
}

/** Compares slices with the packets of an Ogg Opus file, up to the first difference. */
async function compare(
  file: AsyncIterable<Uint8Array>,
  slices: readonly Pick<Row<'live_slices'>, 'count' | 'sha256'>[],
  signal: AbortSignal,
): Promise<Omit<LiveMatch, 'sessionId'>> {
  const reader = new OggOpusReader();
  let matched = { slices: 0, packets: 0 };
  let hash = createHash('sha256');
  let hashed = 0;
  /** The packets after the matched slices, preceded by the packets that restore the decoder's state. */
  let remainingChunks: Uint8Array[] | null = [];
  let isEqual = true;
  let total = 0;
  try {
    for await (const bytes of file) {
      signal.throwIfAborted();
      for (const packet of reader.push(bytes)) take(packet);
    }
    reader.end();
  } catch (error) {
    if (!(error instanceof AudioFailure)) throw error;
    return { slices: 0, packets: 0, total: 0, rest: null };
  }
  if (total === matched.packets) remainingChunks = [];
  return { ...matched, total, rest: remainingChunks && Buffer.concat(remainingChunks) };

  function take(packet: Uint8Array): void {
    // Other encoders use packets of varying sizes. There is no live text for those.
    if (packet.length !== PACKET_BYTES) throw new AudioFailure('opus-invalid', 'packet size');
    total += 1;
    remainingChunks?.push(packet);
    if (
      remainingChunks &&
      remainingChunks.length * PACKET_BYTES > maxRestBytes &&
      (!isEqual || !slices[matched.slices])
    ) {
      remainingChunks = null;
    }
    const slice = slices[matched.slices];
    if (!isEqual || !slice) return;
    hash.update(packet);
    hashed += 1;
    if (hashed < slice.count) return;
    isEqual = hash.digest().equals(slice.sha256);
    if (!isEqual) return;
    matched = { slices: matched.slices + 1, packets: matched.packets + hashed };
    remainingChunks = remainingChunks?.slice(-DECODER_PREROLL) ?? null;
    hash = createHash('sha256');
    hashed = 0;
  }
}

/**
 * Returns where the audio after a live text starts in the recording, in seconds. It overlaps the text by
 * `DECODER_PREROLL`, because a decoder needs some packets to converge.
 */
export function startOfRest({ packets }: LiveText): number {
  return (Math.max(0, packets - DECODER_PREROLL) * PACKET_MS) / 1000;
}

/**
 * Reads the results of a live text, in order.
 * @throws Error if the text no longer exists. The next attempt then decodes the whole recording.
 */
export async function readLiveText(
  { db, task }: StepContext,
  { sessionId, slices }: LiveText,
): Promise<SliceResult[]> {
  const rows = await db
    .selectFrom('live_slices')
    .select('result')
    .where('session_id', '=', sessionId)
    .orderBy('first')
    .limit(slices)
    .execute();
  if (rows.length < slices) {
    await deleteDecodingOutput(db, task.id);
    throw new Error('the live text was deleted');
  }
  return rows.flatMap(({ result }) => (result ? [result] : []));
}

/**
 * Deletes decoding output that relied on live text, so that the next attempt compares the text with the audio again.
 * @returns whether there was such output
 */
export async function deleteLiveDecodingOutput(
  db: StepContext['db'],
  taskId: string,
): Promise<boolean> {
  const decoded = await db
    .selectFrom('task_steps')
    .select('task_id')
    .where('task_id', '=', taskId)
    .where('step', '=', 'decode')
    .where(sql<boolean>`output->'live' is not null`)
    .executeTakeFirst();
  if (decoded) await deleteDecodingOutput(db, taskId);
  return decoded !== undefined;
}

/** Deletes the outputs that describe the decoded audio. These steps run again. */
async function deleteDecodingOutput(db: StepContext['db'], taskId: string): Promise<void> {
  await db
    .deleteFrom('task_steps')
    .where('task_id', '=', taskId)
    .where('step', 'in', ['decode', 'detect'])
    .execute();
}

/** Returns the language in which most words were recognized. */
export function mainLanguage(results: readonly SliceResult[]): SliceResult['language'] | undefined {
  const votes = new Map<SliceResult['language'], number>();
  for (const { language, words } of results) {
    votes.set(language, (votes.get(language) ?? 0) + words.length);
  }
  return [...votes].toSorted((a, b) => b[1] - a[1])[0]?.[0];
}

/** Returns a result with only the words after a live text, with times relative to the start of the recording. */
export function resultAfterLiveText(text: LiveText, restResult: SliceResult): SliceResult {
  const end = startOfPacket(text.packets);
  const words = shift(restResult.words, startOfRest(text));
  return { ...restResult, words: words.filter((word) => (word.start + word.end) / 2 >= end) };
}
