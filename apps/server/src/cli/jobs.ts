import { taskStatus } from '@linnet/contract/statuses';
import { CallError } from '../http/failure.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { JobView, Queue } from '../jobs/queue.ts';
import { createMinutes } from '../modules/minutes/service.ts';
import { createTaskService } from '../modules/task/service.ts';
import { createTranscriptionSupport } from '../modules/task/transcription-support.ts';
import { selectSpeechEngines } from '../providers/speech/index.ts';
import type { Context } from './command.ts';
import { CommandFailure, command, formatTable } from './command.ts';
import { withQueue } from './with-queue.ts';

export const jobCommands = [
  command({
    name: 'jobs list',
    description: 'list waiting and running jobs',
    run: (context) =>
      withQueue(context, async (queue) =>
        formatTable(
          (await queue.list(['waiting', 'active'])).map(toRow),
          'no waiting or running jobs',
        ),
      ),
  }),

  command({
    name: 'jobs dead',
    description: 'list permanently failed jobs with their reasons',
    run: (context) =>
      withQueue(context, async (queue) =>
        formatTable(
          (await queue.list(['dead'])).map((job) => [...toRow(job), job.reason]),
          'no dead jobs',
        ),
      ),
  }),

  command({
    name: 'jobs retry',
    description: 'retry a dead job, or all of them with --all',
    positionals: { id: { optional: 'the job ID' } },
    options: { all: 'flag' },
    async run(context, { id }, { all = false }) {
      if ((id === undefined) !== all) throw new CommandFailure('specify either a job ID or --all');
      return withQueue(context, async (queue) => {
        const deadJobs = (await queue.list(['dead'])).filter((job) => all || job.id === id);
        if (!all && deadJobs.length === 0)
          throw new CommandFailure('there is no dead job with this ID');
        const results = [];
        for (const job of deadJobs) {
          const result = await retry(context, queue, job).catch((error) => {
            // With --all, a job that can't be retried must not prevent other retries.
            if (all && error instanceof CallError) return `not possible: ${error.message}`;
            throw error;
          });
          results.push([job.id, job.name, result]);
        }
        return formatTable(results, 'no dead jobs');
      });
    },
  }),
];

function toRow({ id, name, state, createdAt, payload }: JobView): string[] {
  return [id, name, state, createdAt.toISOString(), JSON.stringify(payload)];
}

/**
 * Retries a dead job. A dead transcription has already ended its task and released the minutes, so a new transcription
 * is requested on the account's behalf, under the usual rules.
 * @throws CallError if the rules don't allow it
 */
async function retry(context: Context, queue: Queue, job: JobView): Promise<string> {
  if (job.name !== 'transcribe') {
    return (await queue.retry(job)) ? 'will run again' : 'an identical job is already waiting';
  }
  const { db, now, config } = context;
  const { taskId } = job.payload as Jobs['transcribe'];
  const task = await db
    .selectFrom('tasks')
    .select(['account_id', 'recording_id', 'language', 'status'])
    .where('id', '=', taskId)
    .executeTakeFirst();
  if (task?.status !== taskStatus.failed) {
    await queue.forget(job);
    return task
      ? 'nothing to do: its task has succeeded'
      : 'nothing to do: its recording was deleted';
  }
  const minutes = createMinutes({ unlimited: config.BILLING === 'off', now });
  const engines = selectSpeechEngines(config);
  const transcription = createTranscriptionSupport(engines, (hint) => console.error(hint));
  const tasks = createTaskService({ db, queue, minutes, transcription, now });
  const account = await db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', task.account_id)
    .executeTakeFirstOrThrow();
  const caller = { accountId: account.id, sessionId: '', keyId: null, scopes: [], account };
  const { recording_id: id, language } = task;
  await tasks.create(caller, { id, language });
  await queue.forget(job);
  return 'will run again, as a new task';
}
