import { z } from 'zod';
import { nothing } from './common.ts';

const address = z
  .string()
  .describe('The address to which a calendar app subscribes. It is secret.');

/** Returns the address of the account's calendar. */
export const get = {
  body: nothing,
  data: z.object({ url: address.nullable().describe('The address; null if there is none.') }),
};
/** Creates the address of the account's calendar. If there is one, it is returned. */
export const create = { body: nothing, data: z.object({ url: address }) };
/** Makes the address invalid at once. */
export const revoke = { body: nothing, data: z.object({}) };
