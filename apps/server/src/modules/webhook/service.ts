import type { CallData, CallInput, Webhook, WebhookDelivery } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import { webhookTest } from '@linnet/contract/webhooks';
import { v7 as uuidv7 } from 'uuid';
import {
  type Database,
  lockAccount,
  type Queries,
  type Row,
  type Transaction,
} from '../../db/database.ts';
import { isId } from '../../db/ids.ts';
import { withTimeout } from '../../deadline.ts';
import { CallError } from '../../http/failure.ts';
import type { Queue } from '../../jobs/queue.ts';
import { displayName } from '../recording/view.ts';
import { findDestination, parseUrl, type Resolve, urlProblems } from './destination.ts';
import { wake } from './events.ts';
import { createSecret, formatSecret, oldSecretMs, sealSecret, validSecrets } from './secret.ts';

/** Registers, lists and deletes an account's webhooks, and lists and resends their deliveries. */
export interface Webhooks {
  /**
   * Registers a webhook. Returns its secret, which can't be retrieved later.
   * @throws CallError badRequest if the URL isn't accepted; limitReached
   */
  create(accountId: string, body: CallInput<'webhook/create'>): Promise<CallData<'webhook/create'>>;
  /** Lists the webhooks, newest first. */
  list(accountId: string, page: CallInput<'webhook/index'>): Promise<CallData<'webhook/index'>>;
  /**
   * Deletes a webhook with its deliveries.
   * @throws CallError notFound
   */
  remove(accountId: string, id: string): Promise<void>;
  /**
   * Enables a disabled webhook.
   * @throws CallError notFound
   */
  enable(accountId: string, id: string): Promise<Webhook>;
  /**
   * Replaces the secret. For a day, deliveries are signed with both the old and the new secret. If the secret is
   * replaced again during that day, the first secret stays valid until the day is over.
   * @throws CallError notFound
   */
  rotateSecret(accountId: string, id: string): Promise<CallData<'webhook/rotateSecret'>>;
  /**
   * Sends a test event. Returns the delivery's ID.
   * @throws CallError notFound; badRequest if the webhook is disabled
   */
  test(accountId: string, id: string): Promise<CallData<'webhook/test'>>;
  /**
   * Lists the deliveries of a webhook, newest first.
   * @throws CallError notFound
   */
  deliveries(
    accountId: string,
    body: CallInput<'webhook/deliveries'>,
  ): Promise<CallData<'webhook/deliveries'>>;
  /**
   * Sends a delivery again, with the same ID.
   * @throws CallError notFound; badRequest if the webhook is disabled
   */
  resend(accountId: string, deliveryId: string): Promise<WebhookDelivery>;
}

export interface WebhooksDependencies {
  readonly db: Database;
  readonly queue: Queue;
  /** The key that webhook secrets are encrypted with. */
  readonly secretKey: Uint8Array;
  readonly resolve: Resolve;
  readonly allowsPrivate: boolean;
  readonly now: () => Date;
}

/** Timeout for resolving the host when a webhook is created. The host is resolved again for each delivery. */
const resolveTimeoutMs = 3000;

