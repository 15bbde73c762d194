import { z } from 'zod';
import { bestLanguage } from '../interface-languages.ts';
import { limits } from '../limits.ts';

/** Marks unions for which the API reference shows only the first alternative. */
const tolerant = { tolerant: true };

/** Uses the error message of the alternative that matches the value's type. */
const unionError = { error: ({ input, errors }: UnionIssue) => messageOf(input, errors) };
type UnionIssue = { readonly input?: unknown; readonly errors?: unknown };
function messageOf(input: unknown, errors: unknown): string | undefined {
  const [own, other] = errors as readonly (readonly { readonly message: string }[])[];
  return (typeof input === 'string' ? other : own)?.[0]?.message;
}

/** A number. Clients may also send a string, because some send all fields as strings. */
export const orText = <Value extends number>(schema: z.ZodType<Value, number>) =>
  z
    .union(
      [
        schema,
        z
          .string()
          .trim()
          .regex(/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i, { error: 'not a number' })
          .transform(Number)
          .pipe(schema),
      ],
      unionError,
    )
    .meta(tolerant);

/** A string. Clients may also send a number. */
export const orNumber = (schema: z.ZodType<string, string>) =>
  z.union([schema, z.number().transform(String).pipe(schema)]).meta(tolerant);

/** A boolean. Clients may also send 0 or 1, or a string. */
export const flag = z
  .union([
    z.boolean(),
    z
      .union([z.literal([0, 1]), z.literal(['0', '1', 'false', 'true'])])
      .transform((value) => value === 1 || value === '1' || value === 'true'),
  ])
  .meta(tolerant);

/** An id in calls made only by Linnet's own clients. */
export const textId = z.string().min(1).max(64);
/** The id of an object in a request. If the server didn't issue it, the response is "not found". */
export const id = orNumber(textId);
export const time = z.iso.datetime();
export const email = z
  .string()
  .trim()
  .max(limits.email.maxLength)
  .pipe(z.email({ error: 'not an e-mail address' }));
/** The caller's interface language, mapped to the nearest language the server is translated into. */
export const language = z
  .string()
  .trim()
  .min(1)
  .max(limits.language.maxLength)
  .transform((tag) => bestLanguage([tag]))
  .optional()
  .describe(
    'The language of the interface, as a BCP 47 tag such as `pt-BR`. Other than the interface languages means English.',
  );
export const serial = orNumber(z.string().trim().min(1).max(limits.serial.maxLength));
export const peaks = z
  .base64()
  .max(Math.ceil(limits.recording.peaks / 3) * 4)
  .describe(
    "Peak levels of a recording for its waveform: one byte (0 to 255) per equal part, in base64; '' if never measured.",
  );
/** The body of a call without parameters: absent or any object. */
export const nothing = z.object({}).nullish();

export const paging = {
  limit: orText(z.int().min(1).max(limits.page.maxLimit))
    .default(limits.page.defaultLimit)
    .describe('The maximum number of rows in `list`.'),
  page: orText(z.int().min(1).max(1_000_000))
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
