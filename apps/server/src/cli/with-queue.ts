import type { Logger } from 'pino';
import type { Queue } from '../jobs/queue.ts';
import { openQueue } from '../jobs/queue.ts';
import { createLogger } from '../logging.ts';
import type { Context } from './command.ts';

/** Opens the queue for a single command. Its warnings are logged in addition to the command's output. */
export async function withQueue<Result>(
  { url }: Context,
  callback: (queue: Queue, log: Logger) => Promise<Result>,
): Promise<Result> {
  const log = createLogger({ LOG_LEVEL: 'warn' }, 'api');
  const queue = await openQueue(url, 'api', log);
  try {
    return await callback(queue, log);
  } finally {
    await queue.stop();
  }
}
