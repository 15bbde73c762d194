import { z } from 'zod';
import { limits } from '../limits.ts';
import { email, id, nothing, time } from './common.ts';
import { subscription } from './order.ts';
import { feedbackWords } from './site.ts';
import { setting } from './sync.ts';

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
  /** Short-lived and signed; null while there is none. */
  avatar: z.string().nullable(),
  is_vip: z.boolean(),
  vip_plan: z.enum(['trial', 'monthly', 'annual', 'granted']).nullable(),
  vip_expires_at: time.nullable(),
  subscription: subscription.nullable(),
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

/** Ends every other session of the account. */
export const updatePassword = {
  body: z.object({
    old_password: z.string().min(1).max(1024),
    password,
    repassword: z.string().max(1024),
  }),
  data: z.object({}),
};

export const updateNickname = {
  body: z.object({ nickname: z.string().trim().max(limits.nickname.maxLength) }),
  data: userInfo,
};

export const updateAvatar = {
  /** The `url` of an uploaded avatar; its query is ignored. '' takes the picture away. */
  body: z.object({ avatar: z.string().max(4096) }),
  data: userInfo,
};

/**
 * Closes the account for good: everything goes but what invoices need. Without `password` it counts from a session
 * whose password was entered within limits.passwordFreshSeconds; else the answer is passwordNeeded.
 */
export const deactivation = {
  body: z.object({ password: password.optional() }).nullish(),
  data: z.object({}),
};

/** Ends the session that the token belongs to. */
export const logout = { body: nothing, data: z.object({}) };

export const session = z.object({
  id: z.string(),
  /** What signed in, such as "Chrome · Android"; '' where it did not say. */
  device: z.string(),
  created_at: time,
  /** To within the quarter of an hour that an access token lives. */
  last_seen_at: time,
  /** Whether it is the one that asks. */
  current: z.boolean(),
});
/** Sessions that are signed in, the one used last first. */
export const sessions = { body: nothing, data: z.object({ list: z.array(session) }) };
/** Ends one of the account's sessions, the caller's own too. */
export const endSession = { body: z.object({ id }), data: z.object({}) };

/**
 * Whether there is no such account here any more: for a phone that never heard what its closing came to. A
 * refused token would not tell, since sessions end for other reasons too. It wants none, because there is none
 * left; whoever knows an account's id learns nothing else.
 */
export const closed = {
  body: z.object({ id: z.uuid() }),
  data: z.object({ closed: z.boolean() }),
};

/** Values by key by group. */
export const config = {
  body: nothing,
  data: z.record(z.string(), z.record(z.string(), z.string())),
};
export const updateConfig = { body: setting, data: setting };

export const feedback = {
  body: z.object({
    ...feedbackWords,
    /** `url` of an uploaded log. */
    log_url: z.string().max(4096).optional(),
  }),
  data: z.object({ id: z.string() }),
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
