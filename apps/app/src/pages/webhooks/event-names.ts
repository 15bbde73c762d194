import type { WebhookDelivery } from '@linnet/contract';

/** Translation keys of the events' names. */
export const eventKeys = {
  'recording.arrived': 'webhooks.event.arrived',
  'recording.transcribed': 'webhooks.event.transcribed',
  'recording.summarized': 'webhooks.event.summarized',
  'recording.edited': 'webhooks.event.edited',
  'recording.deleted': 'webhooks.event.deleted',
  'webhook.test': 'webhooks.event.test',
} as const satisfies Readonly<Record<WebhookDelivery['type'], string>>;
