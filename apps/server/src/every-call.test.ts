import type { CallName } from '@linnet/contract';
import { calls, prefixes } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { CallCases, World } from '../test/call-cases.ts';
import { callCases } from '../test/call-cases.ts';
import type { CallResponse, TestServer } from '../test/server.ts';
import { startTestServer } from '../test/server.ts';
import { transcribedRecording } from '../test/transcripts.ts';
import { describeSchema } from './http/json-schema.ts';
import { accessTokenSeconds } from './modules/user/access.ts';

/*
 * All calls are registered with the same handler under both prefixes (`http/calls.ts`). This file tests every call and
 * every error under both prefixes. The modules' tests use only the prefix of the call's host.
 */
let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer();
  const [owner, other] = [await server.register(), await server.register()];
  world = {
    server,
    owner,
    other,
    mine: await transcribedRecording(server, owner),
    theirs: await transcribedRecording(server, other),
  };
});
afterAll(() => server.close());

describe.each(Object.values(prefixes))('under %s', (prefix) => {
  describe.each(Object.keys(callCases) as CallName[])('%s', (name) => {
    const { success, holds, errors, foreign } = callCases[name] as CallCases<CallName>;
    const { auth, body: schema } = calls[name];

    it('succeeds', async () => {
      const sent = await success(world);
      const response = await send(sent.body, sent.token ?? getOwnToken());
      expect(response).toMatchObject({ code: codes.ok, msg: 'ok' });
      expect(response.data).toMatchObject(holds(response.data as never, world));
    });

    const cases = Object.entries(errors);
    if (cases.length > 0) {
      it.each(cases)('responds to %s with its code', async (_, [code, createRequest]) => {
        const { body, token } = await createRequest(world);
        expect(await send(body, token ?? getOwnToken())).toMatchObject({ code, data: null });
      });
    }

    if (auth !== 'none') {
      it('rejects a missing or malformed token, and a token of the wrong kind', async () => {
        const { owner } = world;
        const wrongKind = auth === 'access' ? owner.refresh : owner.access;
        const { body } = await success(world);
        for (const token of [undefined, 'nonsense', 'a.b.c', wrongKind]) {
          const response = await send(body, token);
          expect(response).toMatchObject({ code: codes.tokenInvalid, data: null });
        }
      });
    }

    if (auth !== 'none') {
      it.each(['text', [1], { unknown: 'field' }])(
        'checks the token before the body: %j',
        async (body) => {
          const invalidTokens = auth === 'access' ? [undefined, 'nonsense'] : [undefined];
          for (const token of invalidTokens) {
            expect((await send(body, token)).code).toBe(codes.tokenInvalid);
          }
        },
      );
    }

    if (auth === 'access') {
      it('rejects an expired token', async () => {
        const { body } = await success(world);
        const { access } = world.owner;
        server.advanceClock(accessTokenSeconds + 1);
        try {
          const response = await send(body, access);
          expect(response).toMatchObject({ code: codes.tokenExpired, data: null });
        } finally {
          server.advanceClock(-accessTokenSeconds - 1);
        }
      });
    }

    if (foreign) {
      it("does not distinguish another account's data from missing data", async () => {
        const { theirs, absent: unknown } = await foreign(world);
        const stateBefore = JSON.stringify(await stateOfOther());
        const [first, second] = [
          await send(theirs, getOwnToken()),
          await send(unknown, getOwnToken()),
        ];
        expect(first).toEqual(second);
        expect(JSON.stringify(first)).not.toContain(world.theirs.secret);
        expect(JSON.stringify(await stateOfOther())).toBe(stateBefore);
      });
    }

    const invalid = invalidBodies(schema);
    if (invalid.length > 0 && !('form' in calls[name])) {
      it.each(invalid)('rejects %s', async (_, invalidate) => {
        const sent = await success(world);
        const response = await send(invalidate(sent.body as object), sent.token ?? getOwnToken());
        expect(response).toMatchObject({ code: codes.badRequest, data: null });
        expect(response.msg).not.toBe('');
      });
    }

    function getOwnToken(): string | undefined {
      return auth === 'none' ? undefined : world.owner.access;
    }

    async function send(body: unknown, token: string | undefined): Promise<CallResponse<object>> {
      const { method, path } = calls[name];
      const encoded = body instanceof FormData ? new Response(body) : null;
      const response = await server.app.inject({
        method,
        url: `${prefix}${path}`,
        headers: {
          host: 'localhost:8080',
          'content-type': encoded?.headers.get('content-type') ?? 'application/json',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        ...(method === 'POST' && {
          payload: encoded
            ? Buffer.from(await encoded.arrayBuffer())
            : (JSON.stringify(body) ?? ''),
        }),
      });
      expect(response.statusCode).toBe(200);
      return response.json();
    }
  });
});

/** Reads the other account's data. Calls from this account must not change it. */
async function stateOfOther(): Promise<unknown> {
  const { theirs, other } = world;
  const token = { token: other.access };
  const { data: task } = await server.call('task/detail', { id: theirs.id }, token);
  const { data: list } = await server.call('task/index', { ids: [theirs.id] }, token);
  // Signed URLs depend on the clock.
  return { task, list: list.list.map((row) => ({ ...row, url: null })) };
}

/** Returns variants of a body, each with one field of the wrong type or with one required field missing. */
function invalidBodies(schema: z.ZodType): [string, (body: object) => object][] {
  const { properties = {}, required = [] } = describeSchema(schema, 'input');
  const wrongTypes = Object.entries(properties).map(
    ([field, property]): [string, (body: object) => object] => {
      const isText = (property.anyOf ?? [property]).some(({ type }) => type === 'string');
      const value = isText ? { text: 'x' } : 'wrong type';
      return [`${field} of a wrong type`, (body) => ({ ...body, [field]: value })];
    },
  );
  const missing = required.map((field): [string, (body: object) => object] => [
    `a body without ${field}`,
    (body) => Object.fromEntries(Object.entries(body).filter(([key]) => key !== field)),
  ]);
  return [...wrongTypes, ...missing];
}
