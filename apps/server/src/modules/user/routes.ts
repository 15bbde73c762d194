import { acceptedLanguage } from '../../http/accepted-language.ts';
import type { DefineCall } from '../../http/calls.ts';
import { getNetwork } from '../../http/network.ts';
import type { AccountClosing } from './closing.ts';
import { deviceName } from './device-name.ts';
import type { Profile } from './profile.ts';
import type { UserService } from './service.ts';
import type { Sessions } from './sessions.ts';

export function userRoutes(
  call: DefineCall,
  users: UserService,
  profile: Profile,
  closing: AccountClosing,
  sessions: Sessions,
): void {
  call('user/login', (body, _none, { request }) =>
    users.login(body, getNetwork(request.ip), deviceName(request.headers['user-agent'])),
  );
  call('user/refreshToken', (_body, token) => users.refresh(token));
  call('user/leftMinute', (_body, caller) => users.leftMinute(caller));
  call('user/register', (body, _none, { request }) => users.register(body, getNetwork(request.ip)));
  call('user/forgotPassword', async (body, _none, { request }) => {
    await users.resetPassword(body, getNetwork(request.ip));
    return {};
  });
  call('user/updatePassword', async (body, caller) => {
    await users.changePassword(caller, body);
    return {};
  });
  call('user/deactivation', async (body, caller) => {
    await users.confirmPassword(caller, body?.password);
    await closing.close(caller.accountId, body?.language);
    return {};
  });
  call('user/logout', async (_body, { accountId, sessionId }) => {
    await sessions.revoke(accountId, sessionId);
    return {};
  });
  call('user/sessions', async (_body, { accountId, sessionId }) => ({
    list: await sessions.list(accountId, sessionId),
  }));
  call('user/endSession', async ({ id }, { accountId }) => {
    await sessions.revoke(accountId, id);
    return {};
  });
  call('user/closed', async ({ id }) => ({ closed: await closing.isClosed(id) }));
  call('site/code', (body, _none, { request }) =>
    users.sendCode(body, getNetwork(request.ip), acceptedLanguage(request.headers)),
  );

  call('user/info', (_body, caller, { origin }) => profile.info(caller, origin));
  call('user/updateNickname', ({ nickname }, caller, { origin }) =>
    profile.rename(caller, nickname, origin),
  );
  call('user/updateAvatar', ({ avatar }, caller, { origin }) =>
    profile.setAvatar(caller, avatar, origin),
  );
}
