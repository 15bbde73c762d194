/** Reuses the text that was recognized while a recording was in progress. */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AudioFailure } from '@linnet/audio/failure';
import { PACKET_BYTES, PACKET_MS } from '@linnet/audio/format';
import { OggOpusReader } from '@linnet/audio/ogg';
import { sql } from 'kysely';
import type { Row } from '../db/database.ts';
import { DECODER_RUN_UP, startOfPacket } from '../live/audio.ts';
import type { SliceResult } from '../live/store.ts';
import { shift } from '../live/text.ts';
import { findLiveSession } from '../modules/live/service.ts';
import type { StepContext } from './step.ts';

/** The part of a recording that was recognized before its end. */
export interface LiveText {
  readonly sessionId: string;
  /** Number of slices that equal the recording's audio. */
  readonly slices: number;
  /** Number of packets in these slices. */
  readonly packets: number;
}

/** A recording's live text, and the audio after it. */
export interface LiveMatch extends LiveText {
  /** Number of packets in the recording. */
  readonly total: number;
  /** The packets from `startOfRest` on; null if there are too many to keep in memory. */
  readonly rest: Uint8Array | null;
}

/** Milliseconds to wait for a worker that is recognizing the last seconds, and between polls. */
const maxWaitMs = 10_000;
const pollMs = 100;
/** Packets that are left to the ordinary recognition, which uses all cores, instead of being waited for: 30 s. */
const maxAwaited = 30_000 / PACKET_MS;
/** Maximum size of the audio after the text that is kept in memory: ten minutes. */
const maxRestBytes = (600_000 / PACKET_MS) * PACKET_BYTES;

/**
 * Compares the slices of the recording's session with the stored audio.
 * @returns null if there is no text for the task's language and engine, or it belongs to other audio
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
  const isSameEngine = slices.every((slice) => !slice.engine || isOf(slice.engine, engine));
  if (slices.length === 0 || !isSameEngine || recording.object_key !== key) return null;
  const matched = await compare(await store.read(key), slices, signal);
  return matched.slices === 0 ? null : { sessionId: session.id, ...matched };
}

/** Ends the work of a worker on audio that this task recognizes. The worker notices within seconds. */
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

/** True if a slice was recognized by an engine (`pocketsphinx/en-us`, `pocketsphinx`). */
function isOf(name: string, engine: string | undefined): boolean {
  return name.split('/')[0] === engine;
}

/** Waits until a living worker has recognized the last seconds of a recording that has ended. */
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

/** Compares slices with the packets of an Ogg Opus file, up to the first that differs. */
async function compare(
  file: AsyncIterable<Uint8Array>,
  slices: readonly Pick<Row<'live_slices'>, 'count' | 'sha256'>[],
  signal: AbortSignal,
): Promise<Omit<LiveMatch, 'sessionId'>> {
  const reader = new OggOpusReader();
  let matched = { slices: 0, packets: 0 };
  let hash = createHash('sha256');
  let hashed = 0;
  /** Packets from the run-up of the first unmatched slice on. */
  let rest: Uint8Array[] | null = [];
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
  if (total === matched.packets) rest = [];
  return { ...matched, total, rest: rest && Buffer.concat(rest) };

  function take(packet: Uint8Array): void {
    // Other encoders use packets of varying sizes, for which there is no live text.
    if (packet.length !== PACKET_BYTES) throw new AudioFailure('opus-invalid', 'packet size');
    total += 1;
    rest?.push(packet);
    if (
      rest &&
      rest.length * PACKET_BYTES > maxRestBytes &&
      (!isEqual || !slices[matched.slices])
    ) {
      rest = null;
    }
    const slice = slices[matched.slices];
    if (!isEqual || !slice) return;
    hash.update(packet);
    hashed += 1;
    if (hashed < slice.count) return;
    isEqual = hash.digest().equals(slice.sha256);
    if (!isEqual) return;
    matched = { slices: matched.slices + 1, packets: matched.packets + hashed };
    rest = rest?.slice(-DECODER_RUN_UP) ?? null;
    hash = createHash('sha256');
    hashed = 0;
  }
}

/**
 * Returns where the audio after a live text starts in the recording, in seconds. It overlaps the text a little, because
 * a decoder needs a run-up.
 */
export function startOfRest({ packets }: LiveText): number {
  return (Math.max(0, packets - DECODER_RUN_UP) * PACKET_MS) / 1000;
}

/**
 * Reads the results of a live text, in order.
 * @throws Error if the text no longer exists, in which case the next attempt decodes the whole recording
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
    await forgetDecoding(db, task.id);
    throw new Error('the live text was deleted');
  }
  return rows.flatMap(({ result }) => (result ? [result] : []));
}

/**
 * Deletes the outputs of a decoding after live text, so that the next attempt compares the text again.
 * @returns whether there was one
 */
export async function forgetLiveDecoding(db: StepContext['db'], taskId: string): Promise<boolean> {
  const decoded = await db
    .selectFrom('task_steps')
    .select('task_id')
    .where('task_id', '=', taskId)
    .where('step', '=', 'decode')
    .where(sql<boolean>`output->'live' is not null`)
    .executeTakeFirst();
  if (decoded) await forgetDecoding(db, taskId);
  return decoded !== undefined;
}

/** Deletes the outputs that describe the decoded audio, so that these steps run again. */
async function forgetDecoding(db: StepContext['db'], taskId: string): Promise<void> {
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

/** Returns the words of the audio after a live text, with times from the start of the recording. */
export function afterText(text: LiveText, rest: SliceResult): SliceResult {
  const end = startOfPacket(text.packets);
  const words = shift(rest.words, startOfRest(text));
  return { ...rest, words: words.filter((word) => (word.start + word.end) / 2 >= end) };
}
