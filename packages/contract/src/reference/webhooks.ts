import { callsOf } from './groups.ts';

const call = callsOf('webhooks');

export const webhookCalls = {
  'webhook/create': call(
    'webhookCreate',
    'Register a webhook',
    'Registers an address to which events are posted, and returns the secret that signs them. An account has at most 10 webhooks.',
  ),
  'webhook/index': call(
    'webhookList',
    'List the webhooks',
    'Returns the webhooks, latest first, without their secrets.',
  ),
  'webhook/delete': call(
    'webhookDelete',
    'Delete a webhook',
    'Deletes a webhook with its deliveries. Messages that are being sent may still arrive.',
  ),
  'webhook/enable': call(
    'webhookEnable',
    'Enable a webhook',
    'Enables a disabled webhook. Events that occurred while it was disabled are not sent.',
  ),
  'webhook/deliveries': call(
    'webhookDeliveries',
    'List the deliveries of a webhook',
    'Returns the messages to a webhook, latest first, with the result of the latest attempt. The latest 1000 ended ones are kept for 30 days.',
  ),
  'webhook/resend': call(
    'webhookResend',
    'Send a message again',
    'Sends a message again with the same `webhook-id`, and retries it like a new one. The webhook must be enabled.',
  ),
  'webhook/rotateSecret': call(
    'webhookRotateSecret',
    'Rotate the secret of a webhook',
    'Returns a new secret. For 24 hours, deliveries are signed with the previous one as well.',
  ),
  'webhook/test': call(
    'webhookTest',
    'Test a webhook',
    'Sends the event `webhook.test`. The webhook must be enabled.',
  ),
};
