import type { Client } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import { taskStatus } from '@linnet/contract/statuses';
import type { RecordStore } from '@linnet/sync';
import type { LibraryService } from '../../ports/library.ts';
import { webClock } from '../transfers/web-clock.ts';

/** Polling interval in milliseconds during the generation of a summary. */
const POLL_MS = 1000;

export type SummariesOptions = {
  readonly client: Client;
  readonly records: Pick<RecordStore, 'detail'>;
  /** Called on completion; pulls the server's changes. */
  readonly onCreated: () => void;
};

/**
 * Requests a summary and waits for its completion. The result arrives with the server's changes, even if the
 * caller no longer waits.
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
