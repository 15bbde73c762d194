/** The closed sets of webhooks. Imports nothing, because the app offers the events. */

/** The events that a webhook can receive. */
export const webhookEvents = [
  'recording.arrived',
  'recording.transcribed',
  'recording.summarized',
  'recording.edited',
  'recording.deleted',
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** The event that tests a webhook. Every webhook receives it on request. */
export const webhookTest = 'webhook.test';

/**
 * Why a webhook is disabled: its address answered *410 Gone*, every delivery failed for days, or the password of the
 * account was changed.
 */
export const webhookEndings = ['gone', 'failing', 'password'] as const;
export type WebhookEnding = (typeof webhookEndings)[number];

/** The status of a delivery. `waiting` deliveries are attempted again, or for the first time. */
export const deliveryStatuses = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/**
 * Why an attempt failed. `status` and `redirect` are answers. The webhook was not reachable in the cases `timeout`,
 * `connection`, `certificate` and `unresolved`; `forbidden` is an address in a private network. No attempt was made in the
 * cases `disabled`, when the webhook was disabled before, and `full`, when too many other deliveries were waiting.
 */
export const deliveryFailures = [
  'status',
  'redirect',
  'timeout',
  'connection',
  'certificate',
  'unresolved',
  'forbidden',
  'disabled',
  'full',
] as const;
export type DeliveryFailure = (typeof deliveryFailures)[number];
