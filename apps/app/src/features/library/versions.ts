import type { Client } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import type { RecordStore } from '@linnet/sync';
import type { LibraryService } from '../../ports/library.ts';

/** Creates the function that fetches all versions of a paragraph from the server. */
export function createVersions(
  client: Pick<Client, 'call'>,
  records: Pick<RecordStore, 'detail'>,
): LibraryService['versions'] {
  return async (id, paragraph) => {
    const serverId = (await records.detail(id))?.server_id;
    if (!serverId) return { ok: false, failure: { kind: 'server', code: codes.notFound, msg: '' } };
    const call = { id: paragraph, radio_file_id: serverId };
    const response = await client.call('task/paragraph-history', call);
    return response.ok ? { ok: true, data: response.data.list } : response;
  };
}
