import { callsOf } from './groups.ts';

const call = callsOf('devices');

export const deviceCalls = {
  'device/index': call(
    'deviceList',
    'List the recorders',
    'Returns the recorders that are bound to the account.',
  ),
  'device/check': call(
    'deviceCheck',
    'Check a recorder',
    'Reports whether the recorder is bound to the account, and returns a challenge for binding it.',
  ),
  'device/binding': call(
    'deviceBind',
    'Bind a recorder',
    'Binds a recorder. Without a key, the binding has version 1, and any earlier key is deleted. A binding without proof ends when another account binds the same recorder with proof.',
  ),
  'device/unbinding': call(
    'deviceUnbind',
    'Unbind a recorder',
    'Ends the binding of a recorder to the account.',
  ),
};
