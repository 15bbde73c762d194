import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startClock } from '../../../../test/openai/clock.ts';
import {
  type FakeOpenAi,
  fakeOpenAiKey,
  refusals,
  type ServiceFault,
  startOpenAi,
} from '../../../../test/openai/service.ts';
import { makeScript, type SpokenWord, speakToFile, spoken } from '../../../../test/openai/tones.ts';
import { recognizerContract } from '../contract-suite.ts';
import { SPEECH_SAMPLE_RATE, type SpeechFailureCode, type TranscribeRequest } from '../port.ts';
import { createOpenAiRecognizer, type OpenAiSpeechOptions } from './index.ts';

let service: FakeOpenAi;
beforeAll(async () => {
  service = await startOpenAi();
});
afterAll(() => service.close());

const script = makeScript(40);
const samples = spoken(script);

const initial = { language: 'english', timeError: 0, wordTimes: true, maxConcurrent: 0 };
beforeEach(() => {
  Object.assign(service, initial, { script, hold: Promise.resolve() });
  for (const list of [service.requests, service.audio, service.faults]) list.length = 0;
});

function recognizer(options: Partial<OpenAiSpeechOptions> = {}) {
  return createOpenAiRecognizer({
    baseUrl: service.url,
    apiKey: fakeOpenAiKey,
    model: 'whisper-1',
    maxBytes: 25_000_000,
    maxSeconds: 20,
    format: 'ogg',
    concurrency: 2,
    clock: startClock(),
    ...options,
  });
}

/** As it is written: the first word of a sentence with a capital, the last with a full stop. */
const written = (words: readonly SpokenWord[]) =>
  words.map(({ text, ends }, index) => {
    const begins = index === 0 || words[index - 1]?.ends;
    const word = begins ? `${text.charAt(0).toUpperCase()}${text.slice(1)}` : text;
    return ends ? `${word}.` : word;
  });
const plain = (words: readonly { readonly text: string }[]) =>
  words.map(({ text }) => text.toLowerCase().replace('.', ''));

const hear = (
  options: Partial<OpenAiSpeechOptions> = {},
  request: Partial<TranscribeRequest> = {},
) =>
  recognizer(options).transcribe({
    audio: { kind: 'pcm', samples },
    language: 'en',
    ...request,
  });

recognizerContract(recognizer, async () => ({
  samples,
  transcript: script.map(({ text }) => text).join(' '),
  language: 'en-GB',
  maxErrorRate: 0,
}));

