import { z } from 'zod';
import { limits } from '../limits.ts';
import { email, id, language, nothing, orNumber, time } from './common.ts';
import { subscription } from './order.ts';
import { feedbackFields } from './site.ts';
import { setting } from './sync.ts';

/**
 * A password. The server, not the schema, checks the strength of new passwords, so that it can return `weakPassword`
 * instead of `badRequest`.
 */
const password = z.string().min(1).max(1024);
const code = z.string().trim().min(1).max(32);

export const tokens = z
  .object({
    token_type: z.literal('Bearer'),
    access_token: z.string(),
    refresh_token: z.string(),
    expires_in: z.int().describe("The access token's lifetime in seconds."),
  })
  .meta({ id: 'Tokens', description: 'The tokens of a session.' });

export const login = { body: z.object({ email, password, language }), data: tokens };
export const refreshToken = { body: nothing, data: tokens };

export const userInfo = z
  .object({
    id: z.string(),
    email: z.string(),
    nickname: z.string().max(limits.nickname.maxLength),
    avatar: z
      .string()
      .nullable()
      .describe('A short-lived signed URL of the picture, or null if the account has none.'),
    is_vip: z.boolean(),
    vip_plan: z.enum(['trial', 'monthly', 'annual', 'granted']).nullable(),
    vip_expires_at: time.nullable(),
    subscription: subscription.nullable(),
    left_minutes: z.int(),
    agreement_version: z.string(),
    created_at: time,
  })
  .meta({ id: 'Account', description: 'The account.' });
export const info = { body: nothing, data: userInfo };

export const register = {
  body: z.object({
    email,
    code,
    password,
    repassword: z.string().max(1024),
    language,
    agreement_version: z
      .string()
      .max(32)
      .optional()
      .describe(
        'The version of the agreement and policy that the user accepts. Defaults to the current version.',
      ),
  }),
  data: z.object({ id: z.string(), email: z.string() }),
};

export const forgotPassword = {
  body: z.object({ email, code, password, repassword: z.string().max(1024) }),
  data: z.object({}),
};

/** Changes the password and ends the account's other sessions. */
export const updatePassword = {
  body: z.object({
    old_password: z.string().min(1).max(1024),
    password,
    repassword: z.string().max(1024),
  }),
  data: z.object({}),
};

/** Removes control characters and characters that hide or reorder surrounding text. */
const removeInvisibleCharacters = (text: string) =>
  text.replace(/[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu, '');

export const updateNickname = {
  body: z.object({
    nickname: z
      .string()
      .overwrite(removeInvisibleCharacters)
      .trim()
      .max(limits.nickname.maxLength)
      .describe("The new nickname, or '' to remove it."),
  }),
  data: userInfo,
};

export const updateAvatar = {
  body: z
    .object({ avatar: z.string().max(4096) })
    .describe(
      "The `url` of an uploaded avatar (its query is ignored), or '' to remove the picture.",
    ),
  data: userInfo,
};

/**
 * Closes the account permanently and deletes its data, except for invoice data. `password` may be omitted if it was
 * entered in this session within the last `limits.passwordFreshSeconds` seconds. Otherwise the server returns
 * passwordNeeded.
 */
export const deactivation = {
  body: z.object({ password: password.optional(), language }).nullish(),
  data: z.object({}),
};

/** Ends the session that the token belongs to. */
export const logout = { body: nothing, data: z.object({}) };

export const session = z
  .object({
    id: z.string(),
    device: z
      .string()
      .describe('The signed-in client, such as "Chrome · Android", or \'\' if unknown.'),
    created_at: time,
    last_seen_at: time.describe(
      'When the session was last used, accurate to 15 minutes (the lifetime of an access token).',
    ),
    current: z.boolean().describe("True for the caller's own session."),
  })
  .meta({ id: 'Session', description: 'An active session.' });
/** Returns the active sessions, most recently used first. */
export const sessions = { body: nothing, data: z.object({ list: z.array(session) }) };
/** Ends one of the account's sessions, possibly the caller's own. */
export const endSession = { body: z.object({ id }), data: z.object({}) };

/**
 * Returns whether an account is closed, for phones that never received the response to user/deactivation. A rejected
 * token doesn't prove that the account was closed, because sessions also end for other reasons. The call requires no
 * token, because a closed account has no valid tokens, and reveals nothing else about the account.
 */
export const closed = {
  body: z.object({ id: z.uuid() }),
  data: z.object({ closed: z.boolean() }),
};

/** Returns settings by group and key. */
export const config = {
  body: nothing,
  data: z.record(z.string(), z.record(z.string(), z.string())),
};
export const updateConfig = {
  body: setting.extend({ config_value: orNumber(setting.shape.config_value) }),
  data: setting,
};

export const feedback = {
  body: z.object({
    ...feedbackFields,
    log_url: z.string().max(4096).optional().describe('The `url` of an uploaded log.'),
  }),
  data: z.object({ id: z.string() }),
};

export const leftMinute = {
  body: nothing,
  data: z.object({
    left_minutes: z
      .int()
      .describe(
        'Available minutes: the sum of all balances minus the minutes reserved by running tasks.',
      ),
    vip_minutes: z.int(),
    free_minutes: z.int(),
    package_minutes: z.int(),
    reserved_minutes: z.int(),
  }),
};
