import { callsOf } from './groups.ts';

const call = callsOf('account');

export const accountCalls = {
  'site/code': call(
    'accountSendCode',
    'Send a verification code',
    "Mails a code of six digits for registration or a forgotten password. It is valid for ten minutes. The mail is in `language`, else in the account's language, else in the best match for `Accept-Language`.",
  ),
  'user/register': call(
    'accountRegister',
    'Register',
    'Creates an account with the code from `site/code`. It does not sign in.',
  ),
  'user/login': call(
    'accountSignIn',
    'Sign in',
    'Starts a session and returns its access token and refresh token.',
  ),
  'user/refreshToken': call(
    'accountRefreshToken',
    'Refresh the tokens',
    'Returns new tokens. Send the refresh token as the bearer token, when a call returns 4200001 or shortly before `expires_in` has passed.',
  ),
  'user/logout': call('accountSignOut', 'Sign out', 'Ends the session to which the token belongs.'),
  'user/sessions': call(
    'accountSessions',
    'List the sessions',
    'Returns the active sessions, most recently used first.',
  ),
  'user/endSession': call(
    'accountEndSession',
    'End a session',
    "Ends one of the account's sessions, which may be the caller's own.",
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
    "Changes the password, and ends the account's other sessions.",
  ),
  'user/updateNickname': call(
    'accountChangeNickname',
    'Change the nickname',
    'Changes the nickname and returns the account.',
  ),
  'user/updateAvatar': call(
    'accountChangeAvatar',
    'Change the picture',
    "Uses an uploaded picture as the account's picture, or removes it, and returns the account.",
  ),
  'user/deactivation': call(
    'accountClose',
    'Close the account',
    'Closes the account permanently and deletes its data, except for invoice data. This cannot be undone. `password` may be omitted within ten minutes of entering it, for example to sign in.',
  ),
  'user/closed': call(
    'accountIsClosed',
    'Ask whether an account is closed',
    'Reports whether the account with this id was closed, for clients that missed the response to closing it.',
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
