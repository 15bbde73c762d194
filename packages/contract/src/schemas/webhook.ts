import { z } from 'zod';
import { limits } from '../limits.ts';
import {
  deliveryFailures,
  deliveryStatuses,
  webhookEndings,
  webhookEvents,
  webhookTest,
} from '../webhooks.ts';
import { id, listOf, paging, time } from './common.ts';

const events = z
  .array(z.enum(webhookEvents))
  .min(1)
  .max(webhookEvents.length)
  .refine((list) => new Set(list).size === list.length, { error: 'an event is repeated' })
  .describe('The events that are sent.');

const secret = z
  .string()
  .describe(
    'The secret that signs the deliveries: `whsec_` and 32 bytes in base64. It is returned only once.',
  );

export const webhook = z
  .object({
    id: z.string(),
    url: z.string(),
    events,
    created_at: time,
    failing_since: time
      .nullable()
      .describe('Since when every attempt has failed; null if the latest one succeeded.'),
    disabled_at: time.nullable().describe('When the webhook was disabled; null if it is active.'),
    disabled_reason: z
      .enum(webhookEndings)
      .nullable()
      .describe(
        'Why the webhook was disabled: the address answered 410 Gone, every attempt failed for days, or the password was changed.',
      ),
    old_secret_until: time
      .nullable()
      .describe('Until when the previous secret signs deliveries as well; null if there is none.'),
  })
  .meta({ id: 'Webhook', description: 'A webhook, without its secret.' });

export const delivery = z
  .object({
    id: z.string().describe('The ID of the message, which is sent as `webhook-id`.'),
    type: z.enum([...webhookEvents, webhookTest]),
    radio_file_id: z.string().nullable().describe('The recording; null for a test.'),
    title: z.string().nullable().describe('The name of the recording; null once it is deleted.'),
    timestamp: time.describe('When the event occurred.'),
    status: z.enum(deliveryStatuses),
    attempts: z.int().describe('The number of attempts, including those before a repetition.'),
    attempted_at: time.nullable().describe('The start of the latest attempt.'),
    duration_ms: z.int().nullable().describe('The duration of the latest attempt.'),
    response_status: z.int().nullable().describe('The HTTP status of the latest answer.'),
    failure: z.enum(deliveryFailures).nullable().describe('Why the latest attempt failed.'),
    next_attempt_at: time
      .nullable()
      .describe('When the next attempt is due; null unless the status is `waiting`.'),
  })
  .meta({ id: 'WebhookDelivery', description: 'A message to a webhook, and its latest attempt.' });

/** Registers a webhook. */
export const create = {
  body: z.object({
    url: z
      .string()
      .trim()
      .min(1)
      .max(limits.webhooks.urlMaxLength)
      .describe('An https address without credentials, outside of private networks.'),
    events,
  }),
  data: z.object({ id: z.string(), secret }),
};
export const index = { body: z.object(paging), data: listOf(webhook) };
/** Deletes a webhook with its deliveries. */
export const remove = { body: z.object({ id }), data: z.object({}) };
export const enable = { body: z.object({ id }), data: webhook };
export const deliveries = { body: z.object({ id, ...paging }), data: listOf(delivery) };
/** Sends a message again. */
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
  radio_file_id: z.string().describe('The recording, as in `task/detail`.'),
  client_flag: z.string(),
  api_url: z.string().describe('The address under which the API is called.'),
  url: z.string().optional().describe("The recording's page in the app."),
  title: z.string().optional(),
  task_id: z.string().nullable().optional().describe('The latest transcript; null if none.'),
  total_time: z.int().optional().describe('The duration in seconds.'),
  is_del: z.literal([0, 1]).optional().describe('1 if the recording is in the recycle bin.'),
  recorded_at: time.optional(),
  created_at: time.optional(),
  updated_at: time.optional(),
});
const testData = z.object({ webhook_id: z.string(), api_url: z.string() });

/** The body of a message. It contains no transcript, and only the IDs of a recording that was deleted in the meantime. */
export const webhookMessage = z
  .discriminatedUnion('type', [
    z.object({ type: z.enum(webhookEvents), timestamp: time, data: recordingData }),
    z.object({ type: z.literal(webhookTest), timestamp: time, data: testData }),
  ])
  .meta({ id: 'WebhookMessage', description: 'The body of a message to a webhook.' });
