import type { Client } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import type { RecordStore } from '@linnet/sync';
import type { LibraryService } from '../../ports/library.ts';

/**
 * Creates the function that cancels a recording's transcription on the server.
 * @param onCanceled called after the server has canceled the transcription; should fetch the task's outcome
 */
export function createTranscriptionCancel(
  client: Client,
  records: Pick<RecordStore, 'detail'>,
  onCanceled: () => void,
): LibraryService['cancelTranscription'] {
  return async (id) => {
    const task = (await records.detail(id))?.task;
    if (!task) return { ok: false, failure: { kind: 'server', code: codes.notFound, msg: '' } };
    const response = await client.call('task/cancel', { id: task.id });
    if (!response.ok) return response;
    onCanceled();
    return { ok: true, data: null };
  };
}
