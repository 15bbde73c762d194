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
import { type SpokenWord, synthesizeScript, WORD_SECONDS } from '@linnet/server/testing/tones';
import type { ServerAccount } from './server-account.ts';
import { Stack, type StackOptions } from './stack.ts';

/** A recording's script. Each line is a sentence with its closing punctuation. */
export type Talk = {
  readonly title: string;
  readonly language: Bcp47;
  readonly lines: readonly string[];
  /** Silence before the first line, in seconds; 1 by default. */
  readonly lead?: number;
  /** Silence between lines, in seconds; 0.6 by default. 2 seconds or more start a new paragraph. */
  readonly pause?: number;
  /** When it was recorded (ISO 8601); now by default. */
  readonly recordedAt?: string;
};

/** A talk that the server has transcribed. */
export type TranscribedTalk = {
  /** The ID on every phone (`client_flag`). */
  readonly id: string;
  readonly serverId: string;
  readonly taskId: string;
};

/** The speech recognition service's language names. */
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

/** Silence between words. */
const GAP_SECONDS = 0.08;

/** Splits a line into words, with a word segmenter for languages without spaces. */
function splitIntoWords({ language }: Talk, line: string): string[] {
  if (!languagesWithoutSpaces.has(language)) return line.split(' ');
  const words: string[] = [];
  for (const { segment, isWordLike } of new Intl.Segmenter(language).segment(line)) {
    if (isWordLike || words.length === 0) words.push(segment);
    else words[words.length - 1] += segment;
  }
  return words;
}

/** Returns a talk's words with their times. */
function createScript(talk: Talk): SpokenWord[] {
  const script: SpokenWord[] = [];
  // Start with silence, because audio shorter than two seconds isn't transcribed.
  let clock = talk.lead ?? 1;
  for (const line of talk.lines) {
    const words = splitIntoWords(talk, line);
    for (const [index, text] of words.entries()) {
      script.push({ text, start: clock, endsSentence: index === words.length - 1 });
      clock += WORD_SECONDS + GAP_SECONDS;
    }
    clock += talk.pause ?? 0.6;
  }
  return script;
}

/** Writes the microphone's scene to a folder without other scenes, so that the recorder starts without sessions. */
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
  /** The talk recorded by the recorder's microphone. By default, the recorder has its usual scenes. */
  readonly microphone?: Talk;
  /** A fake language model that summarizes the transcripts. By default, the built-in analyzer does. */
  readonly reader?: FakeOpenAi['reader'];
};

/**
 * A Linnet stack with a fake speech recognition service that decodes tones instead of speech. A recording's transcript
 * is exactly its script, in any language, and is ready within a second. All other pipeline stages are real.
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
    const { env = {}, microphone, reader, ...rest } = options;
    const service = await startOpenAi();
    if (microphone) service.script = createScript(microphone);
    const scenes = microphone ? await writeScenes(synthesizeScript(service.script)) : null;
    const speechRecognitionEnv = {
      ASR: 'openai',
      ASR_BASE_URL: service.url,
      ASR_API_KEY: fakeOpenAiKey,
      // Voice detection would remove the tones.
      VOICE_DETECTION: 'off',
    };
    if (reader) service.reader = reader;
    const summaryEnv = reader && {
      LLM: 'openai',
      LLM_BASE_URL: service.url,
      LLM_API_KEY: fakeOpenAiKey,
    };
    const recorderEnv = scenes !== null && {
      RECORDER_SCENES: scenes,
      RECORDER_SCENE: 'microphone',
    };
    const stack = await Stack.start({
      ...rest,
      env: { ...speechRecognitionEnv, ...summaryEnv, ...recorderEnv, ...env },
    });
    return new ScriptedSpeechStack(stack, service, scenes);
  }

  /** Creates a talk's audio, and prepares the service to return the talk's words for its next request. */
  synthesize(talk: Talk): Buffer {
    const script = createScript(talk);
    this.#service.script = script;
    this.#service.language = serviceLanguageNames[talk.language] ?? talk.language;
    return Buffer.from(writeWave(synthesizeScript(script), SAMPLE_RATE));
  }

  /**
   * Creates the audio of both sides of a call, and prepares the service like {@link synthesize}.
   * @param isOthers returns whether the others speak a line
   */
  synthesizeCall(
    talk: Talk,
    isOthers: (line: number) => boolean,
  ): { readonly microphone: Buffer; readonly others: Buffer } {
    this.synthesize(talk);
    const script = createScript(talk);
    const lineNumbers = script.map(
      (_, word) => script.slice(0, word).filter(({ endsSentence }) => endsSentence).length,
    );
    const side = (isSpoken: (line: number) => boolean) => {
      const words = script.map((_, word) => isSpoken(lineNumbers[word] as number));
      return Buffer.from(writeWave(synthesizeScript(script, words), SAMPLE_RATE));
    };
    return { microphone: side((line) => !isOthers(line)), others: side(isOthers) };
  }

  /** Uploads a talk, as another of the account's phones would, and waits for its transcript. */
  async transcribe(account: ServerAccount, talk: Talk): Promise<TranscribedTalk> {
    // The tests need recordings that are streamed, not stored on the phone.
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

  /**
   * Holds back the service's responses.
   * @returns a function that releases them
   */
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
