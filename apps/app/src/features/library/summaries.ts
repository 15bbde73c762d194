import type { Client } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import { taskStatus } from '@linnet/contract/statuses';
import type { RecordStore } from '@linnet/sync';
import type { LibraryService } from '../../ports/library.ts';
import { webClock } from '../transfers/web-clock.ts';

/** Milliseconds between two looks at a summary that is being made. */
const LOOK_MS = 1000;

export type SummariesOptions = {
  readonly client: Client;
  readonly records: Pick<RecordStore, 'detail'>;
  /** Told once a summary is made: reads what changed. */
  readonly onMade: () => void;
};

/**
 * Asks the server for another summary and waits until it is made. What it says arrives with the changes,
 * so one that was asked for arrives also when nobody waits any more.
 */
export function createSummaries({
  client,
  records,
  onMade,
}: SummariesOptions): LibraryService['summarize'] {
  return async (id, wish) => {
    const task = (await records.detail(id))?.task;
    if (!task)
      return { ok: false, failure: { kind: 'server', code: codes.notTranscribed, msg: '' } };
    const asked = await client.call('task/summarize', { id: task.id, ...wish });
    if (!asked.ok) return asked;
    for (;;) {
      await webClock.sleep(LOOK_MS, new AbortController().signal);
      const answer = await client.call('task/detail', { id: task.id });
      if (!answer.ok) return answer;
      const { summarizing } = answer.data;
      if (summarizing === null || summarizing.status === taskStatus.transcribed) break;
      if (summarizing.status === taskStatus.failed) {
        const { code, msg } = summarizing.error ?? { code: codes.summaryFailed, msg: '' };
        return { ok: false, failure: { kind: 'server', code, msg } };
      }
    }
    onMade();
    return { ok: true, data: null };
  };
}
