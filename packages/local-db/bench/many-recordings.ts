import type { SqlDatabase, Statement } from '../src/database.ts';

/** The number of recordings: several years' worth for someone who records a few hours a week. */
export const RECORDINGS = 10_000;
const PARAGRAPHS = 10;
const WORDS = 60;
/** The vocabulary size of each language. The nth word is 1/n as frequent as the first. */
const VOCABULARY = 12_000;

/** Returns a seeded generator of pseudo-random numbers from 0 to 1. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index));

/** The languages, each defined by its syllables' onsets and rhymes and by its word separator. */
const languages = [
  {
    onsets: 'b,c,d,f,g,h,l,m,n,p,qu,r,s,t,v,w,ch,sh,st,tr,pl,br,th'.split(','),
    endings: 'a,e,i,o,u,an,en,in,on,er,or,al,ing,ion,é,ar'.split(','),
    gap: ' ',
  },
  { onsets: [...'бвгдзклмнпрстфхш'], endings: 'а,е,и,о,у,ый,ать,ов,ен'.split(','), gap: ' ' },
  { onsets: [...'بتجحدرسشعفقكلمنهي'], endings: ['ا', 'و', 'ي', 'َ', 'ِ', ''], gap: ' ' },
  { onsets: [...'กขคงจชดตทนบปผพมยรลวสห'], endings: ['า', 'ี', 'ุ', 'อง', 'ัน', '่า'], gap: '' },
  { onsets: range(0x4e00, 0x5800), endings: [''], gap: '' },
  { onsets: range(0xac00, 0xb400), endings: [''], gap: ' ' },
] as const;

/** Generates pseudo-random recordings in many languages. Every run generates the same recordings. */
export class RecordingGenerator {
  readonly #random = createRandom(7);
  readonly #vocabularies: readonly (readonly string[])[];

  constructor() {
    this.#vocabularies = languages.map(({ onsets, endings }) =>
      Array.from({ length: VOCABULARY }, () => {
        const syllables = 1 + Math.floor(this.#random() * 3);
        return Array.from(
          { length: syllables },
          () => this.#pick(onsets) + this.#pick(endings),
        ).join('');
      }),
    );
  }

  #pick(choice: readonly string[]): string {
    return choice[Math.floor(this.#random() * choice.length)] as string;
  }

  /** Returns a random word of a language, drawn from a Zipfian distribution. */
  word(language: number): string {
    const nth = Math.floor(VOCABULARY ** this.#random()) - 1;
    return this.#vocabularies[language]?.[nth] ?? '';
  }

  paragraph(language: number): string {
    const separator = languages[language]?.gap ?? ' ';
    return Array.from({ length: WORDS }, () => this.word(language)).join(separator);
  }

  /** Returns a query with at least two characters: a word, a prefix of a word, or two words. */
  query(): string {
    const language = Math.floor(this.#random() * languages.length);
    const word = this.word(language);
    const kind = this.#random();
    if (kind < 0.2) return `${word} ${this.word(language)}`;
    if (kind < 0.6) return [...word].slice(0, Math.max(2, Math.ceil(word.length / 2))).join('');
    return word;
  }

  /** Inserts {@link RECORDINGS} recordings for an account without indexing them. */
  async fill(database: SqlDatabase, uid: string): Promise<void> {
    const statements: Statement[] = [];
    for (let nth = 0; nth < RECORDINGS; nth += 1) {
      const language = nth % languages.length;
      const id = `recording-${nth}`;
      const date = new Date(1_700_000_000_000 + this.#random() * 6e10).toISOString();
      const title = `${this.word(language)} ${this.word(language)}`;
      statements.push([
        `insert into record (id, uid, title, create_date, update_date, results_task, tags, keywords, summary)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        [
          ...[id, uid, title, date, date, `task-${nth}`],
          ...[JSON.stringify([this.word(language)]), JSON.stringify([this.word(language)])],
          this.paragraph(language),
        ],
      ]);
      for (let ordinal = 0; ordinal < PARAGRAPHS; ordinal += 1) {
        const paragraph = {
          id: `${id}-${ordinal}`,
          start_time: ordinal * 30,
          content: this.paragraph(language),
        };
        statements.push([
          'insert into paragraph (task_id, ordinal, record_id, id, body) values (?, ?, ?, ?, ?)',
          [`task-${nth}`, ordinal, id, paragraph.id, JSON.stringify(paragraph)],
        ]);
      }
      if (statements.length > 5000) await database.batch(statements.splice(0));
    }
    await database.batch(statements);
  }
}
