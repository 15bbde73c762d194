import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import type { CallData } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import { prefixes } from '@linnet/contract/routes';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { discarded } from '../../../test/jobs.ts';
import type { Account, CallResponse, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { toneWave } from '../../../test/uploads.ts';
import { createUploadPace } from '../../http/upload-pace.ts';
import { createIntake } from './intake.ts';

let server: TestServer;
let account: Account;
let address: URL;
beforeAll(async () => {
  server = await startTestServer();
  address = new URL(await server.app.listen({ port: 0, host: '127.0.0.1' }));
});
afterAll(() => server.close());

const wave = toneWave(2.2);
const file = (name = 'Lunch with Ada.wav', type = 'audio/wav', bytes = wave) =>
  new File([bytes], name, { type });

type Entry = readonly [string, string | File];
async function send(
  entries: readonly Entry[],
  { token = account.access } = {},
): Promise<CallResponse<CallData<'upload/radioFile'>>> {
  const form = new FormData();
  for (const [name, value] of entries) form.append(name, value);
  return sendBody(new Response(form), token);
}

async function sendBody(encoded: Response, token?: string) {
  const response = await server.app.inject({
    method: 'POST',
    url: `${prefixes.recorder}/upload/radioFile`,
    headers: {
      'content-type': encoded.headers.get('content-type') ?? '',
      authorization: `Bearer ${token ?? account.access}`,
    },
    payload: Buffer.from(await encoded.arrayBuffer()),
  });
  expect(response.statusCode).toBe(200);
  return response.json();
}

/** Returns the account's keys in the store and the keys of its grants. */
async function storedAndIssuedKeys(): Promise<{ stored: string[]; grants: string[] }> {
  const stored = [];
  for await (const { key } of server.store.list(`voice/${account.id}/`)) stored.push(key);
  const grants = await server.db
    .selectFrom('upload_leaves')
    .select('key')
    .where('account_id', '=', account.id)
    .execute();
  return { stored, grants: grants.map(({ key }) => key) };
}
const nothing = { stored: [], grants: [] };

describe('upload/radioFile with a valid form', () => {
  beforeAll(async () => {
    account = await server.register();
  });

  const fields: Entry[] = [
    ['source', '1'],
    ['name', 'Lunch'],
    ['sn', 'SN7'],
    ['total_time', '999.5'],
    ['recorded_at', '2026-11-20T10:00:00Z'],
  ];
  it.each([
    ['before', (entries: Entry[]) => [...entries, ['radio', file()] as Entry]],
    ['after', (entries: Entry[]) => [['radio', file()] as Entry, ...entries]],
    [
      'around',
      (entries: Entry[]) => [
        ...entries.slice(0, 2),
        ['radio', file()] as Entry,
        ...entries.slice(2),
      ],
    ],
  ])('accepts fields %s the file', async (_position, order) => {
    const flag = crypto.randomUUID();
    const entries = order([...fields, ['client_flag', flag]]);
    const { code, data } = await send(entries);
    expect(code).toBe(codes.ok);
    expect(data).toMatchObject({
      name: 'Lunch',
      source: 1,
      sn: 'SN7',
      client_flag: flag,
      ext: 'wav',
      mime_type: 'audio/wav',
      file_size: wave.length,
      sha256: createHash('sha256').update(wave).digest('hex'),
      total_time: 2,
      recorded_at: '2026-11-20T10:00:00.000Z',
    });
    const { pathname, search } = new URL(data.url ?? '');
    const { rawPayload } = await server.app.inject(pathname + search);
    expect(rawPayload.equals(wave)).toBe(true);
  });

  it('requires only the file, and names the recording after it', async () => {
    const [first, second] = [await send([['radio', file()]]), await send([['radio', file()]])];
    expect(first.data).toMatchObject({ name: 'Lunch with Ada', source: 0 });
    expect(second.data.id).not.toBe(first.data.id);
  });

  it('uses the media type of a file whose name has no extension', async () => {
    const { data } = await send([['radio', file('blob', 'audio/x-wav')]]);
    expect(data).toMatchObject({ ext: 'wav', mime_type: 'audio/wav' });
  });
});

describe('upload/radioFile', () => {
  beforeAll(async () => {
    account = await server.register();
  });

  it('registers a client flag once', async () => {
    const flag: Entry = ['client_flag', crypto.randomUUID()];
    const responses = await Promise.all([1, 2, 3].map(() => send([['radio', file()], flag])));
    const retried = await send([flag, ['radio', file()]]);
    expect(new Set([...responses, retried].map(({ data }) => data.id)).size).toBe(1);
    const { stored, grants } = await storedAndIssuedKeys();
    expect(grants).toHaveLength(1);
    // A job deletes the redundant objects.
    expect(new Set(stored)).toEqual(new Set([...grants, ...(await discarded(server))]));
  });

  it('keeps a recording if sending the response fails after the commit', async () => {
    account = await server.register();
    const flag = crypto.randomUUID();
    const entries: Entry[] = [
      ['radio', file()],
      ['client_flag', flag],
    ];
    // This column is read only for the response, after the commit.
    await sql`alter table tasks rename column progress to away`.execute(server.db);
    try {
      expect((await send(entries)).code).toBe(codes.internal);
    } finally {
      await sql`alter table tasks rename column away to progress`.execute(server.db);
    }
    const body = { client_flag: flag };
    const { data } = await server.call('upload/checkOssFile', body, { token: account.access });
    const { pathname, search } = new URL(data?.url ?? '');
    const { rawPayload } = await server.app.inject(pathname + search);
    expect(rawPayload.equals(wave)).toBe(true);
    const { stored, grants } = await storedAndIssuedKeys();
    expect(grants).toEqual(stored);
    expect(await discarded(server)).not.toContain(stored[0]);
  });

  it('discards the file if the registration fails', async () => {
    account = await server.register();
    await sql`alter table recordings rename column stored_rev to away`.execute(server.db);
    try {
      expect((await send([['radio', file()]])).code).toBe(codes.internal);
    } finally {
      await sql`alter table recordings rename column away to stored_rev`.execute(server.db);
    }
    const { stored, grants } = await storedAndIssuedKeys();
    expect(grants).toEqual([]);
    expect(stored).toHaveLength(1);
    expect(await discarded(server)).toContain(stored[0]);
  });

  it("discards a file that the server can't decode", async () => {
    account = await server.register();
    const text = new File(['no audio at all'], 'note.wav');
    expect(await send([['radio', text]])).toMatchObject({
      code: codes.typeNotAccepted,
      msg: expect.stringMatching(/^This file can't be read as audio\. .* Ogg Opus, WAV/),
    });
    const { stored, grants } = await storedAndIssuedKeys();
    expect(grants).toEqual([]);
    expect(await discarded(server)).toContain(stored[0]);
  });

  it('leaves the file to the sweep if discarding it fails as well', async () => {
    account = await server.register();
    await sql`alter table tasks rename to tasks_away`.execute(server.db);
    try {
      expect((await send([['radio', file()]])).code).toBe(codes.internal);
    } finally {
      await sql`alter table tasks_away rename to tasks`.execute(server.db);
    }
    const { stored, grants } = await storedAndIssuedKeys();
    expect(stored).toHaveLength(1);
    expect(grants).toEqual(stored);
    expect(await discarded(server)).not.toContain(stored[0]);
  });

  const entries: [keyof typeof codes, string, Entry[]][] = [
    ['badRequest', 'no file', [['source', '1']]],
    ['badRequest', 'no fields at all', []],
    [
      'badRequest',
      'two files',
      [
        ['radio', file()],
        ['radio', file('other.wav')],
      ],
    ],
    ['badRequest', 'the file under a different name', [['audio', file()]]],
    ['badRequest', 'text in place of the file', [['radio', 'x']]],
    [
      'badRequest',
      'a field of the wrong type after the file',
      [
        ['radio', file()],
        ['source', 'one'],
      ],
    ],
    [
      'badRequest',
      'a field that is too long',
      [
        ['radio', file()],
        ['name', 'x'.repeat(20_000)],
      ],
    ],
    [
      'badRequest',
      "characters that can't be stored",
      [
        ['radio', file()],
        ['name', 'a\0b'],
      ],
    ],
    ['typeNotAccepted', 'a file of an unsupported type', [['radio', file('x.exe', 'audio/wav')]]],
    ['typeNotAccepted', 'a file of unknown type', [['radio', file('x', 'text/plain')]]],
  ];
  it.each(entries)('returns %s for %s and stores nothing', async (reason, _what, form) => {
    account = await server.register();
    expect(await send(form)).toMatchObject({ code: codes[reason], data: null });
    expect(await storedAndIssuedKeys()).toEqual(nothing);
  });

  it('requires a token and a form', async () => {
    const response = await send([['radio', file()]], { token: 'none' });
    expect(response).toMatchObject({ code: codes.tokenInvalid, data: null });
    const json = await server.call('upload/radioFile', { radio: 'x' }, { token: account.access });
    expect(json).toMatchObject({ code: codes.badRequest, data: null });
  });

  it('stores nothing from an unterminated form', async () => {
    const form = new FormData();
    form.append('radio', file());
    const encoded = new Response(form);
    const completeBody = await encoded.clone().arrayBuffer();
    for (const length of [completeBody.byteLength - 10, completeBody.byteLength / 2, 60, 0]) {
      const cut = new Response(completeBody.slice(0, length), { headers: encoded.headers });
      expect(await sendBody(cut)).toMatchObject({ code: codes.badRequest, data: null });
    }
    expect(await storedAndIssuedKeys()).toEqual(nothing);
  });

  it('stores nothing from an interrupted body', async () => {
    const socket = connect(Number(address.port), address.hostname);
    const head = [
      `POST ${prefixes.recorder}/upload/radioFile HTTP/1.1`,
      `Host: ${address.host}`,
      `Authorization: Bearer ${account.access}`,
      'Content-Type: multipart/form-data; boundary=x',
      'Content-Length: 1000000',
      '',
      '--x',
      'Content-Disposition: form-data; name="radio"; filename="a.wav"',
      'Content-Type: audio/wav',
      '',
      '',
    ].join('\r\n');
    socket.write(head);
    socket.write(wave);
    await vi.waitUntil(async () => (await storedAndIssuedKeys()).grants.length === 1, {
      timeout: 60_000,
    });
    socket.destroy();
    await vi.waitUntil(async () => (await storedAndIssuedKeys()).grants.length === 0, {
      timeout: 60_000,
    });
    expect(await storedAndIssuedKeys()).toEqual(nothing);
  });

  it('stores nothing from a file that is too large', async () => {
    const { store, db } = server;
    const key = `voice/${account.id}/${crypto.randomUUID()}.wav`;
    const types = ['audio/wav'] as const;
    const reserveKey = async () => ({ key, maxSize: 10, types, start: 0, end: 0 });
    const intake = createIntake({ db, store, reserveKey, pace: createUploadPace() });
    const received = intake.receive(account.id, {
      name: 'x.wav',
      mediaType: 'audio/wav',
      body: Readable.from([wave]),
    });
    await expect(received).rejects.toMatchObject({ reason: 'tooLarge' });
    expect(await store.stat(key)).toBeNull();
  });

  it('is documented as a form', async () => {
    const { paths } = (await server.app.inject('/api/openapi.json')).json();
    const { content } = paths['/api/upload/radioFile'].post.requestBody;
    const { properties, required } = content['multipart/form-data'].schema;
    expect(properties.radio).toMatchObject({ type: 'string', format: 'binary' });
    expect(properties.source).toMatchObject({ type: 'integer', default: 0 });
    expect(required).toEqual(['radio']);
  });
});
