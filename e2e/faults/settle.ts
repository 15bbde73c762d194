/** Waits until nothing is pending once a history's faults have ended. */
import { setTimeout as delay } from 'node:timers/promises';
import { nextStep, readStorageSetting } from '@linnet/sync';
import { findLocallyBinned } from './locally-binned.ts';
import type { FaultPhone } from './phone.ts';
import type { World } from './world.ts';

/** Interval between checks, in milliseconds. */
const POLL_MS = 100;
/**
 * How long all work may take to complete, in milliseconds. The longest wait is for a job whose worker was killed: it
 * restarts after twelve seconds. A busy machine takes much longer.
 */
const LIMIT_MS = 300_000;
/** How long nothing may change before the user opens the app and taps every retry button, in milliseconds. */
const PATIENCE_MS = 3000;

/** Thrown if work is still pending although it should have completed. */
export class StuckError extends Error {
  override readonly name = 'Stuck';
}

/**
 * Clears all faults, and waits until both phones and the server have completed their work.
 * @throws Stuck
 */
export async function settle(world: World, limitMs = LIMIT_MS): Promise<void> {
  await world.endFaults();
  const deadline = Date.now() + limitMs;
  // The second phone's edits may cause work on the first.
  for (const phone of [...world.phones, world.phones[0]]) {
    await world.connect(phone);
    await waitUntilIdle(world, phone, deadline);
  }
  // Without a request, the second phone would fetch the first phone's changes only at its next poll.
  await waitUntilIdle(world, world.phones[1], deadline);
}

async function waitUntilIdle(world: World, phone: FaultPhone, deadline: number): Promise<void> {
  let [known, changedAt] = ['', Date.now()];
  for (;;) {
    world.signal.throwIfAborted();
    const work = await findPending(world, phone);
    const pending = work.length > 0 ? work : await findLiveSessions(world);
    if (pending.length === 0) return;
    if (Date.now() > deadline) throw new StuckError(pending.join('; '));
    const pendingText = pending.join('; ');
    if (pendingText !== known) [known, changedAt] = [pendingText, Date.now()];
    else if (Date.now() - changedAt > PATIENCE_MS) {
      // The server keeps the sessions of recordings that aren't uploaded for a day.
      if (work.length === 0) await world.expireLiveSessions();
      else await tryAgain(world, phone);
      changedAt = Date.now();
    }
    await delay(POLL_MS);
  }
}

/** Acts like a user: opens the app, reconnects the recorder, and retries everything that the app reports as failed. */
async function tryAgain(world: World, phone: FaultPhone): Promise<void> {
  await world.connect(phone);
  for (const { id, problem, copies } of await phone.records.summaries(phone.uid)) {
    if (problem?.step === 'fetch' && copies.recorder.status === 'absent') await phone.download(id);
    else if (problem && problem.step !== 'transcribe') await phone.retry(id);
  }
  for (const each of world.phones) each.wake();
}

/** Describes all work pending on a phone or the server. */
async function findPending(world: World, phone: FaultPhone): Promise<string[]> {
  const pending: string[] = [];
  const polled = await phone.poll();
  if (!polled.ok) pending.push(`the server doesn't answer: ${JSON.stringify(polled.failure)}`);
  const { records, changes, uid } = phone;
  const edits = await changes.pendingCount(uid);
  if (edits > 0) pending.push(`${edits} edits are not sent`);
  const setting = readStorageSetting(await changes.settings(uid));
  const policy = {
    ...{ upload: setting.cloudSave === 1, transcribe: 'en', languages: ['en'], maySend: true },
  };
  for (const record of await records.queue(uid, policy.upload)) {
    const next = nextStep(record, policy);
    if (next) pending.push(`${next.step} of ${record.id} is queued`);
  }
  const onRecorder = await world.recorder.digests();
  const keptSources = world.sources.filter(({ id }) => !world.deleted.has(id));
  const knownWork = await records.work(keptSources.map(({ id }) => id));
  const visible = new Map((await records.summaries(uid)).map((row) => [row.id, row]));
  for (const { id, sessionId } of keptSources) {
    const work = knownWork.get(id);
    if (!work) {
      if (!onRecorder.has(sessionId) && (await findLocallyBinned(world)).has(id)) continue;
      pending.push(`${id} is not on the phone`);
      continue;
    }
    const row = visible.get(id);
    const isOnRecorder = onRecorder.has(sessionId);
    const isKept = setting.appSave === 1 && work.phoneRetention !== 'never';
    // Even if phones aren't a storage location, they transfer the recorder's audio to the cloud.
    const isInTransit = isOnRecorder && work.copies.cloud.status !== 'verified';
    const canBeFetched = isOnRecorder || work.copies.cloud.status !== 'absent';
    const isExpected = row !== undefined && canBeFetched && (isKept || isInTransit);
    if (isExpected && work.copies.phone.status !== 'verified')
      pending.push(`the audio of ${id} is ${work.copies.phone.status}`);
  }
  const openTasks = await world.server.rows<{ id: string; status: number }>(
    'select id, status from tasks where account_id = $1 and status < 2',
    [world.account.id],
  );
  for (const { id, status } of openTasks) pending.push(`task ${id} has status ${status}`);
  for (const [id, { state }] of phone.liveTexts) {
    if (state.status === 'listening') pending.push(`the live text of ${id} is incomplete`);
  }
  return pending;
}

/** Describes the live sessions that the server still has. */
async function findLiveSessions({ server, account }: World): Promise<string[]> {
  const sessions = await server.rows<{ client_flag: string }>(
    'select client_flag from live_sessions where account_id = $1',
    [account.id],
  );
  return sessions.map(({ client_flag }) => `${client_flag} has a live session`);
}
