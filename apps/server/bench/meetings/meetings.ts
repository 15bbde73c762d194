import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { languages } from '@linnet/contract/languages';
import { z } from 'zod';

const paragraph = z.strictObject({
  id: z.string().min(1),
  /** Seconds from the start of the recording. */
  start: z.number().nonnegative(),
  end: z.number().positive(),
  text: z.string().min(1),
  speaker: z.string().min(1),
});

/** A verbatim quote from a paragraph. */
const quoted = z.strictObject({ paragraph: z.string().min(1), quote: z.string().min(1) });

/** A subject of the conversation. It ends where the next topic begins. */
const topic = z.strictObject({
  /** The ID of the first paragraph. */
  from: z.string().min(1),
  /** Words or their stems. A good title contains at least one of them, in any case. */
  keywords: z.array(z.string().min(1)).min(3).max(6),
});

/** A meeting with labels according to the rules in the README. */
const meetingSchema = z.strictObject({
  language: z.enum(languages.map(({ bcp47 }) => bcp47)),
  paragraphs: z.array(paragraph).min(10).max(60),
  expected: z.strictObject({
    todos: z
      .array(
        quoted.extend({
          /** The assignee as named in the paragraph; null if not identified by name or role. */
          who: z.string().min(1).nullable(),
          /** The due time as worded in the paragraph. */
          when: z.string().min(1).nullable(),
        }),
      )
      .min(3)
      .max(14),
    questions: z.array(quoted).min(3).max(8),
    dates: z.array(quoted).min(3).max(12),
    amounts: z
      .array(
        quoted.extend({
          /** In major units of the currency, such as euros. */
          amount: z.number().positive(),
          /** ISO 4217; null if unknown. */
          currency: z
            .string()
            .regex(/^[A-Z]{3}$/)
            .nullable(),
        }),
      )
      .min(2)
      .max(10),
    /** Only in long meetings. */
    decisions: z.array(quoted).min(3).max(6).optional(),
    /** In order. Only in long meetings. */
    topics: z.array(topic).length(3).optional(),
  }),
});

export type Meeting = z.infer<typeof meetingSchema> & {
  /** File name, unique within its half. */
  readonly file: string;
};

/** The analyzer is developed with the `development` half. Reported results come from the `held-out` half. */
export type MeetingSet = 'development' | 'held-out';

/**
 * Reads all meetings of one half, in the order of their file names. A language has several.
 * @throws ZodError if a file is invalid
 */
export async function readMeetings(half: MeetingSet): Promise<Meeting[]> {
  const folder = join(import.meta.dirname, half);
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort();
  return Promise.all(
    files.map(async (file) => ({
      file,
      ...meetingSchema.parse(JSON.parse(await readFile(join(folder, file), 'utf8'))),
    })),
  );
}