export function createWebhooks(deps: WebhooksDependencies): Webhooks {
  const { db, queue, secretKey, resolve, allowsPrivate, now } = deps;

  /**
   * Checks a URL and returns it in normalized form. Accepts hosts that can't be resolved at the moment.
   * @throws CallError badRequest
   */
  async function acceptUrl(text: string): Promise<string> {
    const url = parseUrl(text, allowsPrivate);
    if (!(url instanceof URL)) throw new CallError('badRequest', `url: ${urlProblems[url]}`);
    const destination = await withTimeout(
      resolveTimeoutMs,
      findDestination(url, resolve, allowsPrivate),
    ).catch(() => null);
    if (destination && 'failure' in destination && destination.failure === 'forbidden') {
      throw new CallError('badRequest', 'url: must not be on a private network');
    }
    return url.href;
  }

  /**
   * Checks that the account can have another webhook.
   * @throws CallError limitReached
   */
  async function requireCapacity(queries: Queries, accountId: string): Promise<void> {
    const { count } = await queries
      .selectFrom('webhooks')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    if (count < limits.webhooks.count) return;
    throw new CallError(
      'limitReached',
      `An account can have at most ${limits.webhooks.count} webhooks. Delete a webhook first.`,
    );
  }

  /** Locks a webhook of the account. */
  async function lock(trx: Transaction, accountId: string, id: string): Promise<Row<'webhooks'>> {
    const webhook = await trx
      .selectFrom('webhooks')
      .selectAll()
      .where('id', '=', requireId(id))
      .where('account_id', '=', accountId)
      .forUpdate()
      .executeTakeFirst();
    if (!webhook) throw new CallError('notFound');
    return webhook;
  }

  return {
    async create(accountId, { url, events }) {
      // Check the limit before resolving the host, so an account can't trigger unlimited lookups.
      await requireCapacity(db, accountId);
      const href = await acceptUrl(url);
      const id = uuidv7();
      const secret = createSecret();
      await db.transaction().execute(async (trx) => {
        await lockAccount(trx, accountId);
        await requireCapacity(trx, accountId);
        await trx
          .insertInto('webhooks')
          .values({
            id,
            account_id: accountId,
            url: href,
            events: JSON.stringify(events),
            secret: sealSecret(secretKey, id, secret),
            created_at: now(),
          })
          .execute();
      });
      return { id, secret: formatSecret(secret) };
    },

    async list(accountId, { limit, page }) {
      const ownWebhooks = db.selectFrom('webhooks').where('account_id', '=', accountId);
      const { total } = await ownWebhooks
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const rows = await ownWebhooks
        .selectAll()
        .orderBy('id', 'desc')
        .limit(limit)
        .offset((page - 1) * limit)
        .execute();
      return { list: rows.map((row) => toWebhook(row, now())), total, page, limit };
    },

    async remove(accountId, id) {
      await db.transaction().execute(async (trx) => {
        const webhook = await lock(trx, accountId, id);
        await trx.deleteFrom('webhooks').where('id', '=', webhook.id).execute();
      });
    },

    enable: (accountId, id) =>
      db.transaction().execute(async (trx) => {
        const webhook = await lock(trx, accountId, id);
        const row = await trx
          .updateTable('webhooks')
          .set({
            disabled_at: null,
            disabled_reason: null,
            // Don't reset the state of a webhook that is already enabled.
            ...(webhook.disabled_at !== null && { failing_since: null, paused_until: null }),
          })
          .where('id', '=', webhook.id)
          .returningAll()
          .executeTakeFirstOrThrow();
        return toWebhook(row, now());
      }),

    rotateSecret: (accountId, id) =>
      db.transaction().execute(async (trx) => {
        const webhook = await lock(trx, accountId, id);
        const secret = createSecret();
        const oldSecretUntil = webhook.old_secret_until;
        // Keep the first secret, because the receiver may never have switched to the second.
        const keepsOld = oldSecretUntil !== null && now() < oldSecretUntil;
        await trx
          .updateTable('webhooks')
          .set({
            secret: sealSecret(secretKey, webhook.id, secret),
            ...(!keepsOld && {
              old_secret: webhook.secret,
              old_secret_until: new Date(now().getTime() + oldSecretMs),
            }),
            // If SECRET was changed, the old secrets can't be decrypted, so drop them.
            ...(!validSecrets(secretKey, webhook, now()) && {
              old_secret: null,
              old_secret_until: null,
            }),
          })
          .where('id', '=', webhook.id)
          .execute();
        return { secret: formatSecret(secret) };
      }),

    test: (accountId, webhookId) =>
      db.transaction().execute(async (trx) => {
        const webhook = await lock(trx, accountId, webhookId);
        requireEnabled(webhook);
        const id = uuidv7();
        const time = now();
        await trx
          .insertInto('webhook_deliveries')
          .values({
            id,
            webhook_id: webhook.id,
            type: webhookTest,
            status: 'waiting',
            occurred_at: time,
            due_at: time,
            created_at: time,
          })
          .execute();
        // Send a test immediately, even if the webhook is paused after failures.
        await wake(trx, queue, { ...webhook, paused_until: null }, time);
        return { id };
      }),

    async deliveries(accountId, { id, limit, page }) {
      const webhook = await db
        .selectFrom('webhooks')
        .select('id')
        .where('id', '=', requireId(id))
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      if (!webhook) throw new CallError('notFound');
      const { total } = await db
        .selectFrom('webhook_deliveries')
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .where('webhook_id', '=', webhook.id)
        .executeTakeFirstOrThrow();
      const rows = await selectDeliveries(db)
        .where('webhook_id', '=', webhook.id)
        .orderBy('webhook_deliveries.id', 'desc')
        .limit(limit)
        .offset((page - 1) * limit)
        .execute();
      return { list: rows.map(toDelivery), total, page, limit };
    },

    resend: (accountId, deliveryId) =>
      db.transaction().execute(async (trx) => {
        const found = await trx
          .selectFrom('webhook_deliveries')
          .innerJoin('webhooks', 'webhooks.id', 'webhook_id')
          .select(['webhook_deliveries.id', 'webhook_id'])
          .where('webhook_deliveries.id', '=', requireId(deliveryId))
          .where('account_id', '=', accountId)
          .executeTakeFirst();
        if (!found) throw new CallError('notFound');
        const webhook = await lock(trx, accountId, found.webhook_id);
        requireEnabled(webhook);
        const time = now();
        await trx
          .updateTable('webhook_deliveries')
          .set({ status: 'waiting', gathers: false, due_at: time, tries: 0, failure: null })
          .where('id', '=', found.id)
          .execute();
        await wake(trx, queue, { ...webhook, paused_until: null }, time);
        const row = await selectDeliveries(trx)
          .where('webhook_deliveries.id', '=', found.id)
          .executeTakeFirst();
        // The delivery may have been deleted before the lock was acquired.
        if (!row) throw new CallError('notFound');
        return toDelivery(row);
      }),
  };
}

