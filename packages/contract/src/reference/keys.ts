import { createCallGroup } from './groups.ts';

const call = createCallGroup('keys');

export const keyCalls = {
  'user/createKey': call(
    'keyCreate',
    'Create an API key',
    'Creates a key that scripts and other programs send instead of an access token. The key is returned only once. Changing the password revokes all keys.',
  ),
  'user/keys': call(
    'keyList',
    'List the API keys',
    'Returns the valid keys, newest first, with their names and scopes but without the secret values.',
  ),
  'user/revokeKey': call('keyRevoke', 'Revoke an API key', 'Revokes a key immediately.'),
};
