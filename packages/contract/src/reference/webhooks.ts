import { createCallGroup } from './groups.ts';

const call = createCallGroup('webhooks');

export const webhookCalls = {
  'webhook/create': call(
    'webhookCreate',
    'Register a webhook',
    'Registers a URL that events are posted to, and returns the secret for verifying their signatures. An account can have up to 10 webhooks.',
  ),
  'webhook/index': call(
    'webhookList',
    'List the webhooks',
    'Returns the webhooks, newest first, without their secrets.',
  ),
  'webhook/delete': call(
    'webhookDelete',
    'Delete a webhook',
    'Deletes a webhook and its deliveries. Messages already being sent may still arrive.',
  ),
  'webhook/enable': call(
    'webhookEnable',
    'Enable a webhook',
    "Enables a disabled webhook. Events that occurred while it was disabled aren't sent.",
  ),
  'webhook/deliveries': call(
    'webhookDeliveries',
    'List the deliveries of a webhook',
    "Returns a webhook's deliveries, latest first, with the result of the latest attempt. The latest 1000 finished deliveries are stored for 30 days.",
  ),
  'webhook/resend': call(
    'webhookResend',
    'Resend a message',
    'Sends a message again with the same `webhook-id`, and retries it like a new message if it fails. The webhook must be enabled.',
  ),
  'webhook/rotateSecret': call(
    'webhookRotateSecret',
    'Rotate the secret of a webhook',
    'Returns a new secret. For 24 hours, deliveries are also signed with the previous secret.',
  ),
  'webhook/test': call(
    'webhookTest',
    'Test a webhook',
    'Sends the event `webhook.test`. The webhook must be enabled.',
  ),
};
