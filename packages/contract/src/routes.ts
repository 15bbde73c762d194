/**
 * Where each call lives and which token it carries. The schemas are in calls.ts; this half is what a
 * client needs at run time, so it imports nothing.
 *
 * `host` says which address the specification gives the call: `user` is under /alien-user/api,
 * `recorder` under /api. The server answers every call under both.
 */
export const prefixes = { user: '/alien-user/api', recorder: '/api' } as const;

/** Which token the Authorization header carries. */
export type Auth = 'none' | 'access' | 'refresh';

export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: `/${string}`;
  readonly host: keyof typeof prefixes;
  readonly auth: Auth;
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

export const routes = {
  'user/login': post('user', '/user/login', 'none'),
  'user/refreshToken': post('user', '/user/refreshToken', 'refresh'),
  'user/info': user('/user/info'),
  'user/register': post('user', '/user/register', 'none'),
  'user/forgotPassword': post('user', '/user/forgotPassword', 'none'),
  'site/code': post('user', '/site/code', 'none'),
  'site/config': { method: 'GET', path: '/site/config', host: 'recorder', auth: 'none' },
  'oss/config': user('/oss/config'),
  'upload/ossFile': recorder('/upload/ossFile'),
  'upload/checkOssFile': recorder('/upload/checkOssFile'),
  'task/create': recorder('/task/create'),
  'task/detail': recorder('/task/detail'),
  'task/index': recorder('/task/index'),
  'device/index': recorder('/device/index'),
  'device/check': recorder('/device/check'),
  'device/binding': recorder('/device/binding'),
  'device/unbinding': recorder('/device/unbinding'),
  'user/leftMinute': recorder('/user/leftMinute'),
} as const;

export type CallName = keyof typeof routes;
