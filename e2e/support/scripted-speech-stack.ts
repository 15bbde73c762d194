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
export type TranscribedTalk = {
  /** Id on every phone (`client_flag`). */
  readonly id: string;
  readonly serverId: string;
  readonly taskId: string;
};

/** The service's names for the languages of the talks. */
const serviceLanguageNames: Partial<Record<Bcp47, string>> = {
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
const languagesWithoutSpaces: ReadonlySet<Bcp47> = new Set(['zh-Hans', 'ja', 'th']);

/** Seconds between two words. */
const GAP_SECONDS = 0.08;

/** The words of a line. In scripts without spaces, every few letters form one. */
function splitIntoWords({ language }: Talk, line: string): string[] {
  if (!languagesWithoutSpaces.has(language)) return line.split(' ');
  const words: string[] = [];
  for (const { segment, isWordLike } of new Intl.Segmenter(language).segment(line)) {
    if (isWordLike || words.length === 0) words.push(segment);
    else words[words.length - 1] += segment;
  }
  return words;
}

/** The words of a talk, with their times. */
function createScript(talk: Talk): SpokenWord[] {
  const script: SpokenWord[] = [];
  // Audio of less than two seconds is too short to transcribe.
  let clock = 1;
  for (const line of talk.lines) {
    const words = splitIntoWords(talk, line);
    for (const [index, text] of words.entries()) {
      script.push({ text, start: clock, ends: index === words.length - 1 });
      clock += WORD_SECONDS + GAP_SECONDS;
    }
    clock += talk.pause ?? 0.6;
  }
  return script;
}

/** Writes the microphone's scene to its own folder; the recorder has no session. */
async function writeScenes(samples: Int16Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-scenes-'));
  const encoder = (await loadOpus(readOpusWasm())).createEncoder();
  const packets: Uint8Array[] = [];
  for (let offset = 0; offset + PACKET_SAMPLES <= samples.length; offset += PACKET_SAMPLES) {
    packets.push(encoder.encode(samples.slice(offset, offset + PACKET_SAMPLES)).slice());
  }
  encoder.free();
  await writeFile(join(folder, 'microphone.ogg'), muxOgg(Buffer.concat(packets)));
  const metadata = { title: 'Microphone', mode: 'normal', scene: 'note' };
  await writeFile(join(folder, 'microphone.json'), JSON.stringify(metadata));
  return folder;
}

export type ScriptedSpeechStackOptions = StackOptions & {
  /** Speech near the recorder; without it, the recorder is in its delivery state. */
  readonly microphone?: Talk;
};

/**
 * All of Linnet, with a local speech recognition service that decodes tones: a recording in any language gets
 * exactly the text that a test needs, through the whole real pipeline, in a second.
 */
export class ScriptedSpeechStack {
  readonly stack: Stack;
  readonly #service: FakeOpenAi;
  readonly #scenes: string | null;

  private constructor(stack: Stack, service: FakeOpenAi, scenes: string | null) {
    this.stack = stack;
    this.#service = service;
    this.#scenes = scenes;
  }

  static async start(options: ScriptedSpeechStackOptions = {}): Promise<ScriptedSpeechStack> {
    const { env = {}, microphone, ...rest } = options;
    const service = await startOpenAi();
    if (microphone) service.script = createScript(microphone);
    const scenes = microphone ? await writeScenes(spoken(service.script)) : null;
    const speechRecognitionEnv = {
      ASR: 'openai',
      ASR_BASE_URL: service.url,
      ASR_API_KEY: fakeOpenAiKey,
      // Tones are not speech to voice detection.
      VOICE_DETECTION: 'off',
    };
    const recorderEnv = scenes !== null && {
      RECORDER_SCENES: scenes,
      RECORDER_SCENE: 'microphone',
    };
    const stack = await Stack.start({
      ...rest,
      env: { ...speechRecognitionEnv, ...recorderEnv, ...env },
    });
    return new ScriptedSpeechStack(stack, service, scenes);
  }

  /** The audio of a talk, and the words that the service will recognise in its next request. */
  synthesize(talk: Talk): Buffer {
    const script = createScript(talk);
    this.#service.script = script;
    this.#service.language = serviceLanguageNames[talk.language] ?? talk.language;
    return Buffer.from(writeWave(spoken(script), SAMPLE_RATE));
  }

  /** Has the server transcribe a talk, as if another phone of the account had recorded it. */
  async transcribe(account: ServerAccount, talk: Talk): Promise<TranscribedTalk> {
    // These tests are about recordings that are streamed.
    await account.disablePhoneStorage();
    const id = randomUUID();
    const { language, title, recordedAt } = talk;
    const audio = { bytes: this.synthesize(talk), ext: 'wav', type: 'audio/wav' } as const;
    const { recording, task } = await account.transcribe(id, audio, {
      language,
      name: title,
      ...(recordedAt && { recordedAt }),
    });
    return { id, serverId: recording.id, taskId: task.id };
  }

  /** Delays the service's responses from now on. @returns a function that releases them */
  holdResponses(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#service.hold = promise;
    return resolve;
  }

  /** Makes the service reject its next request permanently. */
  rejectNextRequest(): void {
    this.#service.faults.push(refusals.forbidden);
  }

  async stop(): Promise<void> {
    await this.stack.stop();
    await this.#service.close();
    if (this.#scenes) await rm(this.#scenes, { recursive: true });
  }
}
