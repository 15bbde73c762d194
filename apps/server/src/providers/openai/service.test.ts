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
