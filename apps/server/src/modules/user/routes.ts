import type { DefineCall } from '../../http/calls.ts';
import type { UserService } from './service.ts';

export function userRoutes(call: DefineCall, users: UserService): void {
  call('user/login', (body, _none, { request }) => users.login(body, request.ip));
  call('user/refreshToken', (_body, token) => users.refresh(token));
  call('user/info', (_body, caller) => users.info(caller));
  call('user/leftMinute', (_body, caller) => users.leftMinute(caller));
  call('user/register', (body, _none, { request }) => users.register(body, request.ip));
  call('user/forgotPassword', async (body, _none, { request }) => {
    await users.resetPassword(body, request.ip);
    return {};
  });
  call('site/code', ({ email }, _none, { request }) => users.sendCode(email, request.ip));
}
