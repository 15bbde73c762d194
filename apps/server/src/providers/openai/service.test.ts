import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type FakeOpenAi,
  fakeOpenAiKey,
  refusals,
  startOpenAi,
} from '../../../test/openai/service.ts';
import { type Clock, openService, retryAfterMs, type Service } from './service.ts';

let fake: FakeOpenAi;
beforeAll(async () => {
  fake = await startOpenAi();
});
afterAll(() => fake.close());
beforeEach(() => {
  fake.requests.length = 0;
  fake.faults.length = 0;
});

const open = (clock?: Clock) =>
  openService({ baseUrl: fake.url, apiKey: fakeOpenAiKey, ...(clock && { clock }) });
const send = (service: Service, signal?: AbortSignal) =>
  service.request(
    (client, options) =>
      client.chat.completions.create(
        {
          model: 'any',
          messages: [
            { role: 'system', content: '{"properties":{"sections":{"properties":{}}}}' },
            { role: 'user', content: '{"paragraphs":[]}' },
          ],
        },
        options,
      ),
    () => 'answered',
    signal,
  );

describe('a wait requested by the service', () => {
  it('delays all requests', async () => {
    let time = 0;
    let waitingCount = 0;
    let release = () => {};
    const allReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    const service = open({
      now: () => time,
      async wait() {
        waitingCount += 1;
        await allReleased;
      },
    });
    fake.faults.push({ ...refusals.busy, retryAfter: '30' });
    const first = send(service);
    await expect.poll(() => waitingCount).toBe(1);
    const second = send(service);
    await expect.poll(() => waitingCount).toBe(2);
    expect(fake.requests.length).toBe(1);
    time = 30_000;
    release();
    expect(await Promise.all([first, second])).toEqual(['answered', 'answered']);
    expect(fake.requests.length).toBe(3);
  });

  it('ends when the caller aborts', async () => {
    fake.faults.push({ ...refusals.busy, retryAfter: '60' });
    const controller = new AbortController();
    const request = send(open(), controller.signal);
    await expect.poll(() => fake.requests.length).toBe(1);
    controller.abort();
    await expect(request).rejects.toMatchObject({ code: 'aborted' });
  });

  it('is respected in real time', async () => {
    fake.faults.push({ ...refusals.busy, retryAfter: '1' });
    const before = performance.now();
    expect(await send(open())).toBe('answered');
    expect(performance.now() - before).toBeGreaterThan(950);
  });

  it.each([
    ['120', 120_000],
    ['0', 0],
    ['1.5', 1500],
    ['Mon, 02 Mar 2026 09:00:30 GMT', 30_000],
    ['Mon, 02 Mar 2026 08:00:00 GMT', 0],
    ['soon', undefined],
    ['-5', undefined],
    ['', undefined],
  ])('is parsed from "%s" as %s ms', (value, expected) => {
    const headers = new Headers({ 'retry-after': value });
    expect(retryAfterMs(headers, Date.parse('2026-03-02T09:00:00Z'))).toBe(expected);
  });
});

describe('a request that is too long', () => {
  it.each<[string, number, object | string]>([
    ['OpenAI', 400, { error: { code: 'context_length_exceeded', message: '', type: '' } }],
    [
      'OpenAI (rate)',
      429,
      {
        error: {
          message: 'Request too large for gpt-4o in organization org on tokens per min (TPM)',
          type: 'tokens',
          code: 'rate_limit_exceeded',
        },
      },
    ],
    [
      'llama.cpp',
      400,
      {
        error: {
          code: 400,
          message: 'the request exceeds the available context size, try increasing it',
          type: 'exceed_context_size_error',
          n_prompt_tokens: 5000,
          n_ctx: 4096,
        },
      },
    ],
    [
      'llama.cpp (while answering)',
      500,
      { error: { code: 500, message: 'Context size has been exceeded.', type: 'server_error' } },
    ],
    [
      'LM Studio',
      400,
      { error: 'Trying to keep the first 5000 tokens when the context length of only 4096 tokens' },
    ],
    [
      'Ollama',
      400,
      { error: { message: 'the input length exceeds the context length', type: 'api_error' } },
    ],
    [
      'vLLM',
      400,
      { error: { message: "This model's maximum context length is 4096 tokens.", code: 400 } },
    ],
    [
      'vLLM, older',
      400,
      {
        object: 'error',
        message: "This model's maximum context length is 4096 tokens.",
        code: 400,
      },
    ],
    [
      'Groq',
      413,
      { error: { message: 'Request too large for model', code: 'rate_limit_exceeded' } },
    ],
    ['Anthropic', 400, { error: { message: 'prompt is too long: 5000 tokens > 4096 maximum' } }],
    ['Anthropic (size)', 413, { error: { type: 'request_too_large' } }],
    ['a proxy', 413, '<html>'],
  ])('is detected as %s reports it', async (_, status, body) => {
    fake.faults.push({ kind: 'answer', status, body: JSON.stringify(body) });
    await expect(send(open())).rejects.toMatchObject({
      code: 'rejected',
      rejection: { isTooLong: true },
    });
    expect(fake.requests.length).toBe(1);
  });

  it.each<[number, object | string]>([
    [400, { error: { code: 'invalid_value', message: 'The temperature is too large.' } }],
    [400, { error: 'response_format is not supported' }],
    [422, { detail: [{ loc: ['body', 'file'], msg: 'field required' }] }],
  ])('is distinguished from other rejections (%i %j)', async (status, body) => {
    fake.faults.push({ kind: 'answer', status, body: JSON.stringify(body) });
    await expect(send(open())).rejects.toMatchObject({ rejection: { isTooLong: false } });
  });
});

it('sends only the configured key, regardless of the environment', async () => {
  process.env.OPENAI_ORG_ID = 'somebody';
  process.env.OPENAI_API_KEY = 'another';
  try {
    expect(await send(open())).toBe('answered');
  } finally {
    delete process.env.OPENAI_ORG_ID;
    delete process.env.OPENAI_API_KEY;
  }
});
