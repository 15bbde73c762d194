import type { Client } from '@linnet/contract/client';
import { limits } from '@linnet/contract/limits';
import type { ShareLinksService } from '../../ports/share-links.ts';
import type { FileSharing } from '../export/file-sharing.ts';

export function createShareLinks(
  client: Pick<Client, 'call'>,
  sharing: Pick<FileSharing, 'canShareLinks' | 'shareLink'>,
): ShareLinksService {
  return {
    async list(id) {
      // All links of an account fit on one page.
      const result = await client.call('share/index', {
        limit: limits.shares.count,
        ...(id !== undefined && { id }),
      });
      return result.ok ? { ok: true, data: result.data.list } : result;
    },
    create: (request) => client.call('share/create', request),
    async revoke(id) {
      const result = await client.call('share/revoke', { id });
      return result.ok ? { ok: true, data: null } : result;
    },
    get canShare() {
      return sharing.canShareLinks;
    },
    share: sharing.shareLink,
  };
}
