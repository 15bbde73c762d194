import type { DefineCall } from '../../http/calls.ts';
import type { UserService } from '../user/service.ts';
import type { ApiKeys } from './service.ts';

export function keyRoutes(
  call: DefineCall,
  keys: ApiKeys,
  users: Pick<UserService, 'confirmPassword'>,
): void {
  // Require the password, because a key outlives the session: access to an unlocked phone must not be enough to create
  // one.
  call('user/createKey', async ({ password, ...key }, caller) => {
    await users.confirmPassword(caller, password);
    return keys.create(caller.accountId, key);
  });
  call('user/keys', (_body, { accountId }) => keys.list(accountId));
  call('user/revokeKey', async ({ id }, { accountId }) => {
    await keys.revoke(accountId, id);
    return {};
  });
}
