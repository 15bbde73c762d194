import type { Client } from '@linnet/contract/client';
import type { RetranscriptionService } from '../../ports/retranscription.ts';

/** @param onQueued called after transcriptions have been queued; should fetch their progress */
export function createRetranscription(
  client: Client,
  onQueued: () => void,
): RetranscriptionService {
  return {
    async countDrafts() {
      const result = await client.call('task/drafts', {});
      return result.ok ? { ok: true, data: result.data.count } : result;
    },
    async price(id, language) {
      const result = await client.call('task/price', { id, language });
      return result.ok ? { ok: true, data: result.data.minutes } : result;
    },
    async replaceDrafts() {
      const result = await client.call('task/replace-drafts', {});
      if (result.ok) onQueued();
      return result;
    },
  };
}
