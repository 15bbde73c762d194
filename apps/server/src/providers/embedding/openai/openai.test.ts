import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startClock } from '../../../../test/openai/clock.ts';
import {
  type FakeOpenAi,
  fakeOpenAiKey,
  refusals,
  type ServiceFault,
  startOpenAi,
} from '../../../../test/openai/service.ts';
import { readConfig } from '../../../config/index.ts';
import { embedderContract } from '../contract-suite.ts';
import { selectEmbedder } from '../index.ts';
import type { EmbeddingFailureCode } from '../port.ts';
import { createOpenAiEmbedder, type OpenAiEmbeddingOptions } from './index.ts';

let service: FakeOpenAi;
beforeAll(async () => {
  service = await startOpenAi();
});
afterAll(() => service.close());
beforeEach(() => {
  Object.assign(service, { embeddingCharacters: 5000, maxConcurrent: 0 });
  for (const list of [service.requests, service.embeddings, service.faults]) list.length = 0;
});

const embedder = (options: Partial<OpenAiEmbeddingOptions> = {}) =>
  createOpenAiEmbedder({
    baseUrl: service.url,
    apiKey: fakeOpenAiKey,
    model: 'embedding-test',
    prefixes: { passage: '', question: '' },
    clock: startClock(),
    ...options,
  });
const embed = (options: Partial<OpenAiEmbeddingOptions> = {}, texts = ['one', 'two']) =>
  embedder(options).embed({ kind: 'passage', texts });

embedderContract(embedder);

it('sends the model, the dimensions and prefixed texts, and is identified by all of them', async () => {
  const prefixes = { passage: 'passage:', question: 'query:' };
  const configured = embedder({ prefixes, dimensions: 64 });
  const { model, vectors } = await configured.embed({ kind: 'passage', texts: ['one'] });
  expect(vectors[0]).toHaveLength(64);
  await configured.embed({ kind: 'question', texts: ['one'] });
  expect(service.embeddings).toEqual(
    ['passage: one', 'query: one'].map((input) => ({
      ...{ model: 'embedding-test', encoding_format: 'float', dimensions: 64 },
      input: [input],
    })),
  );
  const plain = await embed({ dimensions: 64 });
  const other = await embed({ prefixes: { ...prefixes, question: '' }, dimensions: 64 });
  const models = [model, plain.model, other.model, (await embed()).model];
  expect(new Set(models).size).toBe(models.length);
  expect(plain.model).toBe('openai/embedding-test:64');
});

it('sends many texts in batches, two at a time', async () => {
  await embed(
    {},
    Array.from({ length: 100 }, (_, index) => `text ${index}`),
  );
  expect(service.embeddings.map(({ input }) => input.length).sort()).toEqual(
    [32, 32, 32, 4].sort(),
  );
  expect(service.maxConcurrent).toBeLessThanOrEqual(2);
});

it('halves batches and texts that exceed the limit of the service', async () => {
  service.embeddingCharacters = 300;
  const texts = ['a'.repeat(200), '😀'.repeat(200), 'b'.repeat(200)];
  const { vectors } = await embed({}, texts);
  expect(vectors).toHaveLength(3);
  const accepted = service.embeddings.filter(({ input }) => input.join('').length <= 300);
  for (const { input } of accepted)
    for (const text of input) expect(text.isWellFormed()).toBe(true);
  service.embeddingCharacters = 10;
  await expect(embed({}, texts)).rejects.toMatchObject({ code: 'text-refused' });
});

describe('a failed request', () => {
  const change = (transform: (vectors: { embedding: unknown; index: number }[]) => unknown) =>
    ({
      kind: 'change',
      transform: (answer) => ({ data: transform((answer as { data: [] }).data) }),
    }) satisfies ServiceFault;
  it.each<[string, ServiceFault, EmbeddingFailureCode]>([
    ['a service that is down', refusals.broken, 'service-unavailable'],
    ['a closed connection', { kind: 'reset' }, 'service-unavailable'],
    ['a truncated answer', { kind: 'truncate' }, 'service-unavailable'],
    ['an exhausted quota', refusals.quota, 'quota-exhausted'],
    ['a wrong key', refusals.wrongKey, 'access-refused'],
    ['an unknown model', refusals.noModel, 'access-refused'],
    ['refused texts', { kind: 'refuse', status: 400, code: 'invalid_value' }, 'text-refused'],
    ['an answer that isn’t JSON', { kind: 'answer', body: 'sorry' }, 'answer-unusable'],
    ['a missing vector', change(([first]) => [first]), 'answer-unusable'],
    [
      'the same vector twice',
      change((all) => all.map((each) => ({ ...each, index: 0 }))),
      'answer-unusable',
    ],
    [
      'vectors of different lengths',
      change((all) => all.map((each, n) => ({ ...each, embedding: n === 0 ? [1] : [1, 2] }))),
      'answer-unusable',
    ],
    [
      'vectors without numbers',
      change((all) => all.map((each) => ({ ...each, embedding: [] }))),
      'answer-unusable',
    ],
    [
      'numbers that are not finite',
      change((all) => all.map((each) => ({ ...each, embedding: [null, 1] }))),
      'answer-unusable',
    ],
    [
      'numbers as text',
      change((all) => all.map((each) => ({ ...each, embedding: 'AACAPw==' }))),
      'answer-unusable',
    ],
    [
      'numbers too large for 32 bits',
      change((all) => all.map((each) => ({ ...each, embedding: [1e39, 1] }))),
      'answer-unusable',
    ],
    [
      'numbers too small for 32 bits',
      change((all) => all.map((each) => ({ ...each, embedding: [1e-60, 1e-60] }))),
      'answer-unusable',
    ],
    [
      'vectors of zeros',
      change((all) => all.map((each) => ({ ...each, embedding: [0, 0] }))),
      'answer-unusable',
    ],
  ])('is reported for %s', async (_name, fault, code) => {
    for (let count = 0; count < 4; count += 1) service.faults.push(fault);
    await expect(embed()).rejects.toMatchObject({ code });
  });

  it('is reported for vectors with dimensions other than those configured', async () => {
    service.faults.push(change((all) => all.map((each) => ({ ...each, embedding: [1, 2] }))));
    await expect(embed({ dimensions: 64 })).rejects.toMatchObject({
      ...{ code: 'answer-unusable', detail: 'vectors of 2 dimensions instead of 64' },
    });
  });

  it('is retried if the failure may be transient', async () => {
    service.faults.push(refusals.busy, refusals.broken, { kind: 'answer', body: '{' });
    expect((await embed()).vectors).toHaveLength(2);
  });

  it('never reveals the texts or the key', async () => {
    service.faults.push(refusals.wrongKey);
    const failure = await embed({}, ['a secret text']).catch((error: unknown) => error);
    expect(JSON.stringify([failure, String(failure)])).not.toMatch(/secret text|sk-standin/);
  });
});

it('the OpenAI embedder is selected by the configuration', async () => {
  const configured = selectEmbedder(
    readConfig({
      ...{ EMBEDDINGS: 'openai', EMBEDDINGS_URL: service.url, EMBEDDINGS_API_KEY: fakeOpenAiKey },
      ...{ EMBEDDINGS_MODEL: 'mine', EMBEDDINGS_QUESTION_PREFIX: 'query: ' },
    }),
  );
  await configured?.embed({ kind: 'question', texts: ['Why?'] });
  expect(service.embeddings).toMatchObject([{ model: 'mine', input: ['query: Why?'] }]);
  expect(selectEmbedder(readConfig({ OPENAI_API_KEY: 'x' }))).toBeNull();
});
