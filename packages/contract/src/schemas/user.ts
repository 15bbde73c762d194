import { z } from 'zod';
import { limits } from '../limits.ts';
import { email, nothing, time } from './common.ts';

/** Length and strength are judged by the server, which answers weakPassword, not badRequest. */
const password = z.string().min(1).max(1024);
const code = z.string().trim().min(1).max(32);

export const tokens = z.object({
  token_type: z.literal('Bearer'),
  access_token: z.string(),
  refresh_token: z.string(),
  /** Seconds the access token lives. */
  expires_in: z.int(),
});

export const login = { body: z.object({ email, password }), data: tokens };
export const refreshToken = { body: nothing, data: tokens };

export const userInfo = z.object({
  id: z.string(),
  email: z.string(),
  nickname: z.string().max(limits.nickname.maxLength),
  avatar: z.string().nullable(),
  is_vip: z.boolean(),
  vip_plan: z.enum(['trial', 'monthly', 'annual', 'granted']).nullable(),
  vip_expires_at: time.nullable(),
  left_minutes: z.int(),
  agreement_version: z.string(),
  created_at: time,
});
export const info = { body: nothing, data: userInfo };

export const register = {
  body: z.object({
    email,
    code,
    password,
    repassword: z.string().max(1024),
    /** The version of both texts that was shown; registering accepts it. The current one if absent. */
    agreement_version: z.string().max(32).optional(),
  }),
  data: z.object({ id: z.string(), email: z.string() }),
};

export const forgotPassword = {
  body: z.object({ email, code, password, repassword: z.string().max(1024) }),
  data: z.object({}),
};

export const leftMinute = {
  body: nothing,
  data: z.object({
    /** What may still be reserved: all three purses, less what running tasks hold. */
    left_minutes: z.int(),
    vip_minutes: z.int(),
    free_minutes: z.int(),
    package_minutes: z.int(),
    reserved_minutes: z.int(),
  }),
};
