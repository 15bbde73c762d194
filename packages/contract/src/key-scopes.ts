/**
 * Defines which calls an API key may make. This module imports nothing but the routes, because the app offers the
 * scopes.
 */
import type { CallName, routes } from './routes.ts';

/** The scopes of an API key. `write` doesn't include `read`. */
export const keyScopes = ['read', 'write'] as const;
export type KeyScope = (typeof keyScopes)[number];

/** The prefix of every API key. Distinguishes keys from access tokens, and lets secret scanners find leaked keys. */
export const keyPrefix = 'linnet_';

/** The calls that require an access token or an API key. */
export type AccountCall = {
  [Name in CallName]: (typeof routes)[Name]['auth'] extends 'access' ? Name : never;
}[CallName];

/**
 * The scope that an API key needs for each call. `session` marks calls that accept only an access token: calls for
 * sign-in, keys, payments, webhooks, vaults, notifications, retention rules, the calendar URL and share links, binding
 * recorders, changing settings, and exporting voices.
 */
export const callScopes: Readonly<Record<AccountCall, KeyScope | 'session'>> = {
  'user/info': 'read',
  'user/updatePassword': 'session',
  'user/updateNickname': 'session',
  'user/updateAvatar': 'session',
  'user/deactivation': 'session',
  'user/logout': 'session',
  'user/sessions': 'session',
  'user/endSession': 'session',
  'user/createKey': 'session',
  'user/keys': 'session',
  'user/revokeKey': 'session',
  'oss/config': 'write',

  'upload/ossConfig': 'session',
  'upload/radioFile': 'write',
  'upload/ossFile': 'write',
  'upload/checkOssFile': 'read',
  convert: 'write',

  'radio/rename': 'write',
  'radio/delete': 'write',
  'radio/batchDelete': 'write',
  'radio/recover': 'write',
  'radio/translateHistory': 'read',
  'task/create': 'write',
  'task/cancel': 'write',
  'task/merge': 'write',
  'task/price': 'read',
  'task/drafts': 'read',
  'task/replace-drafts': 'write',
  'task/summarize': 'write',
  'task/detail': 'read',
  'task/index': 'read',
  'task/search': 'read',
  'task/modify-paragraph': 'write',
  'task/paragraph-history': 'read',
  'task/tag': 'write',

  'ask/question': 'write',
  'ask/live': 'write',
  'ask/passages': 'read',
  'ask/index': 'read',
  'ask/thread': 'read',
  'ask/delete': 'write',
  'calendar/get': 'session',
  'calendar/create': 'session',
  'calendar/revoke': 'session',

  'share/create': 'session',
  'share/index': 'session',
  'share/revoke': 'session',
  'vault/index': 'session',
  'vault/connect': 'session',
  'vault/test': 'session',
  'vault/template': 'session',
  'vault/stop': 'session',
  'vault/resume': 'session',
  'vault/disconnect': 'session',
  'webhook/create': 'session',
  'webhook/index': 'session',
  'webhook/delete': 'session',
  'webhook/enable': 'session',
  'webhook/deliveries': 'session',
  'webhook/resend': 'session',
  'webhook/rotateSecret': 'session',
  'webhook/test': 'session',
  'push/get': 'session',
  'push/subscribe': 'session',
  'push/unsubscribe': 'session',
  'push/test': 'session',
  'mail/get': 'session',
  'mail/set': 'session',

  'retention/index': 'session',
  'retention/preview': 'session',
  'retention/save': 'session',
  'retention/delete': 'session',
  'retention/runs': 'session',
  'retention/moved': 'session',
  'retention/undo': 'session',

  'live/append': 'write',
  'live/list': 'read',
  'live/watch': 'read',

  'voice/list': 'read',
  'voice/rename': 'write',
  'voice/forget': 'write',
  'voice/export': 'session',

  'sync/apply': 'write',
  'sync/changes': 'read',

  'device/index': 'read',
  'device/check': 'session',
  'device/binding': 'session',
  'device/unbinding': 'session',

  'user/leftMinute': 'read',
  'user/storage': 'read',
  'user/orderRecord': 'session',
  'user/order': 'session',
  'user/pay': 'session',
  'user/restore': 'session',
  'user/cancelRenewal': 'session',
  'user/config': 'read',
  'user/updateConfig': 'session',
  'user/feedback': 'session',
};
