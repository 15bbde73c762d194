import type { Client } from '@linnet/contract/client';
import type { RetentionService } from '../../ports/retention.ts';

const rowsPerPage = 20;

/** @param onRestored called after the server has restored recordings, so that this device can pull them */
export function createRetention(
  client: Pick<Client, 'call'>,
  onRestored: () => void,
): RetentionService {
  return {
    async list() {
      const result = await client.call('retention/index', {});
      return result.ok ? { ok: true, data: result.data.list } : result;
    },
    preview: ({ tag, after, unit }, page) =>
      client.call('retention/preview', { tag, after, unit, page, limit: rowsPerPage }),
    save: (rule) => client.call('retention/save', rule),
    async remove(id) {
      const result = await client.call('retention/delete', { id });
      return result.ok ? { ok: true, data: null } : result;
    },
    runs: (page) => client.call('retention/runs', { page, limit: rowsPerPage }),
    moved: (id, page) => client.call('retention/moved', { id, page, limit: rowsPerPage }),
    async undo(id) {
      const result = await client.call('retention/undo', { id });
      if (!result.ok) return result;
      onRestored();
      return { ok: true, data: result.data.recovered };
    },
  };
}
