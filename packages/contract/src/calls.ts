import type { z } from 'zod';
import type { CallName } from './routes.ts';
import { routes } from './routes.ts';
import * as device from './schemas/device.ts';
import * as site from './schemas/site.ts';
import * as task from './schemas/task.ts';
import * as upload from './schemas/upload.ts';
import * as user from './schemas/user.ts';

const schemas = {
  'user/login': user.login,
  'user/refreshToken': user.refreshToken,
  'user/info': user.info,
  'user/register': user.register,
  'user/forgotPassword': user.forgotPassword,
  'site/code': site.code,
  'site/config': site.config,
  'oss/config': upload.ossConfig,
  'upload/ossFile': upload.ossFile,
  'upload/checkOssFile': upload.checkOssFile,
  'task/create': task.create,
  'task/detail': task.detail,
  'task/index': task.index,
  'device/index': device.index,
  'device/check': device.check,
  'device/binding': device.binding,
  'device/unbinding': device.unbinding,
  'user/leftMinute': user.leftMinute,
} as const satisfies Record<CallName, { body: z.ZodType; data: z.ZodType }>;

type Schemas = typeof schemas;

/** Every call: method, path, token, the body it takes and the data it answers. */
export type Calls = { readonly [Name in CallName]: (typeof routes)[Name] & Schemas[Name] };
export const calls = Object.fromEntries(
  Object.entries(routes).map(([name, route]) => [name, { ...route, ...schemas[name as CallName] }]),
) as unknown as Calls;

/** What a caller sends. */
export type CallBody<Name extends CallName> = z.input<Schemas[Name]['body']>;
/** What the server reads after checking, defaults filled in. */
export type CallInput<Name extends CallName> = z.output<Schemas[Name]['body']>;
/** What a successful call answers. */
export type CallData<Name extends CallName> = z.output<Schemas[Name]['data']>;

export type Recording = z.output<typeof task.recording>;
export type Task = z.output<typeof task.task>;
export type TaskHead = z.output<typeof task.taskHead>;
export type Paragraph = z.output<typeof task.paragraph>;
export type Word = z.output<typeof task.word>;
export type BoundDevice = z.output<typeof device.boundDevice>;
export type UserInfo = z.output<typeof user.userInfo>;
export type Tokens = z.output<typeof user.tokens>;
export type UploadLeave = CallData<'oss/config'>;
