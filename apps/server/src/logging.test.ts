import { readFile } from 'node:fs/promises';
import { writeWave } from '@linnet/audio/wave';
import type { CallName } from '@linnet/contract';
import { calls, codes, prefixes } from '@linnet/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fakeOpenAiKey, refusals, startOpenAi } from '../test/openai/service.ts';
import { makeScript, synthesizeScript } from '../test/openai/tones.ts';
import type { Account, TestServer } from '../test/server.ts';
import { goodPassword, startTestServer } from '../test/server.ts';
import { toneWave, uploadRecording } from '../test/uploads.ts';
import { startWorker, stopWorker, waitForTask } from '../test/worker.ts';
import { describeError } from './logging.ts';
import { SPEECH_SAMPLE_RATE } from './providers/speech/port.ts';

const speechFile = new URL('../../virtual-recorder/scenes/hotel-call.ogg', import.meta.url);

let server: TestServer;
let account: Account;
/** Log output of the API and the worker. */
let lines: string[];
const fromWorker: string[] = [];
beforeAll(async () => {
  server = await startTestServer();
  account = await server.register('canary-owner@canary.example');
});
afterAll(() => server.close());

interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** Builds a body whose free-text fields are recognizable. */
function buildCanaryBody(schema: Schema): unknown {
  const [choice] = schema.anyOf ?? schema.oneOf ?? [];
  if (choice) return buildCanaryBody(choice);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.type === 'object') {
    const entries = Object.entries(schema.properties ?? {});
    return Object.fromEntries(entries.map(([name, item]) => [name, buildCanaryBody(item)]));
  }
  if (schema.type === 'array') return [buildCanaryBody(schema.items ?? {})];
  if (schema.type === 'integer' || schema.type === 'number') return 1;
  if (schema.type === 'boolean') return true;
  if (schema.format === 'email') return 'canary-field@canary.example';
  if (schema.format === 'uuid') return crypto.randomUUID();
  return 'canary-field';
}

const unusualHeaders = {
  cookie: 'session=canary-cookie',
  'user-agent': 'canary-agent',
  'x-tenant-id': 'canary-tenant',
  referer: 'https://canary.example/?token=canary-referer',
};

async function makeEveryCall(token: string): Promise<void> {
  for (const name of Object.keys(calls) as CallName[]) {
    const { method, path, host, body } = calls[name];
    const described = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as Schema;
    const headers = { ...unusualHeaders, authorization: `Bearer ${token}` };
    const url = `${prefixes[host]}${path}?canary=canary-query`;
    await server.app.inject({
      method,
      url,
      headers,
      ...(method === 'POST' && { payload: buildCanaryBody(described) as object }),
    });
    if (method === 'GET') continue;
    const type = { 'content-type': 'application/json' };
    for (const payload of ['{"email": "canary-broken', '["canary-list"]', '"canary-text"']) {
      await server.app.inject({ method, url, headers: { ...headers, ...type }, payload });
    }
  }
}

