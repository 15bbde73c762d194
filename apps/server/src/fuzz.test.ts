import type { CallName } from '@linnet/contract';
import { calls, codeName, codes, envelope } from '@linnet/contract';
import { prefixes } from '@linnet/contract/routes';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seed } from '../../../tooling/seed.ts';
import type { KnownValues } from '../test/arbitrary.ts';
import { arbitraryBody, arbitraryInvalidBody, arbitraryJson } from '../test/arbitrary.ts';
import { createBrowser } from '../test/browser-push.ts';
import type { Account, TestServer } from '../test/server.ts';
import { startTestServer } from '../test/server.ts';
import { grantFor, toneWave, uploadRecording } from '../test/uploads.ts';

/** Total number of requests across all calls. */
const requests = 20_000;
/** Response time in milliseconds that counts as a hang: three times the app's timeout. */
const hangMs = 30_000;
/** Matches stack traces and source locations. */
const trace = /\n\s+at |node_modules|\.ts:\d+|\bat \S+ \(/;

let server: TestServer;
let owner: Account;
let other: Account;
let knownValues: KnownValues;
beforeAll(async () => {
  server = await startTestServer({ LOG_LEVEL: 'error' });
  [owner, other] = [await server.register(), await server.register()];
  const recordings = [];
  for (const account of [owner, owner, owner, owner, other]) {
    recordings.push(await uploadRecording(server, account, toneWave(3, 8000), { ext: 'wav' }));
  }
  const grant = await grantFor(server, owner);
  await server.registerDevice('FUZZ-1');
  await server.call(
    'task/create',
    { id: recordings[0]?.id, language: 'en' },
    { token: owner.access },
  );
  const ids = recordings.map(({ id }) => id);
  const flags = recordings.map(({ client_flag }) => client_flag);
  knownValues = {
    id: ids,
    ids,
    radio_file_id: ids,
    recording: flags,
    client_flag: flags,
    sn: ['FUZZ-1', 'unknown'],
    url: [grant.url, recordings[0]?.url, 'https://192.0.32.7/hook'],
    fileUrl: [recordings[0]?.url],
    postUrl: [grant.uploadUrl, 'http://127.0.0.1:1/'],
    iurl: [grant.url],
    avatar: [grant.url],
    log_url: [grant.url],
    endpoint: ['https://192.0.32.7/push'],
    p256dh: [createBrowser().keys.p256dh],
    time_zone: ['Europe/Paris'],
    after: [7, 1200, '12'],
    unit: ['day', 'month'],
    email: [owner.email, other.email, 'fuzz@example.org'],
    language: ['en', 'ja', 'English'],
    keyword: ['recording', '%', '_', '\\'],
    group_name: ['radio_save_style', 'cloud_setting'],
    config_key: ['local', 'app', 'cloud', 'auto_sync'],
    config_value: ['0', '1'],
  };
});
afterAll(() => server.close());

const names = Object.keys(calls) as CallName[];

describe('random input', () => {
  it.each(names)(
    'receives the response envelope from %s',
    async (name) => {
      const { method, path, auth, body, data } = calls[name];
      const tokens = [undefined, 'nonsense', 'a.b.c', other.refresh];
      // Ending the session would break the tests of the other calls.
      const ends = name === 'user/deactivation' || name === 'user/logout';
      if (!ends) tokens.push(owner.access, owner.access, owner.access);
      if (auth === 'refresh') tokens.push(owner.refresh);
      const bodies = fc.oneof(
        arbitraryBody(body, knownValues),
        arbitraryInvalidBody(body, knownValues),
        arbitraryJson,
      );
      const responseSchema = envelope(data);
      const observedCodes = new Set<number>();
      const prefix = fc.constantFrom(...Object.values(prefixes));

      const property = fc.asyncProperty(bodies, prefix, fc.constantFrom(...tokens), send);
      await fc.assert(property, {
        seed,
        numRuns: Math.ceil(requests / names.length),
        endOnFailure: true,
      });
      // Some requests must pass validation, because otherwise nothing beyond it would be tested. Forms aren't JSON.
      const isTested = !('form' in calls[name]) && !ends;
      if (isTested) expect([...observedCodes].filter(passesValidation)).not.toEqual([]);

      async function send(
        sent: unknown,
        requestUrl: string,
        token: string | undefined,
      ): Promise<void> {
        const response = await withTimeout(
          hangMs,
          server.app.inject({
            method,
            url: `${requestUrl}${path}`,
            headers: {
              'content-type': 'application/json',
              ...(token !== undefined && { authorization: `Bearer ${token}` }),
            },
            ...(method === 'POST' && { payload: JSON.stringify(sent) ?? '' }),
          }),
        );
        expect(response.statusCode).toBe(200);
        expect(response.body).not.toMatch(trace);
        const { code, data: responseData } = responseSchema.parse(response.json());
        expect(codeName(code)).toBeDefined();
        expect([codes.internal, codes.unavailable, codes.unknownCall]).not.toContain(code);
        observedCodes.add(code);
        if (code !== codes.ok) expect(responseData).toBeNull();
      }
    },
    300_000,
  );
});

function passesValidation(code: number): boolean {
  return code !== codes.badRequest && code !== codes.tokenInvalid;
}

async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