describe('hearing by a service', { timeout: 60_000 }, () => {
  it('sends what the service takes, in pieces under its limits, two at a time', async () => {
    const long = makeScript(300);
    service.script = long;
    service.timeError = 0.1;
    const { words } = await hear(
      { maxSeconds: 60 },
      { audio: { kind: 'pcm', samples: spoken(long) } },
    );
    expect(plain(words)).toEqual(plain(long));
    expect(service.audio.length).toBeGreaterThan(5);
    expect(service.maxConcurrent).toBe(2);
    for (const { seconds, fields } of service.audio) {
      expect(seconds).toBeLessThanOrEqual(60.05);
      expect(fields).toEqual({
        model: ['whisper-1'],
        language: ['en'],
        response_format: ['verbose_json'],
        'timestamp_granularities[]': ['segment', 'word'],
      });
    }
  });

  it.each(['ogg', 'wav'] as const)('keeps to the limit of bytes, as %s', async (format) => {
    const long = makeScript(150);
    service.script = long;
    const { words } = await hear(
      { format, maxBytes: 1_000_000, maxSeconds: 3600 },
      { audio: { kind: 'pcm', samples: spoken(long) } },
    );
    expect(plain(words)).toEqual(plain(long));
    expect(service.audio.length).toBeGreaterThan(1);
    for (const { bytes } of service.audio) expect(bytes).toBeLessThanOrEqual(1_000_000);
    // and it makes use of it
    const most = Math.max(...service.audio.map(({ bytes }) => bytes));
    expect(most).toBeGreaterThan(450_000);
  });

  it('gives words as they are written, with the times of the recording', async () => {
    const { words, ...rest } = await hear();
    expect(words.map(({ text }) => text)).toEqual(written(script));
    expect(rest).toEqual({ language: 'en', engine: 'openai/whisper-1', punctuated: true });
    for (const [index, { start, confidence }] of words.entries()) {
      expect(Math.abs(start - (script[index]?.start ?? 0))).toBeLessThan(0.03);
      expect(confidence).toBeCloseTo(Math.exp(-0.25) * 0.98);
    }
  });

  it('divides segments where the service knows no times of words, and asks for them once', async () => {
    service.wordTimes = false;
    const engine = recognizer({ concurrency: 1 });
    const request = { audio: { kind: 'pcm', samples }, language: 'en' } as const;
    const { words } = await engine.transcribe(request);
    expect(words.map(({ text }) => text)).toEqual(written(script));
    for (const [index, { start }] of words.entries()) {
      expect(Math.abs(start - (script[index]?.start ?? 0))).toBeLessThan(0.6);
    }
    const pieces = service.audio.length;
    expect(service.requests.length).toBe(pieces + 1);
    await engine.transcribe(request);
    expect(service.requests.length).toBe(2 * pieces + 1);
  });

  it('sends only where somebody speaks, when that is known', async () => {
    const segments = [{ start: 0, end: 5 }];
    const { words } = await hear({}, { segments });
    expect(service.audio.length).toBe(1);
    expect(service.audio[0]?.seconds).toBeLessThan(8);
    expect(words.length).toBeGreaterThan(5);
    await hear({}, { segments: [] });
    expect(service.audio.length).toBe(1);
  });

  it.each([
    ['zh-Hans', 'zh'],
    ['pt-BR', 'pt'],
    ['ar', 'ar'],
  ])('asks for %s as %s', async (language, wanted) => {
    await hear({}, { language });
    expect(service.audio[0]?.fields.language).toEqual([wanted]);
  });

  it.each([
    ['english', 'en'],
    ['fr', 'fr'],
    ['Chinese', 'zh-Hans'],
    ['japanese', 'ja'],
    ['Thai', 'th'],
  ])('leaves the language to the service with auto: %s is %s', async (said, language) => {
    service.language = said;
    const result = await hear({}, { language: 'auto' });
    expect(service.audio[0]?.fields).not.toHaveProperty('language');
    expect(result.language).toBe(language);
  });

  it('takes the language that most words are in', async () => {
    const french = (answer: unknown) => ({ ...(answer as object), language: 'fr' });
    service.faults.push({ kind: 'change', change: french });
    expect((await hear({ concurrency: 1, maxSeconds: 14 }, { language: 'auto' })).language).toBe(
      'en',
    );
  });

  it('knows no word of a language that is none of ours', async () => {
    service.language = 'german';
    await expect(hear({}, { language: 'auto' })).rejects.toMatchObject({
      code: 'language-unsupported',
    });
  });

  it('drops what the service itself takes for silence', async () => {
    const silent = (answer: unknown) => {
      const { segments, ...rest } = answer as { segments: object[] };
      const marks = { no_speech_prob: 0.9, avg_logprob: -1.4 };
      return { ...rest, segments: segments.map((one) => ({ ...one, ...marks })) };
    };
    service.faults.push({ kind: 'change', change: silent });
    expect((await hear({ maxSeconds: 60 })).words).toEqual([]);
  });
});

