import { z } from 'zod';
import { limits } from '../limits.ts';

/** The id of an object in a request. If the server didn't issue it, the response is "not found". */
export const id = z.string().min(1).max(64);
export const time = z.iso.datetime();
export const email = z
  .string()
  .trim()
  .max(limits.email.maxLength)
  .pipe(z.email({ error: 'not an e-mail address' }));
export const serial = z.string().trim().min(1).max(limits.serial.maxLength);
export const peaks = z
  .base64()
  .max(Math.ceil(limits.recording.peaks / 3) * 4)
  .describe(
    "Peak levels of a recording for its waveform: one byte (0 to 255) per equal part, in base64; '' if never measured.",
  );
/** The body of a call without parameters: absent, or any object. */
export const nothing = z.object({}).nullish();

export const paging = {
  limit: z
    .int()
    .min(1)
    .max(limits.page.maxLimit)
    .default(limits.page.defaultLimit)
    .describe('The maximum number of rows in `list`.'),
  page: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(1)
    .describe('The page to return, from 1. A page after the last one has an empty `list`.'),
};

/** A page of a list. */
export const listOf = <Row extends z.ZodType>(row: Row) =>
  z.object({
    list: z.array(row),
    total: z.int().describe('The number of rows on all pages.'),
    page: z.int(),
    limit: z.int(),
  });

/** The envelope of every response. `data` is null unless the code is 0. */
export const envelope = <Data extends z.ZodType>(data: Data) =>
  z.object({ code: z.int(), msg: z.string(), data: data.nullable() });
