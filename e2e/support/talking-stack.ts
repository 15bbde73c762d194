import { randomUUID } from 'node:crypto';
import { SAMPLE_RATE } from '@linnet/audio/format';
import { writeWave } from '@linnet/audio/wave';
import type { Bcp47 } from '@linnet/contract/languages';
import { type OpenAiStandIn, standInKey, startOpenAi } from '@linnet/server/testing/openai';
import { type SpokenWord, spoken, WORD_SECONDS } from '@linnet/server/testing/tones';
import type { ServerAccount } from './server-account.ts';
import { Stack, type StackOptions } from './stack.ts';

/** What somebody says: each line a sentence with its closing mark. */
export type Talk = {
  readonly title: string;
  readonly language: Bcp47;
  readonly lines: readonly string[];
  /** Seconds of silence before a line: from 2 on a new paragraph begins; 0.6 unless given. */
  readonly pause?: number;
  /** When it was recorded, ISO-8601; now unless given. */
  readonly recordedAt?: string;
};

/** A talk that the server has heard. */
export type HeardTalk = {
  /** On every phone (`client_flag`). */
  readonly id: string;
  readonly serverId: string;
  readonly taskId: string;
};

/** What the service calls the languages that talks are in. */
const called: Partial<Record<Bcp47, string>> = {
  en: 'english',
  'zh-Hans': 'chinese',
  ar: 'arabic',
  ja: 'japanese',
  ko: 'korean',
  th: 'thai',
  ru: 'russian',
  es: 'spanish',
  pt: 'portuguese',
  fr: 'french',
};
const unspaced: ReadonlySet<Bcp47> = new Set(['zh-Hans', 'ja', 'th']);

/** Seconds between two words. */
const GAP = 0.08;

/** The words of a line; where no spaces are written, each sound of a few letters is one. */
function wordsOf({ language }: Talk, line: string): string[] {
  if (!unspaced.has(language)) return line.split(' ');
  const words: string[] = [];
  for (const { segment, isWordLike } of new Intl.Segmenter(language).segment(line)) {
    if (isWordLike || words.length === 0) words.push(segment);
    else words[words.length - 1] += segment;
  }
  return words;
}

/**
 * All of Linnet, hearing through a service on this machine that understands tones, so that a recording in
 * any language says exactly what a test wants, through the whole of the real pipeline, in a second.
 */
export class TalkingStack {
  readonly stack: Stack;
  readonly #service: OpenAiStandIn;

  private constructor(stack: Stack, service: OpenAiStandIn) {
    this.stack = stack;
    this.#service = service;
  }

  static async start({ env = {}, ...options }: StackOptions = {}): Promise<TalkingStack> {
    const service = await startOpenAi();
    const hearing = {
      ASR: 'openai',
      ASR_BASE_URL: service.url,
      ASR_API_KEY: standInKey,
      // Tones are no voices.
      VOICE_DETECTION: 'off',
    };
    const stack = await Stack.start({ ...options, env: { ...hearing, ...env } });
    return new TalkingStack(stack, service);
  }

  /** The sound of a talk, and the words that the service will hear in what it is asked next. */
  sound(talk: Talk): Buffer {
    const script: SpokenWord[] = [];
    // Less than two seconds in all would be too short to transcribe.
    let clock = 1;
    for (const line of talk.lines) {
      const words = wordsOf(talk, line);
      for (const [index, text] of words.entries()) {
        script.push({ text, start: clock, ends: index === words.length - 1 });
        clock += WORD_SECONDS + GAP;
      }
      clock += talk.pause ?? 0.6;
    }
    this.#service.script = script;
    this.#service.language = called[talk.language] ?? talk.language;
    return Buffer.from(writeWave(spoken(script), SAMPLE_RATE));
  }

  /** Has the server hear a talk, as if another phone of the account had recorded it. */
  async hear(account: ServerAccount, talk: Talk): Promise<HeardTalk> {
    const id = randomUUID();
    const { language, title, recordedAt } = talk;
    const master = { bytes: this.sound(talk), ext: 'wav', type: 'audio/wav' } as const;
    const { recording, task } = await account.transcribe(id, master, {
      language,
      name: title,
      ...(recordedAt && { recordedAt }),
    });
    return { id, serverId: recording.id, taskId: task.id };
  }

  async stop(): Promise<void> {
    await this.stack.stop();
    await this.#service.close();
  }
}
