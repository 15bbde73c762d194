import type { Client } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import { isTrans, type RecordStore } from '@linnet/sync';
import type { LibraryService } from '../../ports/library.ts';

/**
 * Creates the function that transcribes a range of a transcript again.
 * @param onCreated called after the server has queued the transcription; should fetch the task's progress
 */
export function createRangeTranscription(
  client: Pick<Client, 'call'>,
  records: Pick<RecordStore, 'detail' | 'update'>,
  onCreated: () => void,
): LibraryService['transcribeRange'] {
  return async (id, { language, ...range }) => {
    const { server_id: serverId, task } = (await records.detail(id)) ?? {};
    if (!serverId || !task) {
      return { ok: false, failure: { kind: 'server', code: codes.notTranscribed, msg: '' } };
    }
    const created = await client.call('task/create', {
      id: serverId,
      language,
      again: task.id,
      range,
    });
    if (!created.ok) return created;
    await records.update(id, {
      is_trans: isTrans.transferring,
      process: 0,
      task: { id: created.data.id, language: task.language },
      problem: null,
    });
    onCreated();
    return { ok: true, data: null };
  };
}
