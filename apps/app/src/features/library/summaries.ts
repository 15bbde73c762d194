import type { Client } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import { taskStatus } from '@linnet/contract/statuses';
import type { RecordStore } from '@linnet/sync';
import { systemClock } from '@linnet/sync';
import type { LibraryService } from '../../ports/library.ts';

/** Polling interval in milliseconds while a summary is generated. */
const POLL_MS = 1000;

export type SummariesOptions = {
  readonly client: Client;
  readonly records: Pick<RecordStore, 'detail'>;
  /** Called after a summary has been generated. Should pull the server's changes. */
  readonly onCreated: () => void;
};

/**
 * Creates the function that requests a summary and waits until the server has generated it. The summary itself arrives
 * with the server's changes, even if the caller has stopped waiting.
 */
export function createSummaries({
  client,
  records,
  onCreated,
}: SummariesOptions): LibraryService['summarize'] {
  return async (id, request) => {
    const task = (await records.detail(id))?.task;
    if (!task) {
      return { ok: false, failure: { kind: 'server', code: codes.notTranscribed, msg: '' } };
    }
    const started = await client.call('task/summarize', { id: task.id, ...request });
    if (!started.ok) return started;
    for (;;) {
      await systemClock.sleep(POLL_MS, new AbortController().signal);
      const result = await client.call('task/detail', { id: started.data.id });
      if (!result.ok) return result;
      const { summarizing } = result.data;
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
