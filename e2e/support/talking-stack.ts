import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PACKET_SAMPLES, SAMPLE_RATE } from '@linnet/audio/format';
import { muxOgg } from '@linnet/audio/ogg';
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { writeWave } from '@linnet/audio/wave';
import type { Bcp47 } from '@linnet/contract/languages';
import {
  type FakeOpenAi,
  fakeOpenAiKey,
  refusals,
  startOpenAi,
} from '@linnet/server/testing/openai';
import { type SpokenWord, spoken, WORD_SECONDS } from '@linnet/server/testing/tones';
import type { ServerAccount } from './server-account.ts';
import { Stack, type StackOptions } from './stack.ts';

/** A script of speech: each line is a sentence with its closing punctuation. */
export type Talk = {
  readonly title: string;
  readonly language: Bcp47;
  readonly lines: readonly string[];
  /** Seconds of silence before a line, 0.6 by default; from 2 on a new paragraph begins. */
  readonly pause?: number;
  /** Time of the recording, ISO-8601; now by default. */
  readonly recordedAt?: string;
};

/** A talk that the server has transcribed. */
export type HeardTalk = {
  /** Id on every phone (`client_flag`). */
  readonly id: string;
  readonly serverId: string;
  readonly taskId: string;
};

/** The service's names for the languages of the talks. */
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

/** The words of a line. In scripts without spaces, every few letters form one. */
function wordsOf({ language }: Talk, line: string): string[] {
  if (!unspaced.has(language)) return line.split(' ');
  const words: string[] = [];
  for (const { segment, isWordLike } of new Intl.Segmenter(language).segment(line)) {
    if (isWordLike || words.length === 0) words.push(segment);
    else words[words.length - 1] += segment;
  }
  return words;
}

/** The words of a talk, with their times. */
function scriptOf(talk: Talk): SpokenWord[] {
  const script: SpokenWord[] = [];
  // Audio of less than two seconds is too short to transcribe.
  let clock = 1;
  for (const line of talk.lines) {
    const words = wordsOf(talk, line);
    for (const [index, text] of words.entries()) {
      script.push({ text, start: clock, ends: index === words.length - 1 });
      clock += WORD_SECONDS + GAP;
    }
    clock += talk.pause ?? 0.6;
  }
  return script;
}

/** Writes the microphone's scene to its own folder; the recorder has no session. */
async function makeScenes(heard: Int16Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-scenes-'));
  const encoder = (await loadOpus(readOpusWasm())).createEncoder();
  const packets: Uint8Array[] = [];
  for (let at = 0; at + PACKET_SAMPLES <= heard.length; at += PACKET_SAMPLES) {
    packets.push(encoder.encode(heard.slice(at, at + PACKET_SAMPLES)).slice());
  }
  encoder.free();
  await writeFile(join(folder, 'microphone.ogg'), muxOgg(Buffer.concat(packets)));
  const about = { title: 'Microphone', mode: 'normal', scene: 'note' };
  await writeFile(join(folder, 'microphone.json'), JSON.stringify(about));
  return folder;
}

export type TalkingStackOptions = StackOptions & {
  /** Speech near the recorder; without it, the recorder is in its delivery state. */
  readonly microphone?: Talk;
};

/**
 * All of Linnet, with a local speech recognition service that decodes tones: a recording in any language gets
 * exactly the text that a test needs, through the whole real pipeline, in a second.
 */
export class TalkingStack {
  readonly stack: Stack;
  readonly #service: FakeOpenAi;
  readonly #scenes: string | null;

  private constructor(stack: Stack, service: FakeOpenAi, scenes: string | null) {
    this.stack = stack;
    this.#service = service;
    this.#scenes = scenes;
  }

  static async start(options: TalkingStackOptions = {}): Promise<TalkingStack> {
    const { env = {}, microphone, ...rest } = options;
    const service = await startOpenAi();
    if (microphone) service.script = scriptOf(microphone);
    const scenes = microphone ? await makeScenes(spoken(service.script)) : null;
    const hearing = {
      ASR: 'openai',
      ASR_BASE_URL: service.url,
      ASR_API_KEY: fakeOpenAiKey,
      // Tones are not speech to voice detection.
      VOICE_DETECTION: 'off',
    };
    const around = scenes !== null && { RECORDER_SCENES: scenes, RECORDER_SCENE: 'microphone' };
    const stack = await Stack.start({ ...rest, env: { ...hearing, ...around, ...env } });
    return new TalkingStack(stack, service, scenes);
  }

  /** The audio of a talk, and the words that the service will recognise in its next request. */
  sound(talk: Talk): Buffer {
    const script = scriptOf(talk);
    this.#service.script = script;
    this.#service.language = called[talk.language] ?? talk.language;
    return Buffer.from(writeWave(spoken(script), SAMPLE_RATE));
  }

  /** Has the server transcribe a talk, as if another phone of the account had recorded it. */
  async hear(account: ServerAccount, talk: Talk): Promise<HeardTalk> {
    // These tests are about recordings that are streamed.
    await account.keepOffPhones();
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

  /** Delays the service's responses from now on. @returns a function that releases them */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#service.hold = promise;
    return resolve;
  }

  /** Makes the service reject its next request permanently. */
  refuseNext(): void {
    this.#service.faults.push(refusals.forbidden);
  }

  async stop(): Promise<void> {
    await this.stack.stop();
    await this.#service.close();
    if (this.#scenes) await rm(this.#scenes, { recursive: true });
  }
}
