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
import {
  makeScript,
  type SpokenWord,
  speakToFile,
  synthesizeScript,
  WORD_SECONDS,
} from '../../../../test/openai/tones.ts';
import { recognizerContract } from '../contract-suite.ts';
import { SPEECH_SAMPLE_RATE, type SpeechFailureCode, type TranscribeRequest } from '../port.ts';
import { createOpenAiRecognizer, type OpenAiSpeechOptions } from './index.ts';

let service: FakeOpenAi;
beforeAll(async () => {
  service = await startOpenAi();
});
afterAll(() => service.close());

const script = makeScript(40);
const samples = synthesizeScript(script);

const initial = {
  ...{ language: 'english', timeError: 0, wordTimes: true, prompts: true, maxConcurrent: 0 },
  ...{ audioFormats: ['verbose_json', 'json'], refusalStatus: 400 },
};
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
    // Faster than Opus, which the tests of pieces, sizes and times request.
    format: 'wav',
    concurrency: 2,
    clock: startClock(),
    ...options,
  });
}

/** Spells words as the service does: a sentence starts with a capital and ends with a full stop. */
const asWritten = (words: readonly SpokenWord[]) =>
  words.map(({ text, endsSentence: ends }, index) => {
    const startsSentence = index === 0 || words[index - 1]?.endsSentence;
    const word = startsSentence ? `${text.charAt(0).toUpperCase()}${text.slice(1)}` : text;
    return ends ? `${word}.` : word;
  });
const normalize = (words: readonly { readonly text: string }[]) =>
  words.map(({ text }) => text.toLowerCase().replace('.', ''));

const transcribe = (
  options: Partial<OpenAiSpeechOptions> = {},
  request: Partial<TranscribeRequest> = {},
) =>
  recognizer(options).transcribe({
    audio: { kind: 'pcm', samples },
    language: 'en',
    ...request,
  });

recognizerContract(
  () => recognizer({ format: 'ogg' }),
  async () => ({
    samples,
    transcript: script.map(({ text }) => text).join(' '),
    language: 'en-GB',
    maxErrorRate: 0,
  }),
);

