/** Creates the large library for the app benchmark directly in the server's database. */
import { randomUUID } from 'node:crypto';
import type { SummaryDocument, Word } from '@linnet/contract';
import { taskStatus } from '@linnet/contract/statuses';
import { type NewRow, openDatabase } from '@linnet/server/database';

/** Size of the library. */
export const librarySize = {
  recordings: 10_000,
  paragraphsPerRecording: 2,
  longParagraphs: 5000,
  longHours: 8,
};

/** Vocabulary of the transcripts. */
const vocabulary =
  'we have to water the orchids before the harbour opens and nobody knows who has the key'.split(
    ' ',
  );
/** A word that occurs in one in a hundred recordings. */
export const rareWord = 'lighthouse';
/** A word that occurs only in the last paragraph of the long recording. */
export const lastWord = 'moonrise';

/** Duration of a word. */
const WORD_SECONDS = 0.36;

function createSentence(seed: number, count: number): string[] {
  return Array.from(
    { length: count },
    (_, index) => vocabulary[(seed * 7 + index * 5) % vocabulary.length] as string,
  );
}

function addTimes(words: readonly string[], start: number): Word[] {
  return words.map((text, index) => ({
    text,
    start: start + index * WORD_SECONDS,
    end: start + (index + 1) * WORD_SECONDS,
    confidence: index % 9 === 0 ? 0.4 : 0.95,
  }));
}

function createSummary(text: string, paragraph: string): SummaryDocument {
  const item = { id: 'i1', text, paragraph_id: paragraph, start_time: 0 };
  return {
    version: 1,
    engine: 'builtin',
    kind: 'extractive',
    language: 'en',
    structure: 'general',
    structures: { general: { sections: [{ heading: 'overview', items: [item] }] } },
    todos: [],
    knowledge_points: [],
    needs: [],
    questions: [],
    finance: [],
    timeline: [],
    topics: [],
    looked_for: [],
  };
}

/** Rows per statement. PostgreSQL accepts at most 65,535 parameters per statement. */
const ROWS_PER_STATEMENT = 1000;

function* batches<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let first = 0; first < rows.length; first += ROWS_PER_STATEMENT) {
    yield rows.slice(first, first + ROWS_PER_STATEMENT);
  }
}

/**
 * Fills an account with transcribed recordings: many short ones, and a recent eight-hour one.
 * @param url the URL of the server's database
 * @returns the ID of the long recording on the phone
 */
export async function fillLibrary(url: string, email: string): Promise<string> {
  const { db } = openDatabase(url, (error) => {
    throw error;
  });
  try {
    const { id: account } = await db
      .selectFrom('accounts')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    const recordings: NewRow<'recordings'>[] = [];
    const tasks: NewRow<'tasks'>[] = [];
    const paragraphs: NewRow<'paragraphs'>[] = [];
    const begin = Date.UTC(2026, 0, 1);
    let rev = 1;
    const addRecording = (count: number, each: number, name: string, at: number): string => {
      const [recording, task, flag] = [randomUUID(), randomUUID(), randomUUID()];
      rev += 1;
      let clock = 0;
      const ids: string[] = [];
      for (let ordinal = 0; ordinal < count; ordinal += 1) {
        const words = createSentence(rev + ordinal, each);
        if (ordinal === 0 && rev % 100 === 0) words[3] = rareWord;
        if (ordinal === librarySize.longParagraphs - 1) words[3] = lastWord;
        const content = `${words.join(' ')}.`;
        const id = randomUUID();
        ids.push(id);
        paragraphs.push({
          id,
          task_id: task,
          account_id: account,
          ordinal,
          start_time: clock,
          end_time: clock + each * WORD_SECONDS,
          content: content.charAt(0).toUpperCase() + content.slice(1),
          words: JSON.stringify(addTimes(words, clock)),
          is_tag: 0,
          rev,
        });
        clock += each * WORD_SECONDS;
      }
      const stamp = new Date(at);
      const brief = `About ${createSentence(rev, 9).join(' ')}.`;
      const times = { created_at: stamp, updated_at: stamp };
      recordings.push({
        id: recording,
        account_id: account,
        client_flag: flag,
        name,
        source: rev % 3 === 0 ? 1 : 2,
        mime_type: 'audio/ogg',
        ext: 'ogg',
        total_time: Math.round(clock),
        brief,
        keywords: JSON.stringify(createSentence(rev + 3, 4)),
        rev,
        recorded_at: stamp,
        ...times,
      });
      tasks.push({
        id: task,
        recording_id: recording,
        account_id: account,
        language: 'en',
        status: taskStatus.transcribed,
        progress: 100,
        engine: 'bench',
        title: name,
        brief,
        summary: brief,
        summary_json: JSON.stringify(createSummary(brief, ids[0] as string)),
        minutes: 1,
        rev,
        ...times,
      });
      return flag;
    };
    for (let index = 0; index < librarySize.recordings - 1; index += 1) {
      addRecording(
        librarySize.paragraphsPerRecording,
        30,
        `Notes ${index + 1}`,
        begin + index * 1_800_000,
      );
    }
    const perParagraph = Math.round(
      (librarySize.longHours * 3600) / librarySize.longParagraphs / WORD_SECONDS,
    );
    const longId = addRecording(
      librarySize.longParagraphs,
      perParagraph,
      'A whole day',
      begin + librarySize.recordings * 1_800_000,
    );
    await db.transaction().execute(async (trx) => {
      for (const rows of batches(recordings)) {
        await trx.insertInto('recordings').values(rows).execute();
      }
      for (const rows of batches(tasks)) await trx.insertInto('tasks').values(rows).execute();
      for (const rows of batches(paragraphs)) {
        await trx.insertInto('paragraphs').values(rows).execute();
      }
      await trx.updateTable('accounts').set({ rev }).where('id', '=', account).execute();
    });
    return longId;
  } finally {
    await db.destroy();
  }
}
