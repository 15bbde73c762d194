import { mailLookups } from '../modules/notification-mail/lookups.ts';
import { type NotifyTodosDependencies, notifyDueTodos } from '../modules/push/due-todos.ts';
import { pushLookups } from '../modules/push/subscriptions.ts';
import type { JobHandler } from './jobs.ts';

/** Creates the "notify-todos" job, which requests notifications and emails for to-dos due today. */
export function notifyTodosJob(deps: NotifyTodosDependencies): JobHandler<'notify-todos'> {
  return async (_payload, signal) => {
    await notifyDueTodos(deps, pushLookups, signal);
    await notifyDueTodos(deps, mailLookups, signal);
  };
}
