import { createCallGroup } from './groups.ts';

const call = createCallGroup('account');

export const accountCalls = {
  'site/code': call(
    'accountSendCode',
    'Send a verification code',
    "Emails a six-digit code for registration or a forgotten password. The code is valid for ten minutes. The email's language is `language`, or else the account's language, or else the best match for `Accept-Language`.",
  ),
  'user/register': call(
    'accountRegister',
    'Register',
    "Creates an account with the code from `site/code`. Doesn't sign in.",
  ),
  'user/login': call(
    'accountSignIn',
    'Sign in',
    'Starts a session and returns its access token and refresh token.',
  ),
  'user/refreshToken': call(
    'accountRefreshToken',
    'Refresh the tokens',
    'Returns new tokens. Send the refresh token as the bearer token. Call it when another call returns 4200001, or shortly before the access token expires (`expires_in`).',
  ),
  'user/logout': call('accountSignOut', 'Sign out', 'Ends the session that the token belongs to.'),
  'user/sessions': call(
    'accountSessions',
    'List the sessions',
    'Returns the active sessions, most recently used first.',
  ),
  'user/endSession': call(
    'accountEndSession',
    'End a session',
    "Ends one of the account's sessions, possibly the caller's own.",
  ),
  'user/info': call(
    'accountInfo',
    'Get the account',
    "Returns the account's profile, membership and available minutes.",
  ),
  'user/forgotPassword': call(
    'accountResetPassword',
    'Reset a forgotten password',
    'Sets a new password with the code from `site/code`.',
  ),
  'user/updatePassword': call(
    'accountChangePassword',
    'Change the password',
    "Changes the password and ends the account's other sessions.",
  ),
  'user/updateNickname': call(
    'accountChangeNickname',
    'Change the nickname',
    'Changes the nickname and returns the account.',
  ),
  'user/updateAvatar': call(
    'accountChangeAvatar',
    'Change the picture',
    "Sets the account's picture to an uploaded image, or removes the picture, and returns the account.",
  ),
  'user/deactivation': call(
    'accountClose',
    'Close the account',
    'Closes the account permanently and deletes its data, except for invoice data. This cannot be undone. `password` may be omitted if the user entered it in this session within the last ten minutes, for example to sign in.',
  ),
  'user/closed': call(
    'accountIsClosed',
    'Check whether an account is closed',
    'Returns whether the account with this ID was closed, for clients that never received the response to `user/deactivation`.',
  ),
  'user/config': call(
    'settingsGet',
    'Get the settings',
    "Returns the account's settings by group and key.",
  ),
  'user/updateConfig': call(
    'settingsChange',
    'Change a setting',
    'Sets one setting and returns it.',
  ),
};
