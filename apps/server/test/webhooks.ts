import type { CallInput } from '@linnet/contract';
import type { WebhookEvent } from '@linnet/contract/webhooks';
import { pino } from 'pino';
import { type DeliverDependencies, deliverDue } from '../src/modules/webhook/deliver.ts';
import { webhookDestinations } from '../src/modules/webhook/destination.ts';
import { createWebhookSender } from '../src/modules/webhook/sender.ts';
import { loadKeys } from '../src/secrets.ts';
import type { Account, TestServer } from './server.ts';

export interface CreatedWebhook {
  readonly id: string;
  readonly secret: string;
}

export async function createWebhook(
  server: TestServer,
  { access: token }: Account,
  url: string,
  events: readonly WebhookEvent[],
): Promise<CreatedWebhook> {
  const { data, msg } = await server.call('webhook/create', { url, events }, { token });
  if (!data) throw new Error(`webhook/create failed: ${msg}`);
  return data;
}

/** Returns a worker's dependencies for delivering, with the test server's clock. */
export async function createDeliverDependencies(
  server: TestServer,
  replaced: Partial<DeliverDependencies> = {},
): Promise<DeliverDependencies> {
  const { db, queue, now, config } = server;
  return {
    ...{ db, queue, now, random: () => 0 },
    sender: createWebhookSender({
      ...webhookDestinations(config),
      version: config.version,
      timeoutMs: 2000,
    }),
    secretKey: (await loadKeys(config)).webhookSecret,
    origin: config.origin,
    log: pino({ level: 'silent' }),
    ...replaced,
  };
}

/** Returns when a webhook's next job starts, or null if none is queued. */
export async function wakeTime({ db }: TestServer, id: string): Promise<Date | null> {
  const webhook = await db
    .selectFrom('webhooks')
    .select('wake_at')
    .where('id', '=', id)
    .executeTakeFirst();
  return webhook?.wake_at ?? null;
}

const neverAborted = new AbortController().signal;

/** Runs a webhook's jobs that are due according to the test server's clock. */
export async function deliver(
  server: TestServer,
  webhookId: string,
  replaced: Partial<DeliverDependencies> = {},
): Promise<void> {
  const deps = await createDeliverDependencies(server, replaced);
  for (;;) {
    const at = await wakeTime(server, webhookId);
    if (at === null || at > server.now()) return;
    await deliverDue(deps, { webhookId, at: at.toISOString() }, neverAborted);
  }
}

export async function listDeliveries(
  server: TestServer,
  { access: token }: Account,
  id: string,
  page: Partial<CallInput<'webhook/deliveries'>> = {},
) {
  const { data } = await server.call('webhook/deliveries', { id, limit: 1000, ...page }, { token });
  return data.list;
}
