import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { languages } from '@linnet/contract/languages';
import { z } from 'zod';

const paragraph = z.strictObject({
  id: z.string().min(1),
  /** Seconds from the beginning of the recording. */
  start: z.number().nonnegative(),
  end: z.number().positive(),
  text: z.string().min(1),
  speaker: z.string().min(1),
});

/** Words that stand, exactly as quoted, in the paragraph they name. */
const quoted = z.strictObject({ paragraph: z.string().min(1), quote: z.string().min(1) });

/** A spoken meeting, and what a careful reader finds in it by the rules of the README. */
const meetingSchema = z.strictObject({
  language: z.enum(languages.map(({ bcp47 }) => bcp47)),
  paragraphs: z.array(paragraph).min(10).max(16),
  expected: z.strictObject({
    todos: z
      .array(
        quoted.extend({
          /** The doer as the paragraph calls them; null where nobody is called by name or role. */
          who: z.string().min(1).nullable(),
          /** The words of the paragraph that say when it is to be done. */
          when: z.string().min(1).nullable(),
        }),
      )
      .min(3)
      .max(7),
    questions: z.array(quoted).min(3).max(7),
    dates: z.array(quoted).min(3).max(7),
    amounts: z
      .array(
        quoted.extend({
          /** In whole units of the currency, such as euros. */
          amount: z.number().positive(),
          /** ISO 4217; null where the conversation does not tell. */
          currency: z
            .string()
            .regex(/^[A-Z]{3}$/)
            .nullable(),
        }),
      )
      .min(2)
      .max(5),
  }),
});

export type Meeting = z.infer<typeof meetingSchema>;

/** An analyzer is built with the first half in sight; only the second half is reported. */
export type Half = 'development' | 'held-out';

/**
 * The meetings of one half, one for each language, in the order of their file names.
 * Throws `ZodError` when a file is not of the shape.
 */
export async function readMeetings(half: Half): Promise<Meeting[]> {
  const folder = join(import.meta.dirname, half);
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort();
  return Promise.all(
    files.map(async (file) =>
      meetingSchema.parse(JSON.parse(await readFile(join(folder, file), 'utf8'))),
    ),
  );
}
