import { taskStatus } from '@linnet/contract/statuses';
import { CallError } from '../http/failure.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { JobView, Queue } from '../jobs/queue.ts';
import { createMinutes } from '../modules/minutes/service.ts';
import { createTaskService } from '../modules/task/service.ts';
import { createTranscriptionSupport } from '../modules/task/transcription-support.ts';
import { selectSpeechEngines } from '../providers/speech/index.ts';
import type { Context } from './command.ts';
import { CommandFailure, command, table } from './command.ts';
import { withQueue } from './with-queue.ts';

export const jobCommands = [
  command({
    name: 'jobs list',
    about: 'jobs that wait or run',
    run: (context) =>
      withQueue(context, async (queue) =>
        table((await queue.list(['waiting', 'active'])).map(toRow), 'no job waits or runs'),
      ),
  }),

  command({
    name: 'jobs dead',
    about: 'jobs that failed for good, with the reason',
    run: (context) =>
      withQueue(context, async (queue) =>
        table(
          (await queue.list(['dead'])).map((job) => [...toRow(job), job.reason]),
          'no job is dead',
        ),
      ),
  }),

  command({
    name: 'jobs retry',
    about: 'run a dead job again, or with --all every one',
    operands: { id: { optional: 'the id of a job' } },
    options: { all: 'flag' },
    async run(context, { id }, { all = false }) {
      if ((id === undefined) !== all) throw new CommandFailure('either an id or --all says which');
      return withQueue(context, async (queue) => {
        const dead = (await queue.list(['dead'])).filter((job) => all || job.id === id);
        if (!all && dead.length === 0) throw new CommandFailure('no job with this id is dead');
        const ends = [];
        for (const job of dead) {
          const end = await retry(context, queue, job).catch((error) => {
            // One that is not possible must not keep the others from running.
            if (all && error instanceof CallError) return `not possible: ${error.message}`;
            throw error;
          });
          ends.push([job.id, job.name, end]);
        }
        return table(ends, 'no job is dead');
      });
    },
  }),
];

function toRow({ id, name, state, createdAt, payload }: JobView): string[] {
  return [id, name, state, createdAt.toISOString(), JSON.stringify(payload)];
}

/**
 * Runs a dead job again. A dead transcription has closed its task and released the minutes: it is
 * asked for anew, on behalf of the recording's owner, under the rules that hold for everybody.
 * @throws CallError when those do not allow it
 */
async function retry(context: Context, queue: Queue, job: JobView): Promise<string> {
  if (job.name !== 'transcribe') {
    return (await queue.retry(job)) ? 'will run again' : 'another one waits already';
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
    return task ? 'nothing to do: its task has ended well' : 'nothing to do: its recording is gone';
  }
  const minutes = createMinutes({ unlimited: config.BILLING === 'off', now });
  const engines = selectSpeechEngines(config);
  const transcription = createTranscriptionSupport(engines);
  const tasks = createTaskService({ db, queue, minutes, transcription, now });
  const account = await db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', task.account_id)
    .executeTakeFirstOrThrow();
  const caller = { accountId: account.id, sessionId: '', account };
  const { recording_id: id, language } = task;
  await tasks.create(caller, { id, language });
  await queue.forget(job);
  return 'will run again, as a new task';
}