/** Returns the ID. @throws CallError notFound if it is malformed */
function requireId(id: string): string {
  if (!isId(id)) throw new CallError('notFound');
  return id;
}

/**
 * Checks that a webhook is enabled.
 * @throws CallError badRequest
 */
function requireEnabled({ disabled_at: disabledAt }: Row<'webhooks'>): void {
  if (disabledAt !== null) {
    throw new CallError('badRequest', 'The webhook is disabled. Enable it first.');
  }
}

const selectDeliveries = (queries: Queries) =>
  queries
    .selectFrom('webhook_deliveries')
    .leftJoin('recordings', 'recordings.id', 'recording_id')
    .selectAll('webhook_deliveries')
    .select(displayName.$castTo<string | null>().as('title'));

function toWebhook(row: Row<'webhooks'>, now: Date): Webhook {
  const { id, url, events, disabled_reason, old_secret_until: until } = row;
  return {
    id,
    url,
    events,
    disabled_reason,
    created_at: row.created_at.toISOString(),
    failing_since: row.failing_since?.toISOString() ?? null,
    disabled_at: row.disabled_at?.toISOString() ?? null,
    old_secret_until: until !== null && now < until ? until.toISOString() : null,
  };
}

function toDelivery(
  row: Row<'webhook_deliveries'> & { readonly title: string | null },
): WebhookDelivery {
  const { id, type, title, status, attempts, duration_ms, response_status, failure } = row;
  return {
    id,
    type,
    title,
    status,
    attempts,
    duration_ms,
    response_status,
    failure,
    radio_file_id: row.recording_id,
    timestamp: row.occurred_at.toISOString(),
    attempted_at: row.attempted_at?.toISOString() ?? null,
    next_attempt_at: row.due_at?.toISOString() ?? null,
  };
}
