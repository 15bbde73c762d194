import { type SendPushParts, sendPush } from '../modules/push/send.ts';
import type { JobHandler } from './jobs.ts';

/** Creates the job "send-push", which sends one notification. */
export function sendPushJob(parts: SendPushParts): JobHandler<'send-push'> {
  return (payload, signal) => sendPush(parts, payload, signal);
}
