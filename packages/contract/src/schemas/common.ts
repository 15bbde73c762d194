import { z } from 'zod';
import { limits } from '../limits.ts';

/** An object's id as a caller may send it: anything that is not one of ours is simply not found. */
export const id = z.string().min(1).max(64);
export const time = z.iso.datetime();
export const email = z
  .string()
  .trim()
  .max(limits.email.maxLength)
  .pipe(z.email({ error: 'not an e-mail address' }));
export const serial = z.string().trim().min(1).max(limits.serial.maxLength);
/**
 * A recording as it is drawn: how loud each of its equal parts is, a byte from 0 to 255 for each, as base64;
 * '' where nobody has measured it.
 */
export const peaks = z.base64().max(Math.ceil(limits.recording.peaks / 3) * 4);
/** Bodies of calls that take nothing: an absent body is fine, and so is any object. */
export const nothing = z.object({}).nullish();

export const paging = {
  limit: z.int().min(1).max(limits.page.maxLimit).default(limits.page.defaultLimit),
  page: z.int().min(1).max(1_000_000).default(1),
};

/** A page of a list. */
export const listOf = <Row extends z.ZodType>(row: Row) =>
  z.object({ list: z.array(row), total: z.int(), page: z.int(), limit: z.int() });

/** What every answer is: `data` is null with any code but 0. */
export const envelope = <Data extends z.ZodType>(data: Data) =>
  z.object({ code: z.int(), msg: z.string(), data: data.nullable() });
