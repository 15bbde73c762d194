import { z } from 'zod';
import { listOf, nothing, serial, time } from './common.ts';

/** Of a binding under version 2 of the recorder's protocol: 32 bytes in hex. */
const bindingKey = z.string().regex(/^[0-9a-f]{64}$/, 'not 32 bytes in hex');

export const boundDevice = z.object({
  sn: z.string(),
  name: z.string(),
  /** Which firmware family it takes. */
  project_code: z.string(),
  bound_at: time,
  /** What the account's phones speak to it with; null when it was bound under version 1. */
  binding_key: bindingKey.nullable(),
});

export const index = { body: nothing, data: listOf(boundDevice) };

export const check = {
  body: z.object({ sn: serial }),
  /** bound: `none` is free, `self` is yours. Bound to somebody else is an error, 4200008. */
  data: z.object({
    sn: z.string(),
    name: z.string(),
    bound: z.enum(['none', 'self']),
    /** What the recorder knows its owner by: 16 bytes in hex, always the same for this account and recorder. */
    owner_tag: z.string().regex(/^[0-9a-f]{32}$/),
  }),
};

/** Without a key, the recorder was bound under version 1, and a key from before is forgotten. */
export const binding = {
  body: z.object({ sn: serial, binding_key: bindingKey.optional() }),
  data: boundDevice,
};
export const unbinding = { body: z.object({ sn: serial }), data: z.object({ sn: z.string() }) };
