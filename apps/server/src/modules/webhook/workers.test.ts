import { v7 as uuidv7 } from 'uuid';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Receiver, startReceiver } from '../../../test/receiver.ts';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { createPhone, operation } from '../../../test/sync.ts';
import { createWebhook, deliver } from '../../../test/webhooks.ts';
import { startWorker, stopWorker } from '../../../test/worker.ts';

/*
 * Real workers send a thousand deliveries to a real receiver. Each reports the deletion of a recording, and was created
 * by `sync/apply` in the same transaction as the deletion.
 */
const count = 1000;
const opsPerCall = 500;
/** Number of deliveries sent to a webhook concurrently. */
const batchSize = 10;
const environment = { WEBHOOKS_PRIVATE: 'on' };

let server: TestServer;
let owner: Account;
let receiver: Receiver;
let webhookId: string;
beforeEach(async () => {
  server = await startTestServer(environment);
  owner = await server.register();
  receiver = await startReceiver();
  const events = ['recording.deleted'] as const;
  webhookId = (await createWebhook(server, owner, receiver.url, events)).id;
});
afterEach(async () => {
  await receiver.close();
  await server.close();
});

/** Adds recordings, and deletes them as a phone does. */
async function deleteRecordings(): Promise<void> {
  const flags = Array.from({ length: count }, () => crypto.randomUUID() as string);
  await server.db
    .insertInto('recordings')
    .values(
      flags.map((client_flag) => ({
        id: uuidv7(),
        account_id: owner.id,
        client_flag,
        rev: 1,
        recorded_at: server.now(),
      })),
    )
    .execute();
  for (let start = 0; start < count; start += opsPerCall) {
    const batch = flags.slice(start, start + opsPerCall);
    await createPhone(server, owner).apply(
      batch.map((recording) => operation({ type: 'recording.delete', recording })),
    );
  }
}

const receivedIds = () => receiver.received.map(({ id }) => id);
const statuses = async () => {
  const rows = server.db.selectFrom('webhook_deliveries').select(['id', 'status']);
  return new Map((await rows.execute()).map(({ id, status }) => [id, status]));
};

it('sends each of a thousand deliveries once, or lists it as failed', async () => {
  // The receiver permanently rejects some deliveries.
  const refused = new Set<string>();
  receiver.respond = ({ id }) => {
    if (!refused.has(id) && receiver.received.length % 100 === 0) refused.add(id);
    return refused.has(id) ? 500 : 204;
  };
  const workers = await Promise.all([
    startWorker(server, environment),
    startWorker(server, environment),
  ]);
  try {
    await deleteRecordings();
    await vi.waitUntil(() => new Set(receivedIds()).size === count, 60_000);
    // Wait until the last results are stored.
    await vi.waitUntil(async () => {
      const waiting = [...(await statuses()).values()].filter((status) => status === 'waiting');
      return waiting.length === refused.size;
    }, 60_000);
  } finally {
    await Promise.all(workers.map((worker) => stopWorker(worker)));
  }
  const listed = await statuses();
  expect(listed.size).toBe(count);
  expect(new Set(receivedIds())).toEqual(new Set(listed.keys()));
  const delivered = receivedIds().filter((id) => !refused.has(id));
  expect(delivered).toHaveLength(new Set(delivered).size);
  for (const [id, status] of listed) {
    expect(status, id).toBe(refused.has(id) ? 'waiting' : 'delivered');
  }
  // Four days later, the rejected deliveries have failed permanently.
  for (let hours = 0; hours < 4 * 24; hours += 1) {
    server.advanceClock(3600);
    await deliver(server, webhookId);
  }
  for (const [id, status] of await statuses()) {
    expect(status, id).toBe(refused.has(id) ? 'failed' : 'delivered');
  }
});

it('loses no delivery if a worker is killed', async () => {
  const accepted = 100;
  const killed = await startWorker(server, environment);
  // The receiver stops responding, so the worker is killed during its attempts.
  receiver.respond = () => (receiver.received.length <= accepted ? 204 : null);
  await deleteRecordings();
  await vi.waitUntil(() => receiver.received.length > accepted, 60_000);
  await stopWorker(killed, 'SIGKILL');
  const claimed = receiver.received.length - accepted;
  expect(claimed).toBeLessThanOrEqual(2 * batchSize);
  receiver.respond = () => 204;
  const next = await startWorker(server, environment);
  try {
    // The queue hands the dead worker's job to this worker. The deliveries claimed by the dead worker are still
    // claimed.
    await vi.waitUntil(() => new Set(receivedIds()).size >= count - 2 * batchSize, 60_000);
  } finally {
    await stopWorker(next);
  }
  server.advanceClock(61);
  await deliver(server, webhookId);
  const ids = receivedIds();
  expect(new Set(ids).size).toBe(count);
  expect(ids.length - count).toBeLessThanOrEqual(3 * batchSize);
  for (const [id, status] of await statuses()) expect(status, id).toBe('delivered');
});
