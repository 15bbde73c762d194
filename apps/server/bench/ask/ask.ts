import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { languages } from '@linnet/contract/languages';
import { z } from 'zod';

const language = z.enum(languages.map(({ bcp47 }) => bcp47));

const paragraph = z.strictObject({
  /** In seconds from the beginning of the recording. */
  start_time: z.number().nonnegative(),
  /** In seconds from the beginning of the recording. */
  end_time: z.number().positive(),
  /** The label of the speaker. */
  speaker: z.string().min(1),
  content: z.string().min(1),
});

const recordingSchema = z.strictObject({
  id: z.string().min(1),
  language,
  title: z.string().min(1),
  recorded_at: z.iso.datetime(),
  tags: z.array(z.string().min(1)),
  /** Where it was recorded, if known. */
  place: z.string().min(1).optional(),
  /** Names by label. Speakers without a name are missing. */
  speakers: z.record(z.string(), z.string().min(1)),
  paragraphs: z.array(paragraph).min(14).max(30),
});

const answer = z.strictObject({
  /** The ID of the recording. */
  recording: z.string().min(1),
  /** The index of the paragraph, from 0. */
  paragraph: z.int().nonnegative(),
});

const questionSchema = z.strictObject({
  id: z.string().min(1),
  /** The language of the question. */
  language,
  question: z.string().min(1),
  /** The moment to which relative dates refer. */
  asked_at: z.iso.datetime(),
  /** Every paragraph that answers the question; null if no recording does. */
  answers: z.array(answer).min(1).nullable(),
  kind: z.enum(['paraphrase', 'inflected', 'filter', 'cross-language', 'absent']),
});

export type Recording = z.infer<typeof recordingSchema>;
export type Question = z.infer<typeof questionSchema>;

/** The search is developed with the first half. Only figures of the second are reported. */
export type Half = 'development' | 'held-out';

/**
 * Reads all recordings, in the order of their file names.
 * @throws ZodError if a file is invalid
 */
export async function readRecordings(): Promise<Recording[]> {
  const folder = join(import.meta.dirname, 'recordings');
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort();
  return Promise.all(
    files.map(async (file) =>
      recordingSchema.parse(JSON.parse(await readFile(join(folder, file), 'utf8'))),
    ),
  );
}

/**
 * Reads the questions of one half.
 * @throws ZodError if the file is invalid
 */
export async function readQuestions(half: Half): Promise<Question[]> {
  const file = join(import.meta.dirname, 'questions', `${half}.json`);
  return z.array(questionSchema).parse(JSON.parse(await readFile(file, 'utf8')));
}
