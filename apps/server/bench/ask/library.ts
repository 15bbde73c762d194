import { readdir, readFile } from 'node:fs/promises';
import { z } from 'zod';

/** Recordings and questions about them, written by hand in ten languages, to measure how well questions are answered. */

const recordingSchema = z.object({
  id: z.string(),
  language: z.string(),
  title: z.string(),
  recorded_at: z.iso.datetime({ offset: true }),
  tags: z.array(z.string()),
  place: z.string().optional(),
  speakers: z.record(z.string(), z.string()),
  paragraphs: z.array(
    z.object({
      start_time: z.number(),
      end_time: z.number(),
      speaker: z.string(),
      content: z.string(),
    }),
  ),
});
export type LibraryRecording = z.output<typeof recordingSchema>;

const questionSchema = z.object({
  id: z.string(),
  language: z.string(),
  question: z.string(),
  asked_at: z.iso.datetime({ offset: true }),
  /** The paragraphs that answer the question; null if none does. */
  answers: z.array(z.object({ recording: z.string(), paragraph: z.int().min(0) })).nullable(),
  kind: z.enum(['paraphrase', 'inflected', 'filter', 'cross-language', 'absent']),
});
export type LibraryQuestion = z.output<typeof questionSchema>;

/** Questions used to develop the rules, and held-out ones. */
export type QuestionSet = 'development' | 'held-out';

const folder = new URL('./', import.meta.url);
const readJson = async (path: string): Promise<unknown> =>
  JSON.parse(await readFile(new URL(path, folder), 'utf8'));

export async function readRecordings(): Promise<LibraryRecording[]> {
  const names = await readdir(new URL('recordings/', folder));
  return Promise.all(
    names.sort().map(async (name) => recordingSchema.parse(await readJson(`recordings/${name}`))),
  );
}

export async function readQuestions(questionSet: QuestionSet): Promise<LibraryQuestion[]> {
  return z.array(questionSchema).parse(await readJson(`questions/${questionSet}.json`));
}
