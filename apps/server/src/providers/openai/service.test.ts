import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type OpenAiStandIn,
  refusals,
  standInKey,
  startOpenAi,
} from '../../../test/openai/service.ts';
import { type Clock, openService, retryAfterMs, type Service } from './service.ts';

let standIn: OpenAiStandIn;
beforeAll(async () => {
  standIn = await startOpenAi();
});
afterAll(() => standIn.close());
beforeEach(() => {
  standIn.requests.length = 0;
  standIn.misbehaviours.length = 0;
});

const open = (clock?: Clock) =>
  openService({ baseUrl: standIn.url, apiKey: standInKey, ...(clock && { clock }) });
const ask = (service: Service, signal?: AbortSignal) =>
  service.ask(
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

describe('a service that asks to wait', () => {
  it('is left alone by everyone until then', async () => {
    let time = 0;
    let waiting = 0;
    let release = () => {};
    const over = new Promise<void>((resolve) => {
      release = resolve;
    });
    const service = open({
      now: () => time,
      async wait() {
        waiting += 1;
        await over;
      },
    });
    standIn.misbehaviours.push({ ...refusals.busy, retryAfter: '30' });
    const first = ask(service);
    await expect.poll(() => waiting).toBe(1);
    const second = ask(service);
    await expect.poll(() => waiting).toBe(2);
    expect(standIn.requests.length).toBe(1);
    time = 30_000;
    release();
    expect(await Promise.all([first, second])).toEqual(['answered', 'answered']);
    expect(standIn.requests.length).toBe(3);
  });

  it('is not waited for by a caller that gives up', async () => {
    standIn.misbehaviours.push({ ...refusals.busy, retryAfter: '60' });
    const controller = new AbortController();
    const asking = ask(open(), controller.signal);
    await expect.poll(() => standIn.requests.length).toBe(1);
    controller.abort();
    await expect(asking).rejects.toMatchObject({ code: 'aborted' });
  });

  it('is waited for as long as it says, in real time', async () => {
    standIn.misbehaviours.push({ ...refusals.busy, retryAfter: '1' });
    const before = performance.now();
    expect(await ask(open())).toBe('answered');
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
  ])('says so with "%s": %s ms', (value, expected) => {
    const headers = new Headers({ 'retry-after': value });
    expect(retryAfterMs(headers, Date.parse('2026-03-02T09:00:00Z'))).toBe(expected);
  });
});

it('gets no other key than the one that is configured, whatever the environment holds', async () => {
  process.env.OPENAI_ORG_ID = 'somebody';
  process.env.OPENAI_API_KEY = 'another';
  try {
    expect(await ask(open())).toBe('answered');
  } finally {
    delete process.env.OPENAI_ORG_ID;
    delete process.env.OPENAI_API_KEY;
  }
});
