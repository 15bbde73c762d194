import { z } from 'zod';
import { limits } from '../limits.ts';
import { id, listOf, orText, paging, textId, time } from './common.ts';
import { clientFlag } from './live.ts';

const question = z.string().trim().min(1).max(limits.ask.questionMaxLength);

const indexing = z
  .boolean()
  .describe('Whether some recordings were not searched yet, because they have just changed.');

export const quote = z
  .object({
    radio_file_id: z
      .string()
      .describe('ID of the recording; empty while the recording is in progress.'),
    client_flag: z
      .string()
      .optional()
      .describe('The `client_flag` of the recording while it is in progress.'),
    title: z.string().describe("The recording's current name."),
    recorded_at: time,
    paragraph_id: z.string().describe('Empty if the quote is from live text.'),
    start_time: z.number().describe('Start of the paragraph in seconds.'),
    text: z.string().describe('The paragraph.'),
    speaker: z.string().describe('Name of the speaker; empty if unknown or not named.'),
  })
  .meta({ id: 'Quote', description: 'A paragraph that answers a question.' });

export const answer = z
  .object({
    id: z.string(),
    thread_id: z.string().describe('ID of the thread that the question belongs to.'),
    question: z.string(),
    asked_at: time,
    answer: z
      .string()
      .describe('The answer; empty if there is none. If not `written`, it is the first quote.'),
    written: z
      .boolean()
      .describe(
        'Whether a language model wrote the answer. If not, it is quoted from the recordings.',
      ),
    missing: z
      .boolean()
      .describe(
        'Whether quotes are left out, because their recordings were deleted or are in the recycle bin.',
      ),
    writing: z
      .boolean()
      .describe(
        'Whether a language model is still writing the answer. `ask/thread` returns the sentences so far.',
      ),
    sentences: z
      .array(
        z.object({
          text: z.string(),
          source: z.int().min(0).describe('Index in `quotes` of the paragraph that says so.'),
        }),
      )
      .describe('The sentences of a written answer.'),
    quotes: z
      .array(quote)
      .describe(
        'The paragraphs that answer the question, best first; those of a written answer in its order.',
      ),
  })
  .meta({ id: 'Answer', description: 'A question with its answer.' });

export const thread = z
  .object({
    id: z.string(),
    ids: z
      .array(z.string())
      .describe(
        'IDs of the recordings that are asked about; empty for all, and also with `client_flag`.',
      ),
    client_flag: z
      .string()
      .optional()
      .describe('The `client_flag` of the recording in progress that is asked about.'),
    question: z.string().describe('The first question.'),
    count: z.int().describe('Number of questions.'),
    updated_at: time,
  })
  .meta({ id: 'Thread', description: 'A question and those that continue it.' });

const asked = {
  wait: orText(z.number().min(0).max(limits.ask.wait))
    .default(limits.ask.wait)
    .describe('Maximum seconds to wait for a language model to write the answer.'),
  question_id: z
    .uuid()
    .optional()
    .describe(
      'An ID made by the client. If a question with it was stored before, its answer is returned.',
    ),
};

/** Asks a question about the recordings. */
export const ask = {
  body: z.object({
    question,
    ids: z
      .array(id)
      .max(limits.ask.recordings)
      .optional()
      .describe('IDs of the recordings to ask about. If absent or empty, all recordings are.'),
    thread_id: textId
      .optional()
      .describe('ID of the thread to continue, with its recordings. If absent, a new one begins.'),
    ...asked,
  }),
  data: answer.extend({ indexing }),
};
/** Asks a question about a recording in progress. */
export const live = {
  body: z.object({ question, client_flag: clientFlag, ...asked }),
  data: answer.extend({ indexing }),
};
/** Finds the passages that answer a question, without storing it. */
export const passages = {
  body: z.object({
    question,
    except: z
      .array(id)
      .max(limits.page.maxLimit)
      .optional()
      .describe('IDs of recordings to leave out.'),
  }),
  data: z.object({ quotes: z.array(quote), indexing }),
};
/** Lists the threads, latest first. */
export const index = { body: z.object(paging), data: listOf(thread) };
/** Returns the questions of a thread, in order. */
export const get = {
  body: z.object({ id }),
  data: z.object({ thread, list: z.array(answer) }),
};
/** Deletes a thread. */
export const remove = { body: z.object({ id }), data: z.object({}) };
