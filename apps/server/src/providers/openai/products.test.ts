/** Tests that recordings are transcribed and summarized with each product that operators host or rent. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startClock } from '../../../test/openai/clock.ts';
import { type ProductName, products } from '../../../test/openai/products.ts';
import { type FakeOpenAi, fakeOpenAiKey, startOpenAi } from '../../../test/openai/service.ts';
import { makeScript, synthesizeScript } from '../../../test/openai/tones.ts';
import { createOpenAiAnalyzer } from '../analysis/openai/index.ts';
import { createOpenAiRecognizer } from '../speech/openai/index.ts';

let fake: FakeOpenAi;
let abilities: Partial<FakeOpenAi>;
beforeAll(async () => {
  fake = await startOpenAi();
  const { language, wordTimes, audioFormats, refusalStatus } = fake;
  const { formats, temperatureRefused, contextTokens } = fake;
  abilities = {
    ...{ language, wordTimes, audioFormats, refusalStatus },
    ...{ formats, temperatureRefused, contextTokens },
  };
});
afterAll(() => fake.close());
beforeEach(() => {
  fake.requests.length = 0;
});

/** Makes the fake service behave like a product that is still loading its model. */
function play(name: ProductName): void {
  const { behavior, service, loading } = products[name];
  Object.assign(fake, abilities, service, { behavior });
  fake.faults.push(...loading);
}

const names = Object.keys(products) as ProductName[];
const script = makeScript(40);

describe.each(names.filter((name) => products[name].behavior.transcriptionPath))('%s', (name) => {
  it.each(['en', 'auto'] as const)('transcribes every word in order (%s)', async (language) => {
    play(name);
    fake.script = script;
    const recognizer = createOpenAiRecognizer({
      baseUrl: fake.url,
      ...(products[name].behavior.needsKey && { apiKey: fakeOpenAiKey }),
      model: 'speech',
      maxBytes: 25_000_000,
      maxSeconds: 20,
      format: 'wav',
      concurrency: 2,
      clock: startClock(),
    });
    const samples = synthesizeScript(script);
    const result = await recognizer.transcribe({ audio: { kind: 'pcm', samples }, language });
    const spell = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}]/gu, '');
    expect(result.words.map(({ text }) => spell(text))).toEqual(script.map(({ text }) => text));
    expect(fake.faults).toEqual([]);
    const times = result.words.map(({ start }) => start);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    // Text without timestamps is spread over the speech, so a word's time is off by less than the length of a piece.
    const allowed = fake.audioFormats.includes('verbose_json') ? 2 : 20;
    for (const [index, time] of times.entries()) {
      expect(Math.abs(time - (script[index]?.start ?? 0))).toBeLessThan(allowed);
    }
  });
});

describe.each(names.filter((name) => products[name].behavior.hasChat))('%s', (name) => {
  const sentences = Array.from(
    { length: 60 },
    (_, index) => `We need ladder number ${index} by Friday.`,
  );
  const paragraphs = sentences.map((text, index) => ({
    id: `paragraph-${index}`,
    start: index * 4,
    end: index * 4 + 4,
    text,
    words: text.split(' ').map((word, at) => ({ text: word, start: index * 4 + at / 2 })),
  }));
  it.each([
    ['a transcript', 100_000],
    ['a transcript that exceeds the context window', 3000],
  ])('summarizes %s', async (_what, contextTokens) => {
    play(name);
    fake.contextTokens = contextTokens;
    const analyzer = createOpenAiAnalyzer({
      baseUrl: fake.url,
      ...(products[name].behavior.needsKey && { apiKey: fakeOpenAiKey }),
      model: 'text',
      contextTokens: 16_000,
      concurrency: 1,
      clock: startClock(),
    });
    const { document, title } = await analyzer.analyze({
      paragraphs,
      language: 'en',
      structures: [],
      recordedAt: new Date('2026-03-02T09:00:00Z'),
    });
    expect(title).toMatch(/^About We need ladder/);
    expect(document.kind).toBe('generative');
    expect(document.needs.map(({ text }) => text)).toEqual(sentences);
    expect(fake.faults).toEqual([]);
  });
});
