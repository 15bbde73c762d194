import { createCallGroup } from './groups.ts';

const call = createCallGroup('devices');

export const deviceCalls = {
  'device/index': call(
    'deviceList',
    'List the recorders',
    'Returns the recorders bound to the account.',
  ),
  'device/check': call(
    'deviceCheck',
    'Check a recorder',
    'Returns whether the recorder is bound to the account, and a challenge for binding it.',
  ),
  'device/binding': call(
    'deviceBind',
    'Bind a recorder',
    'Binds a recorder. Without `binding_key`, creates a version 1 binding and deletes any earlier key. A binding without `proof` is removed when another account binds the same recorder with proof.',
  ),
  'device/unbinding': call(
    'deviceUnbind',
    'Unbind a recorder',
    'Unbinds a recorder from the account.',
  ),
};
