import { z } from 'zod';
import { listOf, nothing, serial, time } from './common.ts';

export const boundDevice = z.object({
  sn: z.string(),
  name: z.string(),
  /** Which firmware family it takes. */
  project_code: z.string(),
  bound_at: time,
});

export const index = { body: nothing, data: listOf(boundDevice) };

export const check = {
  body: z.object({ sn: serial }),
  /** bound: `none` is free, `self` is yours. Bound to somebody else is an error, 4200008. */
  data: z.object({ sn: z.string(), name: z.string(), bound: z.enum(['none', 'self']) }),
};

export const binding = { body: z.object({ sn: serial }), data: boundDevice };
export const unbinding = { body: z.object({ sn: serial }), data: z.object({ sn: z.string() }) };
