import type { Client } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import { taskStatus } from '@linnet/contract/statuses';
import type { RecordStore } from '@linnet/sync';
import type { LibraryService } from '../../ports/library.ts';
import { webClock } from '../transfers/web-clock.ts';

/** Polling interval in milliseconds while a summary is being made. */
const POLL_MS = 1000;

export type SummariesOptions = {
  readonly client: Client;
  readonly records: Pick<RecordStore, 'detail'>;
  /** Called once a summary is made; pulls changes. */
  readonly onCreated: () => void;
};

/**
 * Requests a summary from the server and waits until it is made. The result arrives with the changes, even if
 * nothing waits for it any more.
 */
export function createSummaries({
  client,
  records,
  onCreated,
}: SummariesOptions): LibraryService['summarize'] {
  return async (id, request) => {
    const task = (await records.detail(id))?.task;
    if (!task)
      return { ok: false, failure: { kind: 'server', code: codes.notTranscribed, msg: '' } };
    const answer = await client.call('task/summarize', { id: task.id, ...request });
    if (!answer.ok) return answer;
    for (;;) {
      await webClock.sleep(POLL_MS, new AbortController().signal);
      const answer = await client.call('task/detail', { id: task.id });
      if (!answer.ok) return answer;
      const { summarizing } = answer.data;
      if (summarizing === null || summarizing.status === taskStatus.transcribed) break;
      if (summarizing.status === taskStatus.failed) {
        const { code, msg } = summarizing.error ?? { code: codes.summaryFailed, msg: '' };
        return { ok: false, failure: { kind: 'server', code, msg } };
      }
    }
    onCreated();
    return { ok: true, data: null };
  };
}
