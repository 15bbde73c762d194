import { z } from 'zod';
import { limits } from '../limits.ts';
import {
  deliveryFailures,
  deliveryStatuses,
  webhookEndings,
  webhookEvents,
  webhookTest,
} from '../webhooks.ts';
import { id, pageSchema, paging, time } from './common.ts';

const events = z
  .array(z.enum(webhookEvents))
  .min(1)
  .max(webhookEvents.length)
  .refine((list) => new Set(list).size === list.length, { error: 'duplicate event' })
  .describe('The events to send.');

const secret = z
  .string()
  .describe(
    'The secret for verifying the signatures of deliveries: `whsec_` followed by 32 bytes in base64. It is returned only once.',
  );

export const webhook = z
  .object({
    id: z.string(),
    url: z.string(),
    events,
    created_at: time,
    failing_since: time
      .nullable()
      .describe('When attempts started failing, or null if the latest attempt succeeded.'),
    disabled_at: time
      .nullable()
      .describe('When the webhook was disabled, or null if it is active.'),
    disabled_reason: z
      .enum(webhookEndings)
      .nullable()
      .describe(
        "Why the webhook was disabled. `gone`: its URL returned 410 Gone. `failing`: every attempt failed for days. `password`: the account's password was changed. Null if the webhook is active.",
      ),
    old_secret_until: time
      .nullable()
      .describe(
        'When the previous secret expires, or null if only one secret is in use. Until then, deliveries are signed with both secrets.',
      ),
  })
  .meta({ id: 'Webhook', description: 'A webhook, without its secret.' });

export const delivery = z
  .object({
    id: z.string().describe('The ID of the delivery, sent as the `webhook-id` header.'),
    type: z.enum([...webhookEvents, webhookTest]),
    radio_file_id: z.string().nullable().describe('The ID of the recording, or null for a test.'),
    title: z.string().nullable().describe('The name of the recording, or null if it was deleted.'),
    timestamp: time.describe('When the event occurred.'),
    status: z.enum(deliveryStatuses),
    attempts: z.int().describe('The number of attempts, including those before a manual resend.'),
    attempted_at: time.nullable().describe('When the latest attempt started.'),
    duration_ms: z.int().nullable().describe('The duration of the latest attempt in milliseconds.'),
    response_status: z.int().nullable().describe('The HTTP status of the latest response.'),
    failure: z.enum(deliveryFailures).nullable().describe('Why the latest attempt failed.'),
    next_attempt_at: time
      .nullable()
      .describe('When the next attempt is due. Null unless the status is `waiting`.'),
  })
  .meta({
    id: 'WebhookDelivery',
    description: 'The delivery of an event to a webhook, with its latest attempt.',
  });

/** Registers a webhook. */
export const create = {
  body: z.object({
    url: z
      .string()
      .trim()
      .min(1)
      .max(limits.webhooks.urlMaxLength)
      .describe('An HTTPS URL without credentials. Its host must not be on a private network.'),
    events,
  }),
  data: z.object({ id: z.string(), secret }),
};
export const index = { body: z.object(paging), data: pageSchema(webhook) };
/** Deletes a webhook with its deliveries. */
export const remove = { body: z.object({ id }), data: z.object({}) };
export const enable = { body: z.object({ id }), data: webhook };
export const deliveries = { body: z.object({ id, ...paging }), data: pageSchema(delivery) };
/** Sends a delivery again. */
export const resend = {
  body: z.object({ id: id.describe('The ID of a delivery.') }),
  data: delivery,
};
export const rotateSecret = { body: z.object({ id }), data: z.object({ secret }) };
export const test = {
  body: z.object({ id }),
  data: z.object({ id: z.string().describe('The ID of the delivery.') }),
};

const recordingData = z.object({
  radio_file_id: z.string().describe('The ID of the recording, as used in `task/detail`.'),
  client_flag: z.string(),
  api_url: z.string().describe('Base URL of the API.'),
  url: z.string().optional().describe("The recording's page in the app."),
  title: z.string().optional(),
  task_id: z
    .string()
    .nullable()
    .optional()
    .describe(
      'The ID of the task with the latest transcript, or null if the recording has no transcript.',
    ),
  total_time: z.int().optional().describe('The duration in seconds.'),
  is_del: z.literal([0, 1]).optional().describe('1 if the recording is in the recycle bin.'),
  recorded_at: time.optional(),
  created_at: time.optional(),
  updated_at: time.optional(),
});
const testData = z.object({ webhook_id: z.string(), api_url: z.string() });

/**
 * The body of a delivery. It never contains the transcript. If the recording has since been deleted, it contains only
 * the IDs.
 */
export const webhookMessage = z
  .discriminatedUnion('type', [
    z.object({ type: z.enum(webhookEvents), timestamp: time, data: recordingData }),
    z.object({ type: z.literal(webhookTest), timestamp: time, data: testData }),
  ])
  .meta({ id: 'WebhookMessage', description: 'The request body of a webhook delivery.' });