describe('API and worker logs', () => {
  it('cover every failure and contain no token, email address, password, title or content', async () => {
    const worker = await startWorker(server, { LOG_LEVEL: 'debug' }, fromWorker);
    const token = { token: account.access };
    await server.call('user/login', { email: account.email, password: 'canary-password' });
    const { data: tokens } = await server.call('user/refreshToken', {}, { token: account.refresh });

    const speech = new Uint8Array(await readFile(speechFile));
    const flags = [`canary-flag-1`, `canary-flag-2`].map((clientFlag) => ({ clientFlag }));
    const recordingId = await uploadRecording(server, account, speech, flags[0]);
    const silentRecording = await uploadRecording(server, account, toneWave(3), {
      ext: 'wav',
      ...flags[1],
    });
    await server.call('radio/rename', { id: recordingId.id, name: 'canary-title' }, token);
    const ids: string[] = [];
    for (const { id } of [recordingId, silentRecording]) {
      const { data } = await server.call('task/create', { id, language: 'en' }, token);
      ids.push(data.id);
    }
    const [task] = await Promise.all(ids.map((id) => waitForTask(server, account, id)));
    const content = task?.paragraphs.map((paragraph) => paragraph.content) ?? [];
    expect(content.join(' ')).toMatch(/reservation/i);
    await stopWorker(worker);

    await makeEveryCall(account.access);
    await server.app.inject({
      method: 'GET',
      url: '/canary-path?canary=1',
      headers: unusualHeaders,
    });
    // Without these tables, every call fails unexpectedly.
    await sql`alter table accounts rename to accounts_renamed`.execute(server.db);
    await sql`alter table recordings rename to recordings_renamed`.execute(server.db);
    await makeEveryCall(account.access);
    await server.call('user/login', { email: account.email, password: goodPassword });

    lines = [...server.logged, ...fromWorker];
    const messages = new Set(lines.map((line) => JSON.parse(line).msg));
    expect(messages).toContain('unhandled error in request');
    expect(messages).toContain('request handled');
    expect(messages).toContain('task failed');
    const all = lines.join('').toLowerCase();
    for (const secret of [
      'canary',
      account.email,
      account.password,
      account.access,
      account.refresh,
      tokens.access_token,
      tokens.refresh_token,
      account.access.split('.')[2],
      'a recording',
      'reservation',
      'passport',
      ...content.map((text) => text.slice(0, 40)),
    ]) {
      expect(secret?.length).toBeGreaterThan(5);
      expect(all).not.toContain(secret?.toLowerCase());
    }
  });

  it('contain no API key, and no request or response of a service', async () => {
    const service = await startOpenAi();
    const environment = {
      ASR: 'openai',
      LLM: 'openai',
      OPENAI_BASE_URL: service.url,
      OPENAI_API_KEY: fakeOpenAiKey,
    };
    const otherServer = await startTestServer(environment);
    const owner = await otherServer.register();
    const outputLines: string[] = [];
    const worker = await startWorker(
      otherServer,
      { ...environment, LOG_LEVEL: 'debug' },
      outputLines,
    );
    try {
      const script = makeScript(20);
      service.script = script;
      const bytes = writeWave(synthesizeScript(script), SPEECH_SAMPLE_RATE);
      const transcribe = async (clientFlag: string) => {
        const { id } = await uploadRecording(otherServer, owner, bytes, { ext: 'wav', clientFlag });
        const { data } = await otherServer.call(
          'task/create',
          { id, language: 'en' },
          { token: owner.access },
        );
        return waitForTask(otherServer, owner, data.id);
      };
      const recordingId = await transcribe('one');
      const content = recordingId.paragraphs.map((paragraph) => paragraph.content).join(' ');
      expect(content.toLowerCase().replaceAll('.', '')).toBe(
        script.map(({ text }) => text).join(' '),
      );
      expect(recordingId.engine).toBe('openai/whisper-1');
      expect(recordingId.summary_json?.engine).toBe('openai/gpt-4o-mini');
      expect(recordingId.title).toMatch(/^About /);

      const quoting = { kind: 'answer', body: `"lantern ${fakeOpenAiKey}` } as const;
      service.faults.push(quoting, quoting, refusals.wrongKey);
      const failedId = await transcribe('two');
      expect(failedId.error?.code).toBe(codes.engineMisconfigured);

      const all = [...otherServer.logged, ...outputLines].join('').toLowerCase();
      expect(all).toContain('access-refused');
      for (const secret of [fakeOpenAiKey, 'standin', 'lantern', 'meadow', 'they say', 'about ']) {
        expect(all).not.toContain(secret);
      }
    } finally {
      await stopWorker(worker);
      await otherServer.close();
      await service.close();
    }
  });

  it('contain no emailed verification code', async () => {
    const otherServer = await startTestServer();
    await otherServer.call('site/code', { email: 'somebody@example.com' });
    const code = await otherServer.emailedCode('somebody@example.com');
    for (const line of otherServer.logged) {
      const { time: _, pid: __, ...entry } = JSON.parse(line);
      expect(JSON.stringify(entry)).not.toMatch(new RegExp(`(?<!\\d)${code}(?!\\d)`));
    }
    expect(otherServer.logged.length).toBeGreaterThan(0);
    await otherServer.close();
  });
});

describe('logged errors', () => {
  const catchError = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => null,
      (reason) => reason,
    );
    expect(error).toBeInstanceOf(Error);
    return JSON.stringify(describeError(error));
  };

  it('name the violated database constraint without quoting data', async () => {
    const { db } = await startTestServer();
    const syntax = await catchError(sql`select ${'canary'}::uuid`.execute(db));
    expect(syntax).toContain('invalid input syntax for type uuid');
    const row = {
      email: 'canary@canary.example',
      seed: Buffer.alloc(1),
      expires_at: new Date(),
    };
    const insert = () => db.insertInto('verification_codes').values(row).execute();
    await insert();
    const duplicateError = await catchError(insert());
    expect(duplicateError).toContain('verification_codes_pkey');
    const json = await catchError(sql`select ${'{"canary'}::jsonb`.execute(db));
    for (const text of [syntax, duplicateError, json]) expect(text).not.toContain('canary');
  });

  it('keep the message of an error that a library has copied', () => {
    const error = new Error('connect ECONNREFUSED', { cause: new Error('//canary:canary@db') });
    const { message, stack, cause } = error;
    const described = describeError({ ...{ message, stack, cause }, queue: 'canary' });
    expect(described).toMatchObject({ message, cause: { message: '//db' } });
    expect(JSON.stringify(described)).not.toContain('canary');
  });

  it.each([
    ['550 5.1.1 <canary@example.com>: Recipient address rejected', '550 5.1.1 <…@…>: Recipient'],
    ['cannot reach postgres://canary:canary@db:5432/linnet', 'postgres://db:5432/linnet'],
    ['GET https://x.example/a/b?e=1&s=canary failed', 'https://x.example/a/b?…'],
    ['Incorrect API key provided: sk-canary*x9', 'Incorrect API key provided: …'],
    [`token ${'canary'.repeat(6)}.${'a'.repeat(9)} is invalid`, 'token … is invalid'],
    ['no such task 019a1234-89ab-7cde-8f01-23456789abcd', '019a1234-89ab-7cde-8f01-23456789abcd'],
  ])('are redacted: %s', (message, redacted) => {
    const described = JSON.stringify(
      describeError(new Error(message, { cause: new Error(message) })),
    );
    expect(described).not.toContain('canary');
    expect(described.split(redacted).length).toBe(3);
  });
});
