/**
 * Defines each call's path and token. This module imports nothing, because clients need it at run time. The schemas are
 * in `calls.ts`.
 *
 * `host` is a call's prefix in the specification: `user` for /alien-user/api, `recorder` for /api. The server accepts
 * all calls under either prefix.
 */
export const prefixes = { user: '/alien-user/api', recorder: '/api' } as const;

/** The token required in the Authorization header. */
export type Auth = 'none' | 'access' | 'refresh';

export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: `/${string}`;
  readonly host: keyof typeof prefixes;
  readonly auth: Auth;
  /** True if the body is multipart/form-data with one file rather than JSON. */
  readonly form?: true;
}

interface Post<Host extends Route['host'], Token extends Auth> extends Route {
  readonly method: 'POST';
  readonly host: Host;
  readonly auth: Token;
}

const post = <Host extends Route['host'], Token extends Auth>(
  host: Host,
  path: Route['path'],
  auth: Token,
): Post<Host, Token> => ({ method: 'POST', path, host, auth });
const user = (path: Route['path']) => post('user', path, 'access');
const recorder = (path: Route['path']) => post('recorder', path, 'access');
const get = <Token extends Auth>(path: Route['path'], auth: Token) =>
  ({ method: 'GET', path, host: 'recorder', auth }) as const;

export const routes = {
  'user/login': post('user', '/user/login', 'none'),
  'user/refreshToken': post('user', '/user/refreshToken', 'refresh'),
  'user/info': user('/user/info'),
  'user/register': post('user', '/user/register', 'none'),
  'user/forgotPassword': post('user', '/user/forgotPassword', 'none'),
  'user/updatePassword': user('/user/updatePassword'),
  'user/updateNickname': user('/user/updateNickname'),
  'user/updateAvatar': user('/user/updateAvatar'),
  'user/deactivation': user('/user/deactivation'),
  'user/closed': post('user', '/user/closed', 'none'),
  'user/logout': user('/user/logout'),
  'user/sessions': user('/user/sessions'),
  'user/endSession': user('/user/endSession'),
  'user/createKey': user('/user/createKey'),
  'user/keys': user('/user/keys'),
  'user/revokeKey': user('/user/revokeKey'),
  'site/code': post('user', '/site/code', 'none'),
  'site/config': get('/site/config', 'none'),
  'site/feedback': post('user', '/site/feedback', 'none'),
  'oss/config': user('/oss/config'),

  'upload/ossConfig': get('/upload/ossConfig', 'access'),
  'upload/radioFile': { ...recorder('/upload/radioFile'), form: true },
  'upload/ossFile': recorder('/upload/ossFile'),
  'upload/checkOssFile': recorder('/upload/checkOssFile'),
  convert: recorder('/convert'),

  'radio/rename': recorder('/radio/rename'),
  'radio/delete': recorder('/radio/delete'),
  'radio/batchDelete': recorder('/radio/batchDelete'),
  'radio/recover': recorder('/radio/recover'),
  'radio/translateHistory': recorder('/radio/translateHistory'),
  'task/create': recorder('/task/create'),
  'task/cancel': recorder('/task/cancel'),
  'task/merge': recorder('/task/merge'),
  'task/price': recorder('/task/price'),
  'task/drafts': recorder('/task/drafts'),
  'task/replace-drafts': recorder('/task/replace-drafts'),
  'task/summarize': recorder('/task/summarize'),
  'task/detail': recorder('/task/detail'),
  'task/index': recorder('/task/index'),
  'task/search': recorder('/task/search'),
  'task/modify-paragraph': recorder('/task/modify-paragraph'),
  'task/paragraph-history': recorder('/task/paragraph-history'),
  'task/tag': recorder('/task/tag'),

  'ask/question': recorder('/ask/question'),
  'ask/live': recorder('/ask/live'),
  'ask/passages': recorder('/ask/passages'),
  'ask/index': recorder('/ask/index'),
  'ask/thread': recorder('/ask/thread'),
  'ask/delete': recorder('/ask/delete'),
  'calendar/get': recorder('/calendar/get'),
  'calendar/create': recorder('/calendar/create'),
  'calendar/revoke': recorder('/calendar/revoke'),

  'share/create': recorder('/share/create'),
  'share/index': recorder('/share/index'),
  'share/revoke': recorder('/share/revoke'),
  'vault/index': recorder('/vault/index'),
  'vault/connect': recorder('/vault/connect'),
  'vault/test': recorder('/vault/test'),
  'vault/template': recorder('/vault/template'),
  'vault/stop': recorder('/vault/stop'),
  'vault/resume': recorder('/vault/resume'),
  'vault/disconnect': recorder('/vault/disconnect'),
  'webhook/create': recorder('/webhook/create'),
  'webhook/index': recorder('/webhook/index'),
  'webhook/delete': recorder('/webhook/delete'),
  'webhook/enable': recorder('/webhook/enable'),
  'webhook/deliveries': recorder('/webhook/deliveries'),
  'webhook/resend': recorder('/webhook/resend'),
  'webhook/rotateSecret': recorder('/webhook/rotateSecret'),
  'webhook/test': recorder('/webhook/test'),

  'push/get': recorder('/push/get'),
  'push/subscribe': recorder('/push/subscribe'),
  'push/unsubscribe': recorder('/push/unsubscribe'),
  'push/test': recorder('/push/test'),
  'mail/get': recorder('/mail/get'),
  'mail/set': recorder('/mail/set'),
  'retention/index': recorder('/retention/index'),
  'retention/preview': recorder('/retention/preview'),
  'retention/save': recorder('/retention/save'),
  'retention/delete': recorder('/retention/delete'),
  'retention/runs': recorder('/retention/runs'),
  'retention/moved': recorder('/retention/moved'),
  'retention/undo': recorder('/retention/undo'),

  'live/append': recorder('/live/append'),
  'live/list': recorder('/live/list'),
  'live/watch': recorder('/live/watch'),

  'voice/list': recorder('/voice/list'),
  'voice/rename': recorder('/voice/rename'),
  'voice/forget': recorder('/voice/forget'),
  'voice/export': recorder('/voice/export'),

  'sync/apply': recorder('/sync/apply'),
  'sync/changes': recorder('/sync/changes'),

  'device/index': recorder('/device/index'),
  'device/check': recorder('/device/check'),
  'device/binding': recorder('/device/binding'),
  'device/unbinding': recorder('/device/unbinding'),

  'user/leftMinute': recorder('/user/leftMinute'),
  'user/storage': recorder('/user/storage'),
  'user/orderRecord': recorder('/user/orderRecord'),
  'user/order': recorder('/user/order'),
  'user/plans': post('recorder', '/user/plans', 'none'),
  'user/pay': recorder('/user/pay'),
  'user/restore': recorder('/user/restore'),
  'user/cancelRenewal': recorder('/user/cancelRenewal'),
  'user/config': recorder('/user/config'),
  'user/updateConfig': recorder('/user/updateConfig'),
  'user/feedback': recorder('/user/feedback'),
} as const;

export type CallName = keyof typeof routes;

/** Returns the path of a model's public firmware descriptor, a static file describing the newest version. */
export function firmwarePath(projectCode: string): string {
  return `/static/firmware/${encodeURIComponent(projectCode)}/latest.json`;
}
