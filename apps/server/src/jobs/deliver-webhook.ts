import { type DeliverParts, deliverDue } from '../modules/webhook/deliver.ts';
import type { JobHandler } from './jobs.ts';

/**
 * Creates the job "deliver-webhook", which sends the due messages of a webhook. It can be killed at any point and
 * rerun.
 */
export function deliverWebhookJob(parts: DeliverParts): JobHandler<'deliver-webhook'> {
  return (payload, signal) => deliverDue(parts, payload, signal);
}
