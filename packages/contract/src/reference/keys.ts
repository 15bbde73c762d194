import { callsOf } from './groups.ts';

const call = callsOf('keys');

export const keyCalls = {
  'user/createKey': call(
    'keyCreate',
    'Create an API key',
    'Returns a key for scripts and other programs, which they send instead of an access token. It is shown only once. A new password revokes all keys.',
  ),
  'user/keys': call(
    'keyList',
    'List the API keys',
    'Returns the valid keys, latest first, without the keys themselves.',
  ),
  'user/revokeKey': call('keyRevoke', 'Revoke an API key', 'Revokes a key at once.'),
};
