import type { DefineCall } from '../../http/calls.ts';
import type { DeviceService } from './service.ts';

export function deviceRoutes(call: DefineCall, devices: DeviceService): void {
  call('device/index', (_body, caller) => devices.list(caller.accountId));
  call('device/check', ({ sn }, caller) => devices.check(caller.accountId, sn));
  call('device/binding', ({ sn, binding_key, proof }, caller) =>
    devices.bind(caller.accountId, sn, binding_key, proof),
  );
  call('device/unbinding', ({ sn }, caller) => devices.unbind(caller.accountId, sn));
}
