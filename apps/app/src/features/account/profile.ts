import { limits } from '@linnet/contract/limits';
import type { CloudResult } from '@linnet/sync';
import type { ProfileService } from '../../ports/profile.ts';
import { storeObject } from '../transfers/store-object.ts';
import type { Account } from './account.ts';

const PICTURE_FORMAT = { ext: 'jpg', mime_type: 'image/jpeg' } as const;

export function createProfile({
  account: { client, applyUserInfo },
  close,
}: {
  account: Pick<Account, 'client' | 'applyUserInfo'>;
  close: ProfileService['close'];
}): ProfileService {
  async function storePicture(picture: Blob): Promise<CloudResult<string>> {
    const grant = await client.call('oss/config', { type: 'avatar', ext: PICTURE_FORMAT.ext });
    if (!grant.ok) return grant;
    const signal = AbortSignal.timeout(limits.transferIdleTimeoutMs);
    const file = { name: `avatar.${PICTURE_FORMAT.ext}`, contentType: PICTURE_FORMAT.mime_type };
    const result = await storeObject(grant.data, picture, file, () => {}, signal);
    // The specification requires the parameter. It bypasses an earlier picture cached under the same URL.
    return result.ok ? { ok: true, data: `${result.data}?t=${Date.now()}` } : result;
  }

  return {
    async changePassword(form) {
      const result = await client.call('user/updatePassword', form);
      return result.ok ? { ok: true, data: null } : result;
    },
    async rename(nickname) {
      const result = await applyUserInfo(client.call('user/updateNickname', { nickname }));
      return result.ok ? { ok: true, data: null } : result;
    },
    async setPicture(picture) {
      const url = picture ? await storePicture(picture) : { ok: true as const, data: '' };
      if (!url.ok) return url;
      const result = await applyUserInfo(client.call('user/updateAvatar', { avatar: url.data }));
      return result.ok ? { ok: true, data: null } : result;
    },
    close,
    async sessions() {
      const result = await client.call('user/sessions');
      return result.ok ? { ok: true, data: result.data.list } : result;
    },
    async endSession(id) {
      const result = await client.call('user/endSession', { id });
      return result.ok ? { ok: true, data: null } : result;
    },
  };
}
