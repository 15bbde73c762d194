import { type DeliverDependencies, deliverDue } from '../modules/webhook/deliver.ts';
import type { JobHandler } from './jobs.ts';

/**
 * Creates the "deliver-webhook" job, which sends the due messages of a webhook. It can be killed at any point and
 * rerun.
 */
export function deliverWebhookJob(deps: DeliverDependencies): JobHandler<'deliver-webhook'> {
  return (payload, signal) => deliverDue(deps, payload, signal);
}