describe('a service that misbehaves', { timeout: 60_000 }, () => {
  const once = { maxSeconds: 60, timeoutMs: 5000 };
  const whole = () =>
    expect.objectContaining({ words: expect.objectContaining({ length: script.length }) });

  it.each<[string, ServiceFault[], number[]]>([
    ['429 without Retry-After', [refusals.busy, refusals.busy], [1000, 2000]],
    ['429 with seconds', [{ ...refusals.busy, retryAfter: '37' }], [37_000]],
    [
      '429 with a date',
      [{ ...refusals.busy, retryAfter: 'Mon, 02 Mar 2026 09:01:30 GMT' }],
      [90_000],
    ],
    ['429 with no seconds', [{ ...refusals.busy, retryAfter: '0' }], [1000]],
    ['503 with Retry-After', [{ kind: 'refuse', status: 503, retryAfter: '5' }], [5000]],
    ['500', [refusals.broken, refusals.broken, refusals.broken], [1000, 2000, 4000]],
    ['a connection that is reset', [{ kind: 'reset' }], [1000]],
    ['a body that is cut off', [{ kind: 'truncate' }], [1000]],
    ['JSON that is none', [{ kind: 'answer', body: '{"text": "the harb' }], []],
    ['an answer of another kind', [{ kind: 'answer', body: '{"words": 1}' }], []],
    ['a text without times', [{ kind: 'answer', body: '{"text": "the harbour"}' }], []],
  ])('is asked again: %s', async (_, faults, waits) => {
    service.faults.push(...faults);
    const clock = startClock();
    expect(await hear({ ...once, clock })).toEqual(whole());
    expect(clock.waits).toEqual(waits);
    expect(service.requests.length).toBe(faults.length + 1);
  });

  it.each<[string, ServiceFault['kind']]>([
    ['never answers', 'silence'],
    ['stops in the middle of an answer', 'stall'],
  ])('is asked again when it %s', async (_, kind) => {
    service.faults.push({ kind } as ServiceFault);
    expect(await hear({ maxSeconds: 60, timeoutMs: 1500 })).toEqual(whole());
    expect(service.requests.length).toBe(2);
  });

  it.each<[string, ServiceFault, SpeechFailureCode, number]>([
    ['its quota is used up', refusals.quota, 'quota-exhausted', 1],
    ['it wants to be paid', { kind: 'refuse', status: 402 }, 'quota-exhausted', 1],
    ['the key is wrong', refusals.wrongKey, 'access-refused', 1],
    ['it is forbidden', refusals.forbidden, 'access-refused', 1],
    ['it has no such model', refusals.noModel, 'access-refused', 1],
    ['it takes no such file', { kind: 'refuse', status: 413 }, 'access-refused', 1],
    ['it is broken', refusals.broken, 'service-unavailable', 4],
    ['the line is cut again and again', { kind: 'truncate' }, 'service-unavailable', 4],
    ['it is not there', { kind: 'reset' }, 'service-unavailable', 4],
    ['it answers no JSON', { kind: 'answer', body: 'Sorry!' }, 'output-unreadable', 3],
    [
      'it asks to wait for an hour',
      { ...refusals.busy, retryAfter: '3600' },
      'service-unavailable',
      1,
    ],
  ])('fails as defined when %s', async (_, fault, code, requests) => {
    service.faults.push(...Array<ServiceFault>(20).fill(fault));
    const failure = await hear(once).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'SpeechFailure', code });
    expect(failure).toMatchObject({ retryable: code === 'service-unavailable' });
    expect(service.requests.length).toBe(requests);
    // Nothing of key or transcript, whatever the service quoted.
    expect(JSON.stringify(failure, ['message', 'detail', 'cause', 'stack'])).not.toMatch(
      /Sorry|sk-/,
    );
  });

  it('fails when it is always busy, after as long as we wait', async () => {
    service.faults.push(...Array<ServiceFault>(50).fill(refusals.busy));
    const clock = startClock();
    await expect(hear({ ...once, clock })).rejects.toMatchObject({ code: 'service-unavailable' });
    const waited = clock.waits.reduce((sum, ms) => sum + ms, 0);
    expect(waited).toBeGreaterThan(8 * 60_000);
    expect(waited).toBeLessThanOrEqual(10 * 60_000);
  });

  it('is not asked again for what it answered, and progress is kept while it is busy', async () => {
    const many = { concurrency: 1, maxSeconds: 16 };
    await hear(many);
    const pieces = service.audio.length;
    expect(pieces).toBeGreaterThan(2);
    service.audio.length = 0;
    const fractions: number[] = [];
    let busy = 3;
    const clock = startClock();
    const onProgress = (fraction: number) => {
      fractions.push(fraction);
      if (busy > 0) service.faults.push({ ...refusals.busy, retryAfter: '20' });
      busy -= 1;
    };
    expect(await hear({ ...many, clock }, { onProgress })).toEqual(whole());
    expect(service.audio.length).toBe(pieces);
    expect(fractions.length).toBe(pieces);
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    expect(clock.waits.every((ms) => ms === 20_000)).toBe(true);
  });

  it('ends its requests when the caller gives up', async () => {
    const controller = new AbortController();
    service.hold = new Promise(() => undefined);
    const hearing = hear({}, { signal: controller.signal });
    await expect.poll(() => service.requests.length).toBe(2);
    controller.abort();
    await expect(hearing).rejects.toMatchObject({ code: 'aborted' });
  });

  it('ends the others when one fails', async () => {
    service.faults.push({ kind: 'silence' }, refusals.wrongKey);
    await expect(hear()).rejects.toMatchObject({ code: 'access-refused' });
    expect(service.requests.length).toBe(2);
  });
});

describe('a recording of three hours', { timeout: 600_000 }, () => {
  it('comes back with each word once, in order, in little memory', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'linnet-three-hours-'));
    try {
      const path = join(folder, 'long.wav');
      const long = makeScript(3 * 3600);
      await speakToFile(long, path);
      service.script = long;
      service.timeError = 0.1;
      service.faults.push({ ...refusals.busy, retryAfter: '3' }, refusals.broken);
      const fractions: number[] = [];
      const { words } = await hear(
        { maxSeconds: 300, format: 'wav' },
        { audio: { kind: 'wav', path }, onProgress: (fraction) => fractions.push(fraction) },
      );
      expect(words.length).toBe(long.length);
      expect(words.map(({ text }) => text)).toEqual(written(long));
      for (const [index, word] of words.entries()) {
        if (Math.abs(word.start - (long[index]?.start ?? 0)) > 0.25)
          throw new Error(`word ${index}`);
      }
      expect(service.audio.length).toBeGreaterThan(36);
      expect(fractions.length).toBe(service.audio.length);
      const seconds = service.audio.reduce((sum, piece) => sum + piece.seconds, 0);
      expect(seconds).toBeLessThan(3 * 3600 * 1.05);
      console.log(
        `${words.length} words in ${service.audio.length} pieces, ${SPEECH_SAMPLE_RATE} Hz,`,
        `${Math.round(process.resourceUsage().maxRSS / 1024)} MB at most`,
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
