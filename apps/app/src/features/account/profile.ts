import { limits } from '@linnet/contract/limits';
import type { CloudResult } from '@linnet/sync';
import type { ProfileService } from '../../ports/profile.ts';
import { storeObject } from '../transfers/store-object.ts';
import type { Account } from './account.ts';

const PICTURE = { ext: 'jpg', mime_type: 'image/jpeg' } as const;

/** Changes to the signed-in account. */
export function createProfile({
  account: { client, applyAnswer },
  close,
}: {
  account: Pick<Account, 'client' | 'applyAnswer'>;
  close: ProfileService['close'];
}): ProfileService {
  async function storePicture(picture: Blob): Promise<CloudResult<string>> {
    const grant = await client.call('oss/config', { type: 'avatar', ext: PICTURE.ext });
    if (!grant.ok) return grant;
    const signal = AbortSignal.timeout(limits.transferIdleTimeoutMs);
    const file = { name: `avatar.${PICTURE.ext}`, contentType: PICTURE.mime_type };
    const answer = await storeObject(grant.data, picture, file, () => {}, signal);
    // As specified, the parameter bypasses pictures cached under the same address.
    return answer.ok ? { ok: true, data: `${answer.data}?t=${Date.now()}` } : answer;
  }

  return {
    async changePassword(form) {
      const answer = await client.call('user/updatePassword', form);
      return answer.ok ? { ok: true, data: null } : answer;
    },
    async rename(nickname) {
      const answer = await applyAnswer(client.call('user/updateNickname', { nickname }));
      return answer.ok ? { ok: true, data: null } : answer;
    },
    async setPicture(picture) {
      const url = picture ? await storePicture(picture) : { ok: true as const, data: '' };
      if (!url.ok) return url;
      const answer = await applyAnswer(client.call('user/updateAvatar', { avatar: url.data }));
      return answer.ok ? { ok: true, data: null } : answer;
    },
    close,
    async sessions() {
      const answer = await client.call('user/sessions');
      return answer.ok ? { ok: true, data: answer.data.list } : answer;
    },
    async endSession(id) {
      const answer = await client.call('user/endSession', { id });
      return answer.ok ? { ok: true, data: null } : answer;
    },
  };
}
