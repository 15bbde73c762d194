import type { DefineCall } from '../../http/calls.ts';
import type { SettingService } from './service.ts';

export function settingRoutes(call: DefineCall, settings: SettingService): void {
  call('user/config', (_body, caller) => settings.all(caller.accountId));
  call('user/updateConfig', (body, caller) => settings.set(caller.accountId, body));
}
