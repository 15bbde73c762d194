import { z } from 'zod';
import { keyScopes } from '../key-scopes.ts';
import { limits } from '../limits.ts';
import { id, nothing, time } from './common.ts';

const scopes = z
  .array(z.enum(keyScopes))
  .min(1)
  .max(keyScopes.length)
  .refine((list) => new Set(list).size === list.length, { error: 'duplicate scope' })
  .describe("The key's permissions. `write` does not include `read`.");

export const apiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    scopes,
    created_at: time,
    last_used_at: time
      .nullable()
      .describe(
        'When the key was last used, accurate to one minute, or null if it was never used.',
      ),
    expires_at: time.nullable().describe('When the key expires, or null if it never expires.'),
  })
  .meta({ id: 'ApiKey', description: 'An API key, without the key itself.' });

/** Creates an API key. */
export const create = {
  body: z.object({
    name: z.string().trim().min(1).max(limits.keys.nameMaxLength),
    scopes,
    expires_days: z
      .int()
      .min(1)
      .max(limits.keys.maxDays)
      .optional()
      .describe('Days until the key expires. If absent, the key never expires.'),
    password: z
      .string()
      .max(1024)
      .optional()
      .describe(
        'Required unless the password was entered in this session within the last ten minutes.',
      ),
  }),
  data: z.object({
    id: z.string(),
    key: z.string().describe('The key. It is returned only once, and stored only as a hash.'),
  }),
};
/** Returns the valid keys, newest first. */
export const list = { body: nothing, data: z.object({ list: z.array(apiKey) }) };
/** Revokes a key immediately. */
export const revoke = { body: z.object({ id }), data: z.object({}) };