describe('speech recognition by a service', { timeout: 60_000 }, () => {
  it('uploads pieces within the limits of the service, at most two concurrently', async () => {
    const long = makeScript(300);
    service.script = long;
    service.timeError = 0.1;
    const { words } = await transcribe(
      { maxSeconds: 60, format: 'ogg' },
      { audio: { kind: 'pcm', samples: synthesizeScript(long) } },
    );
    expect(normalize(words)).toEqual(normalize(long));
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

  it.each(['ogg', 'wav'] as const)(
    'respects the maximum request size with %s audio',
    async (format) => {
      const long = makeScript(150);
      service.script = long;
      const { words } = await transcribe(
        { format, maxBytes: 1_000_000, maxSeconds: 3600 },
        { audio: { kind: 'pcm', samples: synthesizeScript(long) } },
      );
      expect(normalize(words)).toEqual(normalize(long));
      expect(service.audio.length).toBeGreaterThan(1);
      for (const { bytes } of service.audio) expect(bytes).toBeLessThanOrEqual(1_000_000);
      // The pieces aren't needlessly small either.
      const largest = Math.max(...service.audio.map(({ bytes }) => bytes));
      expect(largest).toBeGreaterThan(450_000);
    },
  );

  it('sends the vocabulary as the prompt of every request, as far as it fits', async () => {
    const vocabulary = ['Anna Kovács', 'Marchetti', 'x'.repeat(500), 'Okafor'];
    const { words } = await transcribe({}, { vocabulary });
    expect(words.map(({ text }) => text)).toEqual(asWritten(script));
    expect(service.audio.length).toBeGreaterThan(1);
    for (const { fields } of service.audio)
      expect(fields.prompt).toEqual(['Anna Kovács, Marchetti']);
  });

  it.each([
    ['prompts', 400, true, 1],
    ['prompts (422)', 422, true, 1],
    // With a prompt and without, for word timestamps and then for segments.
    ['prompts and word timestamps', 400, false, 3],
  ])(
    'omits the prompt for an hour after the service rejects %s',
    async (_, status, wordTimes, rejected) => {
      Object.assign(service, { prompts: false, refusalStatus: status, wordTimes });
      const clock = startClock();
      const engine = recognizer({ concurrency: 1, clock });
      const audio = { kind: 'pcm', samples } as const;
      const request = { audio, language: 'en', vocabulary: ['Marchetti'] };
      const { words } = await engine.transcribe(request);
      expect(words.map(({ text }) => text)).toEqual(asWritten(script));
      const pieces = service.audio.length;
      expect(service.requests.length).toBe(pieces + rejected);
      await engine.transcribe(request);
      expect(service.requests.length).toBe(2 * pieces + rejected);
      service.prompts = true;
      await clock.wait(3_600_000);
      await engine.transcribe(request);
      expect(service.audio.at(-1)?.fields.prompt).toEqual(['Marchetti']);
    },
  );

  it('keeps the prompt if the service rejects only word timestamps', async () => {
    service.wordTimes = false;
    await transcribe({}, { vocabulary: ['Marchetti'] });
    for (const { fields } of service.audio) expect(fields.prompt).toEqual(['Marchetti']);
  });

  it('returns words with punctuation and with times in the recording', async () => {
    const { words, ...rest } = await transcribe({ format: 'ogg' });
    expect(words.map(({ text }) => text)).toEqual(asWritten(script));
    expect(rest).toEqual({ language: 'en', engine: 'openai/whisper-1', punctuated: true });
    for (const [index, { start, confidence }] of words.entries()) {
      expect(Math.abs(start - (script[index]?.start ?? 0))).toBeLessThan(0.03);
      expect(confidence).toBeCloseTo(Math.exp(-0.25) * 0.98);
    }
  });

  it('divides segments into words and stops requesting word timestamps after the service rejects them', async () => {
    service.wordTimes = false;
    const engine = recognizer({ concurrency: 1 });
    const request = { audio: { kind: 'pcm', samples }, language: 'en' } as const;
    const { words } = await engine.transcribe(request);
    expect(words.map(({ text }) => text)).toEqual(asWritten(script));
    for (const [index, { start }] of words.entries()) {
      expect(Math.abs(start - (script[index]?.start ?? 0))).toBeLessThan(0.6);
    }
    const pieces = service.audio.length;
    expect(service.requests.length).toBe(pieces + 1);
    await engine.transcribe(request);
    expect(service.requests.length).toBe(2 * pieces + 1);
  });

  /** Speech segments: every sentence, except for short pauses within it. */
  const sentences = script
    .flatMap(({ start }, index) => {
      const isFirst = index === 0 || script[index - 1]?.endsSentence;
      return isFirst ? [{ start, last: index }] : [];
    })
    .map(({ start }, index, all) => {
      const next = all[index + 1]?.last ?? script.length;
      return { start, end: (script[next - 1]?.start ?? 0) + WORD_SECONDS };
    });

  it.each([
    ['text without timestamps', {}],
    ['no verbose_json (400)', { audioFormats: ['json'] }],
    ['no verbose_json (422)', { audioFormats: ['json'], refusalStatus: 422 }],
  ])('spreads the text over the speech for a service with %s', async (name, behavior) => {
    Object.assign(service, behavior);
    if (name === 'text without timestamps') {
      const untimed = { kind: 'change', transform: (answer: unknown) => pickText(answer) } as const;
      service.faults.push(...Array(4).fill(untimed));
    }
    const engine = recognizer({ concurrency: 1 });
    const request = {
      audio: { kind: 'pcm', samples },
      language: 'en',
      segments: sentences,
    } as const;
    const { words } = await engine.transcribe(request);
    expect(words.map(({ text }) => text)).toEqual(asWritten(script));
    for (const [index, { start }] of words.entries()) {
      const expected = script[index]?.start ?? 0;
      expect(Math.abs(start - expected), `word ${index}`).toBeLessThan(1.5);
    }
    expect(service.audio.at(-1)?.fields).toMatchObject({ response_format: ['json'] });
    // Later requests don't request times again until an hour has passed.
    const count = service.requests.length;
    service.audio.length = 0;
    await engine.transcribe(request);
    expect(service.requests.length - count).toBe(service.audio.length);
  });

  it('requests word timestamps again an hour after the service rejected them', async () => {
    service.audioFormats = ['json'];
    const clock = startClock();
    const engine = recognizer({ clock });
    const request = { audio: { kind: 'pcm', samples }, language: 'en' } as const;
    await engine.transcribe(request);
    service.audioFormats = initial.audioFormats;
    await engine.transcribe(request);
    expect(service.audio.at(-1)?.fields.response_format).toEqual(['json']);
    await clock.wait(3_600_000);
    await engine.transcribe(request);
    expect(service.audio.at(-1)?.fields['timestamp_granularities[]']).toEqual(['segment', 'word']);
  });

  it('accepts a refusal of word timestamps with 422', async () => {
    Object.assign(service, { wordTimes: false, refusalStatus: 422 });
    expect((await transcribe()).words.map(({ text }) => text)).toEqual(asWritten(script));
    expect(service.audio.at(-1)?.fields['timestamp_granularities[]']).toEqual(['segment']);
  });

  it('uploads only the given speech segments', async () => {
    const segments = [{ start: 0, end: 5 }];
    const { words } = await transcribe({}, { segments });
    expect(service.audio.length).toBe(1);
    expect(service.audio[0]?.seconds).toBeLessThan(8);
    expect(words.length).toBeGreaterThan(5);
    await transcribe({}, { segments: [] });
    expect(service.audio.length).toBe(1);
  });

  it.each([
    ['zh-Hans', 'zh'],
    ['pt-BR', 'pt'],
    ['ar', 'ar'],
  ])('requests the language %s as %s', async (language, isoCode) => {
    await transcribe({}, { language });
    expect(service.audio[0]?.fields.language).toEqual([isoCode]);
  });

  it.each([
    ['english', 'en'],
    ['fr', 'fr'],
    ['Chinese', 'zh-Hans'],
    ['japanese', 'ja'],
    ['Thai', 'th'],
  ])(
    'omits the language if it is auto, and maps the detected %s to %s',
    async (serviceLanguage, language) => {
      service.language = serviceLanguage;
      const result = await transcribe({}, { language: 'auto' });
      expect(service.audio[0]?.fields).not.toHaveProperty('language');
      expect(result.language).toBe(language);
    },
  );

  it.each([
    ['We decided to paint the lighthouse white before the winter comes.', 'en'],
    ['Hemos decidido pintar el faro de blanco antes de que llegue el invierno.', 'es'],
    ['我们决定在冬天到来之前把灯塔刷成白色。', 'zh-Hans'],
    ['เราตัดสินใจทาสีประภาคารเป็นสีขาวก่อนฤดูหนาวจะมาถึง', 'th'],
  ])('detects the language of "%s" if the service names none: %s', async (text, language) => {
    service.faults.push({ kind: 'change', transform: () => ({ text }) });
    service.faults.push({ kind: 'change', transform: () => ({ text }) });
    const result = await transcribe({ maxSeconds: 60 }, { language: 'auto' });
    expect(result.language).toBe(language);
    expect(result.words.length).toBeGreaterThan(5);
    expect(result.words.map(({ text }) => text).join('')).toBe(text.replaceAll(' ', ''));
  });

  it.each(['Wir haben beschlossen, den Leuchtturm vor dem Winter weiß zu streichen.', '123'])(
    'fails if the language of "%s" is not supported or detected',
    async (text) => {
      service.faults.push({ kind: 'change', transform: () => ({ text }) });
      service.faults.push({ kind: 'change', transform: () => ({ text }) });
      await expect(transcribe({ maxSeconds: 60 }, { language: 'auto' })).rejects.toMatchObject({
        code: 'language-unsupported',
      });
    },
  );

  it('returns the language of most words', async () => {
    const french = (answer: unknown) => ({ ...(answer as object), language: 'fr' });
    service.faults.push({ kind: 'change', transform: french });
    expect(
      (await transcribe({ concurrency: 1, maxSeconds: 14 }, { language: 'auto' })).language,
    ).toBe('en');
  });

  it('fails if the detected language is not supported', async () => {
    service.language = 'german';
    await expect(transcribe({}, { language: 'auto' })).rejects.toMatchObject({
      code: 'language-unsupported',
    });
  });

  it('drops segments that the service marks as silent', async () => {
    const markAsSilent = (answer: unknown) => {
      const { segments, ...rest } = answer as { segments: object[] };
      const marks = { no_speech_prob: 0.9, avg_logprob: -1.4 };
      return { ...rest, segments: segments.map((segment) => ({ ...segment, ...marks })) };
    };
    service.faults.push({ kind: 'change', transform: markAsSilent });
    expect((await transcribe({ maxSeconds: 60 })).words).toEqual([]);
  });
});

describe('a faulty speech service', { timeout: 60_000 }, () => {
  const singlePiece = { maxSeconds: 60, timeoutMs: 5000 };
  const completeResult = () =>
    expect.objectContaining({ words: expect.objectContaining({ length: script.length }) });

  it.each<[string, ServiceFault[], number[]]>([
    ['429 without Retry-After', [refusals.busy, refusals.busy], [1000, 2000]],
    ['429 with Retry-After in seconds', [{ ...refusals.busy, retryAfter: '37' }], [37_000]],
    [
      '429 with Retry-After as a date',
      [{ ...refusals.busy, retryAfter: 'Mon, 02 Mar 2026 09:01:30 GMT' }],
      [90_000],
    ],
    ['429 with a Retry-After of zero', [{ ...refusals.busy, retryAfter: '0' }], [1000]],
    ['503 with Retry-After', [{ kind: 'refuse', status: 503, retryAfter: '5' }], [5000]],
    ['500', [refusals.broken, refusals.broken, refusals.broken], [1000, 2000, 4000]],
    ['a connection reset', [{ kind: 'reset' }], [1000]],
    ['a truncated body', [{ kind: 'truncate' }], [1000]],
    ['invalid JSON', [{ kind: 'answer', body: '{"text": "the harb' }], []],
    ['a response with a different schema', [{ kind: 'answer', body: '{"words": 1}' }], []],
    ['text without timestamps', [{ kind: 'answer', body: '{"text": "the harbour"}' }], []],
  ])('is retried after %s', async (_, faults, waits) => {
    service.faults.push(...faults);
    const clock = startClock();
    expect(await transcribe({ ...singlePiece, clock })).toEqual(completeResult());
    expect(clock.waits).toEqual(waits);
    expect(service.requests.length).toBe(faults.length + 1);
  });

  it.each<[string, ServiceFault['kind']]>([
    ['never responds', 'silence'],
    ['stalls in the middle of a response', 'stall'],
  ])('is retried if it %s', async (_, kind) => {
    service.faults.push({ kind } as ServiceFault);
    expect(await transcribe({ maxSeconds: 60, timeoutMs: 1500 })).toEqual(completeResult());
    expect(service.requests.length).toBe(2);
  });

  it.each<[string, ServiceFault, SpeechFailureCode, number]>([
    ['its quota is exhausted', refusals.quota, 'quota-exhausted', 1],
    ['it requires payment', { kind: 'refuse', status: 402 }, 'quota-exhausted', 1],
    ['the key is wrong', refusals.wrongKey, 'access-refused', 1],
    ['access is forbidden', refusals.forbidden, 'access-refused', 1],
    ['the model does not exist', refusals.noModel, 'access-refused', 1],
    ['it rejects the file size', { kind: 'refuse', status: 413 }, 'access-refused', 1],
    ['it always returns 500', refusals.broken, 'service-unavailable', 4],
    ['it loads its model', { kind: 'refuse', status: 503 }, 'service-unavailable', 4],
    [
      'it restarts for two minutes',
      { kind: 'refuse', status: 503, retryAfter: '120' },
      'service-unavailable',
      1,
    ],
    ['every response is truncated', { kind: 'truncate' }, 'service-unavailable', 4],
    ['every connection is reset', { kind: 'reset' }, 'service-unavailable', 4],
    ['it returns no JSON', { kind: 'answer', body: 'Sorry!' }, 'output-unreadable', 3],
    [
      'it requests a delay of an hour',
      { ...refusals.busy, retryAfter: '3600' },
      'service-unavailable',
      1,
    ],
  ])('fails with the defined code if %s', async (_, fault, code, requests) => {
    service.faults.push(...Array<ServiceFault>(20).fill(fault));
    const failure = await transcribe(singlePiece).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'SpeechFailure', code });
    expect(failure).toMatchObject({ retryable: code === 'service-unavailable' });
    expect(service.requests.length).toBe(requests);
    // The failure must not leak the key or the transcript, even if the response quoted them.
    expect(JSON.stringify(failure, ['message', 'detail', 'cause', 'stack'])).not.toMatch(
      /Sorry|sk-/,
    );
  });

  it('fails after the maximum total wait if it is always busy', async () => {
    service.faults.push(...Array<ServiceFault>(50).fill(refusals.busy));
    const clock = startClock();
    await expect(transcribe({ ...singlePiece, clock })).rejects.toMatchObject({
      code: 'service-unavailable',
    });
    const totalWaitMs = clock.waits.reduce((sum, ms) => sum + ms, 0);
    expect(totalWaitMs).toBeGreaterThan(8 * 60_000);
    expect(totalWaitMs).toBeLessThanOrEqual(10 * 60_000);
  });

  it('does not repeat completed pieces after a busy response, and progress never decreases', async () => {
    const manyPieces = { concurrency: 1, maxSeconds: 16 };
    await transcribe(manyPieces);
    const pieces = service.audio.length;
    expect(pieces).toBeGreaterThan(2);
    service.audio.length = 0;
    const fractions: number[] = [];
    let remainingRefusals = 3;
    const clock = startClock();
    const onProgress = (fraction: number) => {
      fractions.push(fraction);
      if (remainingRefusals > 0) service.faults.push({ ...refusals.busy, retryAfter: '20' });
      remainingRefusals -= 1;
    };
    expect(await transcribe({ ...manyPieces, clock }, { onProgress })).toEqual(completeResult());
    expect(service.audio.length).toBe(pieces);
    expect(fractions.length).toBe(pieces);
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    expect(clock.waits.every((ms) => ms === 20_000)).toBe(true);
  });

  it('has its requests aborted if the caller aborts', async () => {
    const controller = new AbortController();
    service.hold = new Promise(() => undefined);
    const transcription = transcribe({}, { signal: controller.signal });
    await expect.poll(() => service.requests.length).toBe(2);
    controller.abort();
    await expect(transcription).rejects.toMatchObject({ code: 'aborted' });
  });

  it('has its other requests aborted if one fails', async () => {
    service.faults.push({ kind: 'silence' }, refusals.wrongKey);
    await expect(transcribe()).rejects.toMatchObject({ code: 'access-refused' });
    expect(service.requests.length).toBe(2);
  });
});

describe('a three-hour recording', { timeout: 600_000 }, () => {
  it('is transcribed with each word once, in order', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'linnet-three-hours-'));
    try {
      const path = join(folder, 'long.wav');
      const long = makeScript(3 * 3600);
      await speakToFile(long, path);
      service.script = long;
      service.timeError = 0.1;
      service.faults.push({ ...refusals.busy, retryAfter: '3' }, refusals.broken);
      const fractions: number[] = [];
      const { words } = await transcribe(
        { maxSeconds: 300, format: 'wav' },
        { audio: { kind: 'wav', path }, onProgress: (fraction) => fractions.push(fraction) },
      );
      expect(words.length).toBe(long.length);
      expect(words.map(({ text }) => text)).toEqual(asWritten(long));
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

function pickText(answer: unknown) {
  return { text: (answer as { text: string }).text };
}
