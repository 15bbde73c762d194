import { z } from 'zod';
import { bestLanguage } from '../interface-languages.ts';
import { limits } from '../limits.ts';

/** Marks lenient unions. The API reference shows only their first alternative. */
const tolerant = { tolerant: true };

/** Uses the error message of the alternative that matches the value's type. */
const unionError = { error: ({ input, errors }: UnionIssue) => selectMessage(input, errors) };
type UnionIssue = { readonly input?: unknown; readonly errors?: unknown };
function selectMessage(input: unknown, errors: unknown): string | undefined {
  const [primary, fromText] = errors as readonly (readonly { readonly message: string }[])[];
  return (typeof input === 'string' ? fromText : primary)?.[0]?.message;
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

/** A string ID, for calls that only Linnet's own clients make. */
export const textId = z.string().min(1).max(64);
/** An object ID in a request. An ID that the server didn't issue isn't invalid: the response is `notFound`. */
export const id = orNumber(textId);
export const time = z.iso.datetime();
export const email = z
  .string()
  .trim()
  .max(limits.email.maxLength)
  .pipe(z.email({ error: 'not an email address' }));
/** The caller's interface language, mapped to the nearest language the server is translated into. */
export const language = z
  .string()
  .trim()
  .min(1)
  .max(limits.language.maxLength)
  .transform((tag) => bestLanguage([tag]))
  .optional()
  .describe(
    'The language of the interface, as a BCP 47 tag such as `pt-BR`. Unsupported languages fall back to English.',
  );
export const serial = orNumber(z.string().trim().min(1).max(limits.serial.maxLength));
export const peaks = z
  .base64()
  .max(Math.ceil(limits.recording.peaks / 3) * 4)
  .describe(
    "Peak levels for the waveform, in base64: the recording is divided into equal parts, with one byte (0 to 255) per part. '' if the levels were never measured.",
  );
/** The body of a call without parameters: absent or any object. */
export const nothing = z.object({}).nullish();

export const paging = {
  limit: orText(z.int().min(1).max(limits.page.maxLimit))
    .default(limits.page.defaultLimit)
    .describe('Maximum number of rows in `list`.'),
  page: orText(z.int().min(1).max(1_000_000))
    .default(1)
    .describe('The page number, starting at 1. `list` is empty beyond the last page.'),
};

/** A page of a list. */
export const pageSchema = <Row extends z.ZodType>(row: Row) =>
  z.object({
    list: z.array(row),
    total: z.int().describe('Total number of rows on all pages.'),
    page: z.int(),
    limit: z.int(),
  });

/** The envelope of every response. `data` is null unless the code is 0. */
export const envelope = <Data extends z.ZodType>(data: Data) =>
  z.object({ code: z.int(), msg: z.string(), data: data.nullable() });
