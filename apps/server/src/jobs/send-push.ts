import { type NotifyTodosParts, notifyDueTodos } from '../modules/push/due-todos.ts';
import { type SendPushParts, sendPush } from '../modules/push/send.ts';
import type { JobHandler } from './jobs.ts';

/** Creates the job "send-push", which sends one notification. */
export function sendPushJob(parts: SendPushParts): JobHandler<'send-push'> {
  return (payload, signal) => sendPush(parts, payload, signal);
}

/** Creates the job "notify-todos", which requests notifications of to-dos that are due today. */
export function notifyTodosJob(parts: NotifyTodosParts): JobHandler<'notify-todos'> {
  return async (_payload, signal) => {
    await notifyDueTodos(parts, signal);
  };
}
