/** The enums for webhooks. This module imports nothing, because the app loads it to offer the events. */

/** The events that a webhook can receive. */
export const webhookEvents = [
  'recording.arrived',
  'recording.transcribed',
  'recording.summarized',
  'recording.edited',
  'recording.deleted',
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** The event for testing a webhook. It is sent on request, to any webhook. */
export const webhookTest = 'webhook.test';

/**
 * Why a webhook was disabled: its URL returned *410 Gone*, every delivery failed for days, or the account's password
 * was changed.
 */
export const webhookEndings = ['gone', 'failing', 'password'] as const;
export type WebhookEnding = (typeof webhookEndings)[number];

/** The status of a delivery. `waiting` includes deliveries that will be retried. */
export const deliveryStatuses = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/**
 * Why an attempt failed:
 * - `status`, `redirect`: the server returned an error status or a redirect
 * - `timeout`, `connection`, `certificate`, `unresolved`: the server could not be reached
 * - `forbidden`: the host is on a private network
 * - `disabled`: no attempt was made, because the webhook was disabled
 * - `full`: no attempt was made, because too many deliveries were waiting
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
