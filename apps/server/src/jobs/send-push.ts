import { type SendPushDependencies, sendPush } from '../modules/push/send.ts';
import type { JobHandler } from './jobs.ts';

/** Creates the "send-push" job, which sends one notification. */
export function sendPushJob(deps: SendPushDependencies): JobHandler<'send-push'> {
  return (payload, signal) => sendPush(deps, payload, signal);
}
