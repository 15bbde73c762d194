/**
 * Lists for every call at least one successful request, all error codes, and a request for another account's object.
 * Run by `every-call.test.ts`.
 */
import { readFile } from 'node:fs/promises';
import type { CallBody, CallData, CallName, KeyScope } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import { signCosPost } from '@linnet/contract/cos-post';
import { expect } from 'vitest';
import { accessTokenSeconds } from '../src/modules/user/access.ts';
import { createPassageIndex } from '../src/retrieval/passage-index.ts';
import { createBrowser } from './browser-push.ts';
import { buy } from './orders.ts';
import type { Account, TestServer } from './server.ts';
import { operation } from './sync.ts';
import { type TranscribedRecording, transcribedRecording } from './transcripts.ts';
import { grantFor, postObject, toneWave, uploadRecording } from './uploads.ts';

/** The request in a case. */
interface SentRequest {
  readonly body: unknown;
  /** The token to send instead of the test account's own. */
  readonly token?: string;
}
type Make<T = SentRequest> = (world: World) => T | Promise<T>;

/** The cases of one call. The compiler requires an entry for each call. */
export interface CallCases<Name extends CallName> {
  /** A successful request, and its expected response. */
  readonly success: Make<SentRequest & { body: CallBody<Name> | FormData }>;
  readonly holds: (data: CallData<Name>, world: World) => object;
  /** The error codes that the call may return, each with a request that triggers it. */
  readonly errors: Readonly<Record<string, readonly [number, Make]>>;
  /** The same request for another account's object and for a nonexistent one. Both must get the same response. */
  readonly foreign?: Make<{ theirs: unknown; absent: unknown }>;
}

/** The data used by the cases. */
export interface World {
  readonly server: TestServer;
  readonly owner: Account;
  readonly other: Account;
  /** Transcribed recordings of the test account and of another account, each with ID, flag, task and paragraph. */
  readonly mine: TranscribedRecording;
  readonly theirs: TranscribedRecording;
}

const absent = '0199aaaa-0000-7000-8000-000000000000';
const freshEmail = () => `${crypto.randomUUID()}@example.com`;
const newPassword = 'a much better one';

async function codeFor(server: TestServer, email: string): Promise<string> {
  await server.call('site/code', { email });
  return server.emailedCode(email);
}
async function createdKey(server: TestServer, { access }: Account, scope: KeyScope = 'read') {
  const body = { name: 'Notes', scopes: [scope] };
  return (await server.call('user/createKey', body, { token: access })).data;
}
async function askedThread(server: TestServer, { access }: Account): Promise<string> {
  const body = { question: 'Where does the heron wait?' };
  const { data } = await server.call('ask/question', body, { token: access });
  return data.thread_id;
}
/** Indexes all recordings now, because a question waits for the index for only a few seconds. */
const index = ({ db }: TestServer, { id }: Account) =>
  createPassageIndex(db).update(id, Number.POSITIVE_INFINITY);
/** A URL in a public network. The tests never send anything to it. */
const publicHook = 'https://192.0.32.7/hook';
/** Adds a webhook after deleting the account's other webhooks, because their number is limited. Returns its ID. */
async function addWebhook({ db, now }: TestServer, account: Account): Promise<string> {
  await db.deleteFrom('webhooks').where('account_id', '=', account.id).execute();
  const id = crypto.randomUUID();
  const events = JSON.stringify(['recording.arrived']);
  const row = { id, account_id: account.id, url: publicHook, events, created_at: now() };
  await db
    .insertInto('webhooks')
    .values({ ...row, secret: Buffer.alloc(60) })
    .execute();
  return id;
}
/** Adds a stopped vault with a WebDAV folder that is never contacted, after deleting the previous one. */
async function addVault({ db, now }: TestServer, account: Account): Promise<void> {
  await db.deleteFrom('vaults').where('account_id', '=', account.id).execute();
  await db
    .insertInto('vaults')
    .values({
      ...{ id: crypto.randomUUID(), account_id: account.id, kind: 'webdav', username: 'ada' },
      ...{ place: 'https://192.0.32.7/vault/', password: Buffer.alloc(60), created_at: now() },
    })
    .execute();
}
const withVault = async ({ server, owner }: World) => {
  await addVault(server, owner);
  return { body: { kind: 'webdav' as const } };
};
const noVault = [codes.notFound, () => ({ body: { kind: 'folder' } })] as const;
async function addDelivery(server: TestServer, account: Account): Promise<string> {
  const [id, time] = [crypto.randomUUID(), server.now()];
  const row = { type: 'webhook.test', status: 'delivered', created_at: time } as const;
  const webhookId = await addWebhook(server, account);
  await server.db
    .insertInto('webhook_deliveries')
    .values({ ...row, id, webhook_id: webhookId, occurred_at: time })
    .execute();
  return id;
}
const withWebhook = async ({ server, owner }: World) => ({
  body: { id: await addWebhook(server, owner) },
});
const foreignWebhook = async ({ server, other }: World) => ({
  theirs: { id: await addWebhook(server, other) },
  absent: { id: absent },
});
/** Adds a retention rule after deleting the account's other rules, because their number is limited. Returns its ID. */
async function addRule({ db, now }: TestServer, { id: account_id }: Account): Promise<string> {
  await db.deleteFrom('retention_rules').where('account_id', '=', account_id).execute();
  const id = crypto.randomUUID();
  const rule = { tag: 'old', after: 90, unit: 'day', created_at: now(), acts_at: now() } as const;
  await db
    .insertInto('retention_rules')
    .values({ id, account_id, ...rule })
    .execute();
  return id;
}
/** Adds a retention rule's run whose recordings have been deleted. Returns its ID. */
async function addRun({ db, now }: TestServer, { id: account_id }: Account): Promise<string> {
  const id = crypto.randomUUID();
  const run = { tag: null, after: 1, unit: 'month', started_at: now() } as const;
  await db
    .insertInto('retention_runs')
    .values({ id, account_id, ...run })
    .execute();
  return id;
}
const foreignRun = async ({ server, other }: World) => ({
  theirs: { id: await addRun(server, other) },
  absent: { id: absent },
});
/** The error of a call that doesn't accept API keys. */
const ownersOnly = (body: object): Readonly<Record<string, readonly [number, Make]>> => ({
  'an API key': [
    codes.keyNotAllowed,
    async ({ server, owner }) => {
      const { key } = await createdKey(server, owner, 'write');
      return { body, token: key };
    },
  ],
});
async function newDevice(server: TestServer, boundBy?: Account): Promise<string> {
  const sn = `SN-${crypto.randomUUID()}`;
  await server.registerDevice(sn);
  if (boundBy) await server.call('device/binding', { sn }, { token: boundBy.access });
  return sn;
}
async function uploadAudio(server: TestServer, account: Account) {
  const grant = await grantFor(server, account, 'wav');
  expect((await postObject(server, grant, wave)).statusCode).toBe(204);
  return { url: grant.url, file_size: wave.length, client_flag: crypto.randomUUID() as string };
}
const wave = toneWave(3, 8000);
/** A scene from the virtual recorder. */
const readSpeech = async () =>
  new Uint8Array(
    await readFile(new URL('../../virtual-recorder/scenes/microphone.ogg', import.meta.url)),
  );
const withRecording = async (server: TestServer, owner: Account) => ({
  body: { id: (await uploadRecording(server, owner, wave, { ext: 'wav' })).id },
});
async function placeOrder(server: TestServer, { access }: Account): Promise<string> {
  const { data } = await server.call('user/pay', { plan: 'package_120' }, { token: access });
  return data.order_id;
}
function form(fields: Record<string, string>, file: Blob | null = new Blob([wave])): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  if (file) data.append('radio', file, 'sound.wav');
  return data;
}
/** Stores the voice of a named speaker. Returns the name. */
async function rememberedVoice({ server, owner, mine }: World): Promise<string> {
  const speaker = crypto.randomUUID();
  const edit = { type: 'recording.speaker', recording: mine.clientFlag, speaker, name: speaker };
  await server.call('sync/apply', { ops: [operation(edit)] }, { token: owner.access });
  await server.db
    .insertInto('speaker_voices')
    .values({
      account_id: owner.id,
      recording_id: mine.id,
      speaker,
      model: 'test',
      embedding: Buffer.alloc(4),
    })
    .execute();
  return speaker;
}
/** Creates a link to the transcript of the account's recording. Returns its ID. */
async function sharedLink({ server, owner, mine }: World): Promise<string> {
  const body = { id: mine.id, parts: ['transcript'] } as const;
  const { data } = await server.call('share/create', body, { token: owner.access });
  return data.id;
}
/** Adds a recording that is long enough for two parts. Returns its ID. */
const sixSeconds = async (server: TestServer, owner: Account) =>
  (await uploadRecording(server, owner, toneWave(6, 8000), { ext: 'wav' })).id;
const createParts = (...flags: readonly string[]) =>
  flags.map((flag, n) => ({ client_flag: flag, start: n * 3 }));
const byId = ({ theirs }: World) => ({ theirs: { id: theirs.id }, absent: { id: absent } });
const browserSubscription: CallBody<'push/subscribe'> = {
  endpoint: publicHook,
  keys: createBrowser().keys,
  events: ['transcript'],
  shows_titles: true,
  time_zone: 'Europe/Paris',
};
const none = {};

/** The cases of every call. */
export const callCases: { readonly [Name in CallName]: CallCases<Name> } = {
  'user/login': {
    success: ({ owner }) => ({ body: { email: owner.email, password: owner.password } }),
    holds: () => ({ token_type: 'Bearer', expires_in: accessTokenSeconds }),
    errors: {
      'a wrong password': [
        codes.wrongCredentials,
        ({ owner }) => ({ body: { email: owner.email, password: 'no' } }),
      ],
      'an unknown e-mail': [
        codes.wrongCredentials,
        () => ({ body: { email: freshEmail(), password: 'no' } }),
      ],
    },
  },
  'user/refreshToken': {
    success: async ({ server }) => ({ body: {}, token: (await server.register()).refresh }),
    holds: () => ({ token_type: 'Bearer', expires_in: accessTokenSeconds }),
    errors: {
      'an access token': [codes.tokenInvalid, ({ owner }) => ({ body: {}, token: owner.access })],
    },
  },
  'user/info': {
    success: () => nothing(),
    holds: (_, { owner }) => ({ id: owner.id, email: owner.email, is_vip: true }),
    errors: none,
  },
  'user/register': {
    success: async ({ server }) => {
      const email = freshEmail();
      const code = await codeFor(server, email);
      return { body: { email, code, password: newPassword, repassword: newPassword } };
    },
    holds: (data) => ({ id: data.id }),
    errors: {
      'a wrong code': [
        codes.wrongCode,
        async ({ server }) => {
          const email = freshEmail();
          const code = (await codeFor(server, email)) === '123456' ? '654321' : '123456';
          return { body: { email, code, password: newPassword, repassword: newPassword } };
        },
      ],
      'a taken e-mail': [
        codes.emailTaken,
        async ({ server }) => {
          const { email } = await server.register();
          const code = await codeFor(server, email);
          return { body: { email, code, password: newPassword, repassword: newPassword } };
        },
      ],
      'a weak password': [
        codes.weakPassword,
        () => ({
          body: { email: freshEmail(), code: '1', password: 'password', repassword: 'password' },
        }),
      ],
      'mismatched passwords': [
        codes.passwordsDiffer,
        () => ({
          body: { email: freshEmail(), code: '1', password: newPassword, repassword: 'x' },
        }),
      ],
    },
  },
  'user/forgotPassword': {
    success: async ({ server }) => {
      const { email } = await server.register();
      const code = await codeFor(server, email);
      return { body: { email, code, password: newPassword, repassword: newPassword } };
    },
    holds: () => ({}),
    errors: {
      'a wrong code': [
        codes.wrongCode,
        ({ owner }) => ({
          body: { email: owner.email, code: 'x', password: newPassword, repassword: newPassword },
        }),
      ],
      'an unknown account': [
        codes.unknownAccount,
        async ({ server }) => {
          const email = freshEmail();
          const code = await codeFor(server, email);
          return { body: { email, code, password: newPassword, repassword: newPassword } };
        },
      ],
      'a weak password': [
        codes.weakPassword,
        ({ owner }) => ({
          body: { email: owner.email, code: '1', password: 'short', repassword: 'short' },
        }),
      ],
      'mismatched passwords': [
        codes.passwordsDiffer,
        ({ owner }) => ({
          body: { email: owner.email, code: '1', password: newPassword, repassword: 'x' },
        }),
      ],
    },
  },
  'user/updatePassword': {
    success: async ({ server }) => {
      const { access, password } = await server.register();
      const body = { old_password: password, password: newPassword, repassword: newPassword };
      return { body, token: access };
    },
    holds: () => ({}),
    errors: {
      'a wrong old password': [
        codes.wrongOldPassword,
        () => ({
          body: { old_password: 'no', password: newPassword, repassword: newPassword },
        }),
      ],
      'a weak password': [
        codes.weakPassword,
        ({ owner }) => ({
          body: { old_password: owner.password, password: 'short', repassword: 'short' },
        }),
      ],
      'mismatched passwords': [
        codes.passwordsDiffer,
        ({ owner }) => ({
          body: { old_password: owner.password, password: newPassword, repassword: 'x' },
        }),
      ],
    },
  },
  'user/updateNickname': {
    success: () => ({ body: { nickname: 'Wren' } }),
    holds: () => ({ nickname: 'Wren' }),
    errors: {
      'a name that is too long': [codes.badRequest, () => ({ body: { nickname: 'x'.repeat(41) } })],
    },
  },
  'user/updateAvatar': {
    success: async ({ server, owner }) => {
      const { data: grant } = await server.call(
        'oss/config',
        { type: 'avatar', ext: 'png' },
        { token: owner.access },
      );
      const picture = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
      await postObject(server, grant, new Uint8Array(picture));
      return { body: { avatar: `${grant.url}?t=1` } };
    },
    holds: (data) => ({ avatar: expect.stringContaining('/avatar/') && data.avatar }),
    errors: {
      'a URL of another store': [
        codes.keyNotIssued,
        () => ({ body: { avatar: 'https://example.org/a.png' } }),
      ],
      'a picture that was not uploaded': [
        codes.objectMissing,
        async ({ server, owner }) => {
          const { data } = await server.call(
            'oss/config',
            { type: 'avatar', ext: 'png' },
            { token: owner.access },
          );
          return { body: { avatar: data.url } };
        },
      ],
    },
    foreign: async ({ server, other }) => {
      const { data } = await server.call(
        'oss/config',
        { type: 'avatar', ext: 'png' },
        { token: other.access },
      );
      return { theirs: { avatar: data.url }, absent: { avatar: `${data.url}x.png` } };
    },
  },
  'user/deactivation': {
    success: async ({ server }) => ({ body: {}, token: (await server.register()).access }),
    holds: () => ({}),
    errors: {
      'a wrong password': [codes.wrongPassword, () => ({ body: { password: 'no' } })],
      'a missing password after an old sign-in': [
        codes.passwordNeeded,
        async ({ server, owner }) => {
          const { access: token, id } = await server.register();
          await server.db
            .updateTable('sessions')
            .set({ password_at: null })
            .where('account_id', '=', id)
            .execute();
          expect(id).not.toBe(owner.id);
          return { body: undefined, token };
        },
      ],
    },
  },
  'user/logout': {
    success: async ({ server }) => ({ body: undefined, token: (await server.register()).access }),
    holds: () => ({}),
    errors: none,
  },
  'user/sessions': {
    success: () => nothing(),
    holds: ({ list }) => {
      expect(list.filter(({ current }) => current)).toHaveLength(1);
      return {};
    },
    errors: none,
  },
  'user/endSession': {
    success: async ({ server, owner }) => {
      await server.call('user/login', owner);
      const { data } = await server.call('user/sessions', {}, { token: owner.access });
      return { body: { id: data.list.find(({ current }) => !current)?.id ?? '' } };
    },
    holds: () => ({}),
    errors: { 'no such session': [codes.notFound, () => ({ body: { id: absent } })] },
    foreign: async ({ server, other }) => {
      const { data } = await server.call('user/sessions', {}, { token: other.access });
      return { theirs: { id: data.list[0]?.id }, absent: { id: absent } };
    },
  },
  'user/createKey': {
    success: () => ({ body: { name: 'Notes', scopes: ['read'], expires_days: 30 } }),
    holds: () => ({ key: expect.stringMatching(/^linnet_[\w-]{43}$/) }),
    errors: {
      'an unknown scope': [codes.badRequest, () => ({ body: { name: 'Notes', scopes: ['all'] } })],
      'a repeated scope': [
        codes.badRequest,
        () => ({ body: { name: 'Notes', scopes: ['read', 'read'] } }),
      ],
      'no scope': [codes.badRequest, () => ({ body: { name: 'Notes', scopes: [] } })],
      'an API key': [
        codes.keyNotAllowed,
        async ({ server, owner }) => {
          const { key } = await createdKey(server, owner);
          return { body: { name: 'Notes', scopes: ['read'] }, token: key };
        },
      ],
    },
  },
  'user/keys': {
    success: async ({ server, owner }) => {
      await createdKey(server, owner);
      return nothing();
    },
    holds: () => ({
      list: expect.arrayContaining([
        expect.objectContaining({ name: 'Notes', scopes: ['read'], last_used_at: null }),
      ]),
    }),
    errors: none,
  },
  'user/revokeKey': {
    success: async ({ server, owner }) => ({ body: { id: (await createdKey(server, owner)).id } }),
    holds: () => ({}),
    errors: {
      'no such key': [codes.notFound, () => ({ body: { id: absent } })],
      'a session': [
        codes.notFound,
        async ({ server, owner }) => {
          const { data } = await server.call('user/sessions', {}, { token: owner.access });
          return { body: { id: data.list[0]?.id } };
        },
      ],
    },
    foreign: async ({ server, other }) => ({
      theirs: { id: (await createdKey(server, other)).id },
      absent: { id: absent },
    }),
  },
  'user/closed': {
    success: ({ owner }) => ({ body: { id: owner.id } }),
    holds: () => ({ closed: false }),
    errors: { 'no id': [codes.badRequest, () => ({ body: { id: 'mine' } })] },
  },
  'site/code': {
    success: () => ({ body: { email: freshEmail() } }),
    holds: (data) => ({ retry_after: data.retry_after }),
    errors: {
      'no e-mail address': [codes.badRequest, () => ({ body: { email: 'nobody' } })],
    },
  },
  'site/config': {
    success: () => nothing(),
    holds: () => ({ billing: 'sandbox' }),
    errors: none,
  },
  'site/feedback': {
    success: () => ({ body: { kind: 'question', content: 'Where is the button?' } }),
    holds: (data) => ({ id: data.id }),
    errors: {
      'empty content': [codes.badRequest, () => ({ body: { content: ' ' } })],
      'an unknown kind': [codes.badRequest, () => ({ body: { kind: 'praise', content: 'x' } })],
    },
  },
  'oss/config': {
    success: () => ({ body: { type: 'voice_file', ext: 'wav' } }),
    holds: () => ({ provider: 'local', key: expect.stringMatching(/\.wav$/) }),
    errors: {
      'an unsupported file type': [
        codes.typeNotAccepted,
        () => ({ body: { type: 'avatar', ext: 'exe' } }),
      ],
    },
  },
  'upload/ossConfig': {
    success: () => nothing(),
    holds: () => ({ provider: 'local', key: expect.stringContaining('log/') }),
    errors: none,
  },
  'upload/radioFile': {
    success: () => ({ body: form({ source: '1', name: 'By form' }) }),
    holds: () => ({ name: 'By form', source: 1, file_size: wave.length, ext: 'wav' }),
    errors: {
      'no file': [codes.badRequest, () => ({ body: form({ source: '1' }, null) })],
      'an invalid field': [codes.badRequest, () => ({ body: form({ source: 'one' }) })],
    },
  },
  'upload/ossFile': {
    success: async ({ server, owner }) => ({ body: await uploadAudio(server, owner) }),
    holds: () => ({ file_size: wave.length, ext: 'wav', status: null }),
    errors: {
      'a URL of another store': [
        codes.keyNotIssued,
        () => ({ body: { url: 'https://example.org/x.wav', file_size: 1, client_flag: 'f' } }),
      ],
      'a file that was not uploaded': [
        codes.objectMissing,
        async ({ server, owner }) => {
          const { url } = await grantFor(server, owner, 'wav');
          return { body: { url, file_size: 1, client_flag: crypto.randomUUID() } };
        },
      ],
      'a different size': [
        codes.objectDiffers,
        async ({ server, owner }) => ({
          body: { ...(await uploadAudio(server, owner)), file_size: 5 },
        }),
      ],
      'a different hash': [
        codes.objectDiffers,
        async ({ server, owner }) => ({
          body: { ...(await uploadAudio(server, owner)), sha256: '0'.repeat(64) },
        }),
      ],
      'a permanently deleted recording': [
        codes.recordingDeleted,
        async ({ server, owner }) => {
          const file = await uploadAudio(server, owner);
          const { data } = await server.call('upload/ossFile', file, { token: owner.access });
          await server.call('radio/batchDelete', { ids: [data.id] }, { token: owner.access });
          return { body: { ...(await uploadAudio(server, owner)), client_flag: file.client_flag } };
        },
      ],
    },
    foreign: async ({ server, other }) => {
      const file = await uploadAudio(server, other);
      return { theirs: file, absent: { ...file, url: `${file.url}x.wav` } };
    },
  },
  'upload/checkOssFile': {
    success: ({ mine }) => ({ body: { client_flag: mine.clientFlag } }),
    holds: (_, { mine }) => ({ id: mine.id }),
    errors: none,
    foreign: ({ theirs }) => ({
      theirs: { client_flag: theirs.clientFlag },
      absent: { client_flag: crypto.randomUUID() },
    }),
  },
  convert: {
    success: async ({ server, owner }) => {
      const { data: grant } = await server.call(
        'oss/config',
        { type: 'voice_file', ext: 'mp3' },
        { token: owner.access },
      );
      const recording = await uploadRecording(server, owner, await readSpeech(), { ext: 'ogg' });
      const uploadObj = await signCosPost(grant, {
        contentType: 'audio/mpeg',
        size: grant.maxSize,
      });
      return {
        body: {
          fileUrl: recording.url ?? '',
          postUrl: grant.uploadUrl,
          iurl: grant.url,
          uploadObj,
        },
      };
    },
    holds: (data) => ({ iurl: expect.stringContaining('.mp3'), file_size: data.file_size }),
    errors: {
      'a URL of another store': [
        codes.addressNotOurs,
        () => ({
          body: {
            fileUrl: 'http://127.0.0.1:1/a.ogg',
            postUrl: 'http://127.0.0.1:1/',
            iurl: 'http://127.0.0.1:1/',
            uploadObj: {},
          },
        }),
      ],
    },
  },
  'radio/rename': {
    success: async ({ server, owner }) => {
      const { body } = await withRecording(server, owner);
      return { body: { ...body, name: 'Rounds' } };
    },
    holds: () => ({ name: 'Rounds' }),
    errors: {
      'a name that is too long': [
        codes.badRequest,
        ({ mine }) => ({ body: { id: mine.id, name: 'x'.repeat(201) } }),
      ],
    },
    foreign: ({ theirs }) => ({
      theirs: { id: theirs.id, name: 'x' },
      absent: { id: absent, name: 'x' },
    }),
  },
  'radio/delete': {
    success: ({ server, owner }) => withRecording(server, owner),
    holds: () => ({ is_del: 1 }),
    errors: { 'no id at all': [codes.notFound, () => ({ body: { id: 'x' } })] },
    foreign: byId,
  },
  'radio/batchDelete': {
    success: async ({ server, owner }) => ({
      body: { ids: [(await withRecording(server, owner)).body.id] },
    }),
    holds: ({ ids }) => ({ ids: [ids[0]] }),
    errors: { 'no ids': [codes.badRequest, () => ({ body: { ids: [] } })] },
    foreign: ({ theirs }) => ({ theirs: { ids: [theirs.id] }, absent: { ids: [absent] } }),
  },
  'radio/recover': {
    success: async ({ server, owner }) => {
      const { body } = await withRecording(server, owner);
      await server.call('radio/delete', body, { token: owner.access });
      return { body: { ids: [body.id] } };
    },
    holds: ({ ids }) => ({ ids: [ids[0]] }),
    errors: { 'no ids': [codes.badRequest, () => ({ body: { ids: [] } })] },
    foreign: ({ theirs }) => ({ theirs: { ids: [theirs.id] }, absent: { ids: [absent] } }),
  },
  'radio/translateHistory': {
    success: () => ({ body: { page: 1, limit: 5 } }),
    holds: () => ({ page: 1, limit: 5, list: expect.any(Array) }),
    errors: { 'page 0': [codes.badRequest, () => ({ body: { page: 0, limit: 5 } })] },
  },
  'task/create': {
    success: async ({ server, owner }) => ({
      body: { ...(await withRecording(server, owner)).body, language: 'en-GB' },
    }),
    holds: () => ({ language: 'en', status: 0 }),
    errors: {
      'an unknown language': [
        codes.languageUnavailable,
        async ({ server, owner }) => ({
          body: { ...(await withRecording(server, owner)).body, language: 'ja' },
        }),
      ],
      'more minutes than the balance': [
        codes.notEnoughMinutes,
        async ({ server, owner }) => {
          const longAudio = toneWave(31 * 60, 800);
          const { id } = await uploadRecording(server, owner, longAudio, { ext: 'wav' });
          return { body: { id, language: 'en' } };
        },
      ],
    },
    foreign: ({ theirs }) => ({
      theirs: { id: theirs.id, language: 'en' },
      absent: { id: absent, language: 'en' },
    }),
  },
  'live/append': {
    success: () => ({
      body: { client_flag: crypto.randomUUID(), language: 'en', first: 0, packets: '' },
    }),
    holds: () => ({ received: 0, state: { status: 'listening' }, first: 0, passages: [] }),
    errors: {
      'an incomplete packet': [
        codes.badRequest,
        () => ({
          body: { client_flag: crypto.randomUUID(), language: 'en', first: 0, packets: 'AAAA' },
        }),
      ],
      'an unsupported language': [
        codes.languageUnavailable,
        () => ({
          body: { client_flag: crypto.randomUUID(), language: 'ja', first: 0, packets: '' },
        }),
      ],
      'a recording that was uploaded': [
        codes.notFound,
        ({ mine }) => ({
          body: { client_flag: mine.clientFlag, language: 'en', first: 0, packets: '' },
        }),
      ],
    },
  },
  'ask/question': {
    success: async ({ server, owner, mine }) => {
      await index(server, owner);
      return { body: { question: `Who heard of ${mine.secret}?` } };
    },
    holds: (_data, { mine }) => ({
      answer: expect.stringContaining(mine.secret),
      written: false,
      quotes: expect.arrayContaining([
        expect.objectContaining({ radio_file_id: mine.id, paragraph_id: mine.paragraphs[1] }),
      ]),
      indexing: false,
    }),
    errors: {
      'an empty question': [codes.badRequest, () => ({ body: { question: ' ' } })],
      'a question that is too long': [
        codes.badRequest,
        () => ({ body: { question: 'a'.repeat(1001) } }),
      ],
      'an unknown thread': [
        codes.notFound,
        () => ({ body: { question: 'Why?', thread_id: absent } }),
      ],
    },
    foreign: ({ theirs }) => ({
      theirs: { question: 'Why?', ids: [theirs.id] },
      absent: { question: 'Why?', ids: [absent] },
    }),
  },
  'ask/live': {
    success: ({ mine }) => ({ body: { question: 'Why?', client_flag: mine.clientFlag } }),
    holds: () => ({ question: 'Why?', indexing: expect.any(Boolean) }),
    errors: {
      'an empty question': [
        codes.badRequest,
        ({ mine }) => ({ body: { question: ' ', client_flag: mine.clientFlag } }),
      ],
      'a recording that is not in progress': [
        codes.notFound,
        () => ({ body: { question: 'Why?', client_flag: absent } }),
      ],
    },
    foreign: ({ theirs }) => ({
      theirs: { question: 'Why?', client_flag: theirs.clientFlag },
      absent: { question: 'Why?', client_flag: absent },
    }),
  },
  'ask/passages': {
    success: async ({ server, owner, mine }) => {
      await index(server, owner);
      return { body: { question: mine.secret } };
    },
    holds: (_data, { mine }) => ({
      quotes: expect.arrayContaining([expect.objectContaining({ radio_file_id: mine.id })]),
      indexing: false,
    }),
    errors: { 'an empty question': [codes.badRequest, () => ({ body: { question: '' } })] },
  },
  'ask/index': {
    success: async ({ server, owner }) => {
      await askedThread(server, owner);
      return { body: {} };
    },
    holds: () => ({
      list: expect.arrayContaining([
        expect.objectContaining({ question: 'Where does the heron wait?', count: 1, ids: [] }),
      ]),
    }),
    errors: { 'page 0': [codes.badRequest, () => ({ body: { page: 0 } })] },
  },
  'ask/thread': {
    success: async ({ server, owner }) => ({ body: { id: await askedThread(server, owner) } }),
    holds: () => ({
      list: [expect.objectContaining({ question: 'Where does the heron wait?' })],
    }),
    errors: { 'no id': [codes.badRequest, () => ({ body: {} })] },
    foreign: async ({ server, other }) => ({
      theirs: { id: await askedThread(server, other) },
      absent: { id: absent },
    }),
  },
  'ask/delete': {
    success: async ({ server, owner }) => ({ body: { id: await askedThread(server, owner) } }),
    holds: () => ({}),
    errors: { 'no id': [codes.badRequest, () => ({ body: {} })] },
    foreign: async ({ server, other }) => ({
      theirs: { id: await askedThread(server, other) },
      absent: { id: absent },
    }),
  },
  'calendar/get': {
    success: () => ({ body: {} }),
    holds: () => ({}),
    errors: none,
  },
  'calendar/create': {
    success: () => ({ body: {} }),
    holds: () => ({ url: expect.stringMatching(/\/calendar\/[\w.-]+\.ics$/) }),
    errors: none,
  },
  'calendar/revoke': {
    success: () => ({ body: {} }),
    holds: () => ({}),
    errors: none,
  },
  'share/create': {
    success: ({ mine }) => ({ body: { id: mine.id, parts: ['transcript'], expires_days: 7 } }),
    holds: () => ({ url: expect.stringMatching(/\/s\/[0-9a-f]{64}$/) }),
    errors: {
      'no part': [codes.badRequest, ({ mine }) => ({ body: { id: mine.id, parts: [] } })],
      'a repeated part': [
        codes.badRequest,
        ({ mine }) => ({ body: { id: mine.id, parts: ['audio', 'audio'] } }),
      ],
      'an unknown part': [
        codes.badRequest,
        ({ mine }) => ({ body: { id: mine.id, parts: ['x'] } }),
      ],
      'a weak password': [
        codes.weakPassword,
        ({ mine }) => ({ body: { id: mine.id, parts: ['todos'], password: 'short' } }),
      ],
      'an API key': [
        codes.keyNotAllowed,
        async ({ server, owner, mine }) => {
          const { key } = await createdKey(server, owner);
          return { body: { id: mine.id, parts: ['transcript'] }, token: key };
        },
      ],
    },
    foreign: ({ theirs }) => ({
      theirs: { id: theirs.id, parts: ['transcript'] },
      absent: { id: absent, parts: ['transcript'] },
    }),
  },
  'share/index': {
    success: async (world) => {
      await sharedLink(world);
      return { body: { id: world.mine.id, limit: 1 } };
    },
    holds: (_, { mine }) => ({
      limit: 1,
      list: [expect.objectContaining({ radio_file_id: mine.id, parts: ['transcript'], views: [] })],
    }),
    errors: { 'a page of nothing': [codes.badRequest, () => ({ body: { limit: 0 } })] },
    foreign: byId,
  },
  'share/revoke': {
    success: async (world) => ({ body: { id: await sharedLink(world) } }),
    holds: () => ({}),
    errors: { 'no such link': [codes.notFound, () => ({ body: { id: absent } })] },
    foreign: async (world) => ({
      theirs: { id: await sharedLink({ ...world, owner: world.other, mine: world.theirs }) },
      absent: { id: absent },
    }),
  },
  'vault/index': {
    success: async (world) => {
      await withVault(world);
      return { body: {} };
    },
    holds: () => ({ list: [expect.objectContaining({ kind: 'webdav', username: 'ada' })] }),
    errors: {
      'an API key': [
        codes.keyNotAllowed,
        async ({ server, owner }) => ({ body: {}, token: (await createdKey(server, owner)).key }),
      ],
    },
  },
  'vault/connect': {
    // Private addresses are rejected when the folder is opened.
    success: () => ({
      body: { url: 'https://10.0.0.1/vault', username: 'ada', password: 'secret' },
    }),
    holds: () => ({ failure: 'forbidden', vault: null }),
    errors: {
      'plain HTTP': [
        codes.badRequest,
        () => ({ body: { url: 'http://192.0.32.7/', username: 'ada', password: 'secret' } }),
      ],
      'credentials in the address': [
        codes.badRequest,
        () => ({ body: { url: 'https://a:b@192.0.32.7/', username: 'ada', password: 'secret' } }),
      ],
      'no user name': [
        codes.badRequest,
        () => ({ body: { url: 'https://192.0.32.7/', username: ' ', password: 'secret' } }),
      ],
      'an API key': [
        codes.keyNotAllowed,
        async ({ server, owner }) => ({
          body: { url: 'https://192.0.32.7/', username: 'ada', password: 'secret' },
          token: (await createdKey(server, owner)).key,
        }),
      ],
    },
  },
  'vault/test': {
    success: withVault,
    // Its password was encrypted with a different SECRET.
    holds: () => ({ failure: 'secret' }),
    errors: { 'no such vault': noVault },
  },
  'vault/template': {
    success: async (world) => ({
      body: { ...(await withVault(world)).body, template: '# {{title}}' },
    }),
    holds: () => ({ template: '# {{title}}', is_current: false }),
    errors: {
      'no such vault': [
        codes.notFound,
        () => ({ body: { kind: 'folder', template: '# {{title}}' } }),
      ],
      'an unknown placeholder': [
        codes.badRequest,
        async (world) => ({ body: { ...(await withVault(world)).body, template: '{{titel}}' } }),
      ],
    },
  },
  'vault/stop': {
    success: withVault,
    holds: () => ({ stopped_at: expect.any(String), stopped_reason: 'owner' }),
    errors: { 'no such vault': noVault },
  },
  'vault/resume': {
    success: withVault,
    holds: () => ({ stopped_at: null, stopped_reason: null, failure: null }),
    errors: { 'no such vault': noVault },
  },
  'vault/disconnect': {
    success: async (world) => {
      await withVault(world);
      return { body: {} };
    },
    holds: () => ({}),
    errors: {
      'an API key': [
        codes.keyNotAllowed,
        async ({ server, owner }) => ({ body: {}, token: (await createdKey(server, owner)).key }),
      ],
    },
  },
  'webhook/create': {
    success: async (world) => {
      await withWebhook(world);
      return { body: { url: publicHook, events: ['recording.arrived'] } };
    },
    holds: () => ({ secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/) }),
    errors: {
      'an unknown event': [
        codes.badRequest,
        () => ({ body: { url: publicHook, events: ['recording.played'] } }),
      ],
      'a repeated event': [
        codes.badRequest,
        () => ({
          body: { url: publicHook, events: ['recording.arrived', 'recording.arrived'] },
        }),
      ],
      'no event': [codes.badRequest, () => ({ body: { url: publicHook, events: [] } })],
      'plain HTTP': [
        codes.badRequest,
        () => ({ body: { url: 'http://192.0.32.7/hook', events: ['recording.arrived'] } }),
      ],
      'a private address': [
        codes.badRequest,
        () => ({ body: { url: 'https://10.0.0.1/hook', events: ['recording.arrived'] } }),
      ],
      'an API key': [
        codes.keyNotAllowed,
        async ({ server, owner }) => {
          const { key } = await createdKey(server, owner);
          return { body: { url: publicHook, events: ['recording.arrived'] }, token: key };
        },
      ],
    },
  },
  'webhook/index': {
    success: () => ({ body: { limit: 10, page: 1 } }),
    holds: () => ({ list: expect.any(Array), page: 1, limit: 10 }),
    errors: { 'a page 0': [codes.badRequest, () => ({ body: { page: 0 } })] },
  },
  'webhook/delete': {
    success: withWebhook,
    holds: () => ({}),
    errors: { 'no such webhook': [codes.notFound, () => ({ body: { id: absent } })] },
    foreign: foreignWebhook,
  },
  'webhook/enable': {
    success: withWebhook,
    holds: () => ({ url: publicHook, disabled_at: null }),
    errors: { 'no such webhook': [codes.notFound, () => ({ body: { id: 'mine' } })] },
    foreign: foreignWebhook,
  },
  'webhook/deliveries': {
    success: withWebhook,
    holds: () => ({ list: [], total: 0 }),
    errors: { 'no such webhook': [codes.notFound, () => ({ body: { id: absent } })] },
    foreign: foreignWebhook,
  },
  'webhook/resend': {
    success: async ({ server, owner }) => ({ body: { id: await addDelivery(server, owner) } }),
    holds: () => ({ type: 'webhook.test', status: 'waiting', attempts: 0 }),
    errors: { 'no such delivery': [codes.notFound, () => ({ body: { id: absent } })] },
    foreign: async ({ server, other }) => ({
      theirs: { id: await addDelivery(server, other) },
      absent: { id: absent },
    }),
  },
  'webhook/rotateSecret': {
    success: withWebhook,
    holds: () => ({ secret: expect.stringMatching(/^whsec_/) }),
    errors: { 'no such webhook': [codes.notFound, () => ({ body: { id: absent } })] },
    foreign: foreignWebhook,
  },
  'webhook/test': {
    success: withWebhook,
    holds: () => ({ id: expect.any(String) }),
    errors: {
      'no such webhook': [codes.notFound, () => ({ body: { id: absent } })],
      'a disabled webhook': [
        codes.badRequest,
        async (world) => {
          const request = await withWebhook(world);
          await world.server.db
            .updateTable('webhooks')
            .set({ disabled_at: new Date(), disabled_reason: 'gone' })
            .where('id', '=', request.body.id)
            .execute();
          return request;
        },
      ],
    },
    foreign: foreignWebhook,
  },
  'push/get': {
    success: () => ({ body: {} }),
    holds: () => ({ public_key: expect.stringMatching(/^B[\w-]{86}$/) }),
    errors: none,
  },
  'push/subscribe': {
    success: () => ({ body: browserSubscription }),
    holds: () => ({ endpoint: publicHook, events: ['transcript'], time_zone: 'Europe/Paris' }),
    errors: {
      'an unknown event': [
        codes.badRequest,
        () => ({ body: { ...browserSubscription, events: ['x'] } }),
      ],
      'an unknown time zone': [
        codes.badRequest,
        () => ({ body: { ...browserSubscription, time_zone: 'Mars/Olympus' } }),
      ],
      'a private address': [
        codes.badRequest,
        () => ({ body: { ...browserSubscription, endpoint: 'https://127.0.0.1/push' } }),
      ],
      'plain HTTP': [
        codes.badRequest,
        () => ({ body: { ...browserSubscription, endpoint: 'http://example.com/push' } }),
      ],
      'a key that is not on the curve': [
        codes.badRequest,
        () => ({
          body: {
            ...browserSubscription,
            keys: { ...browserSubscription.keys, p256dh: `B${'A'.repeat(86)}` },
          },
        }),
      ],
      'an API key': [
        codes.keyNotAllowed,
        async ({ server, owner }) => {
          const { key } = await createdKey(server, owner);
          return { body: browserSubscription, token: key };
        },
      ],
    },
  },
  'push/unsubscribe': {
    success: () => ({ body: {} }),
    holds: () => ({}),
    errors: none,
  },
  'push/test': {
    success: async ({ server, owner }) => {
      await server.call('push/subscribe', browserSubscription, { token: owner.access });
      return { body: {} };
    },
    holds: () => ({}),
    errors: {
      'no subscription': [
        codes.notFound,
        async ({ server, owner }) => {
          await server.call('push/unsubscribe', {}, { token: owner.access });
          return { body: {} };
        },
      ],
    },
  },
  'mail/get': {
    success: () => ({ body: {} }),
    holds: (_, { owner }) => ({ email: owner.email, events: [] }),
    errors: none,
  },
  'mail/set': {
    success: () => ({ body: { events: [], time_zone: 'Europe/Paris' } }),
    holds: (_, { owner }) => ({ available: false, email: owner.email, events: [] }),
    errors: {
      'an unknown event': [
        codes.badRequest,
        () => ({ body: { events: ['x'], time_zone: 'Europe/Paris' } }),
      ],
      'an unknown time zone': [
        codes.badRequest,
        () => ({ body: { events: [], time_zone: 'Mars/Olympus' } }),
      ],
      'a server that can’t send mail': [
        codes.badRequest,
        () => ({ body: { events: ['transcript'], time_zone: 'Europe/Paris' } }),
      ],
      'an API key': [
        codes.keyNotAllowed,
        async ({ server, owner }) => {
          const { key } = await createdKey(server, owner);
          return { body: { events: [], time_zone: 'Europe/Paris' }, token: key };
        },
      ],
    },
  },
  'retention/index': {
    success: async ({ server, owner }) => {
      await addRule(server, owner);
      return { body: {} };
    },
    holds: () => ({
      list: [expect.objectContaining({ tag: 'old', after: 90, unit: 'day' })],
    }),
    errors: ownersOnly({}),
  },
  'retention/preview': {
    success: () => ({ body: { tag: null, after: 1, unit: 'month' } }),
    holds: () => ({ list: [], total: 0, page: 1, protected: 0, not_stored: 0, shared: 0 }),
    errors: {
      'too few days': [codes.badRequest, () => ({ body: { tag: null, after: 6, unit: 'day' } })],
      ...ownersOnly({ tag: null, after: 7, unit: 'day' }),
    },
  },
  'retention/save': {
    success: async ({ server, owner }) => ({
      body: { id: await addRule(server, owner), tag: 'old', after: 2, unit: 'month' },
    }),
    holds: () => ({ tag: 'old', after: 2, unit: 'month', paused: null }),
    errors: {
      'too few days': [codes.badRequest, () => ({ body: { tag: null, after: 6, unit: 'day' } })],
      'too many months': [
        codes.badRequest,
        () => ({ body: { tag: null, after: 1201, unit: 'month' } }),
      ],
      'an empty tag': [codes.badRequest, () => ({ body: { tag: ' ', after: 7, unit: 'day' } })],
      'no such rule': [
        codes.notFound,
        () => ({ body: { id: absent, tag: null, after: 7, unit: 'day' } }),
      ],
      ...ownersOnly({ tag: null, after: 7, unit: 'day' }),
    },
    foreign: async ({ server, other }) => {
      const rule = { tag: null, after: 7, unit: 'day' };
      return {
        theirs: { id: await addRule(server, other), ...rule },
        absent: { id: absent, ...rule },
      };
    },
  },
  'retention/delete': {
    success: async ({ server, owner }) => ({ body: { id: await addRule(server, owner) } }),
    holds: () => ({}),
    errors: {
      'no such rule': [codes.notFound, () => ({ body: { id: absent } })],
      ...ownersOnly({ id: absent }),
    },
    foreign: async ({ server, other }) => ({
      theirs: { id: await addRule(server, other) },
      absent: { id: absent },
    }),
  },
  'retention/runs': {
    success: async ({ server, owner }) => {
      await addRun(server, owner);
      return { body: { limit: 1 } };
    },
    holds: () => ({ limit: 1, list: [expect.objectContaining({ moved: 0, in_bin: 0 })] }),
    errors: { 'page 0': [codes.badRequest, () => ({ body: { page: 0 } })], ...ownersOnly({}) },
  },
  'retention/moved': {
    success: async ({ server, owner }) => ({ body: { id: await addRun(server, owner) } }),
    holds: () => ({ list: [], total: 0 }),
    errors: {
      'no such run': [codes.notFound, () => ({ body: { id: 'mine' } })],
      ...ownersOnly({ id: absent }),
    },
    foreign: foreignRun,
  },
  'retention/undo': {
    success: async ({ server, owner }) => ({ body: { id: await addRun(server, owner) } }),
    holds: () => ({ recovered: 0 }),
    errors: {
      'no such run': [codes.notFound, () => ({ body: { id: absent } })],
      ...ownersOnly({ id: absent }),
    },
    foreign: foreignRun,
  },
  'live/list': {
    success: () => ({ body: {} }),
    holds: () => ({ list: expect.any(Array) }),
    errors: { 'a negative count': [codes.badRequest, () => ({ body: { known: -1 } })] },
  },
  'live/watch': {
    success: () => ({ body: {} }),
    holds: () => ({ version: expect.any(String), list: expect.any(Array) }),
    errors: { 'a wait that is too long': [codes.badRequest, () => ({ body: { wait: 3600 } })] },
  },
  'voice/list': {
    success: () => ({ body: {} }),
    holds: () => ({ list: expect.any(Array), unnamed: expect.any(Number) }),
    errors: none,
  },
  'voice/export': {
    success: () => ({ body: {} }),
    holds: () => ({ list: expect.any(Array) }),
    errors: none,
  },
  'voice/rename': {
    success: async (world) => ({ body: { name: await rememberedVoice(world), to: 'Ann' } }),
    holds: () => ({ recordings: 1 }),
    errors: {
      'an unknown name': [codes.notFound, () => ({ body: { name: 'Zoe', to: 'Ann' } })],
      'an empty name': [codes.badRequest, () => ({ body: { name: 'Ann', to: ' ' } })],
    },
  },
  'voice/forget': {
    success: async (world) => ({ body: { name: await rememberedVoice(world) } }),
    holds: () => ({ embeddings: 1 }),
    errors: { 'an unknown name': [codes.notFound, () => ({ body: { name: 'Zoe' } })] },
  },
  'user/storage': {
    success: () => nothing(),
    holds: (data) => ({ used_bytes: data.used_bytes, quota_bytes: 100_000_000_000 }),
    errors: none,
  },
  'task/cancel': {
    success: async ({ server, owner }) => {
      const { body } = await withRecording(server, owner);
      await server.call('task/create', { ...body, language: 'en' }, { token: owner.access });
      return { body };
    },
    holds: () => ({ status: 3, minutes: 0 }),
    errors: { 'no id at all': [codes.notFound, () => ({ body: { id: 'x' } })] },
    foreign: byId,
  },
  'task/merge': {
    success: async ({ server, owner, mine }) => {
      const other = await transcribedRecording(server, owner);
      const id = await sixSeconds(server, owner);
      return { body: { id, parts: createParts(mine.clientFlag, other.clientFlag) } };
    },
    holds: () => ({ status: 2, progress: 100, language: 'en' }),
    errors: {
      'an unknown part': [
        codes.notFound,
        async ({ server, owner, mine }) => ({
          body: {
            id: await sixSeconds(server, owner),
            parts: createParts(mine.clientFlag, absent),
          },
        }),
      ],
      'a repeated part': [
        codes.badRequest,
        ({ mine }) => ({
          body: { id: mine.id, parts: createParts(mine.clientFlag, mine.clientFlag) },
        }),
      ],
    },
    foreign: ({ mine, theirs }) => {
      const parts = createParts(mine.clientFlag, absent);
      return { theirs: { id: theirs.id, parts }, absent: { id: absent, parts } };
    },
  },
  'task/price': {
    success: ({ mine }) => ({ body: { id: mine.id, language: 'en' } }),
    holds: () => ({ minutes: 1 }),
    errors: {
      'no language': [
        codes.languageUnavailable,
        ({ mine }) => ({ body: { id: mine.id, language: 'not a tag' } }),
      ],
    },
    foreign: ({ theirs }) => ({
      theirs: { id: theirs.id, language: 'en' },
      absent: { id: absent, language: 'en' },
    }),
  },
  'task/drafts': {
    success: () => ({ body: {} }),
    holds: () => ({ count: 0 }),
    errors: {},
  },
  'task/replace-drafts': {
    success: () => ({ body: {} }),
    holds: () => ({ queued: 0, left: 0 }),
    errors: {},
  },
  'task/summarize': {
    success: ({ mine }) => ({ body: { id: mine.taskId } }),
    holds: (data) => ({ id: data.id }),
    errors: {
      'no transcript': [
        codes.notTranscribed,
        async ({ server, owner }) => {
          const { body } = await withRecording(server, owner);
          const request = { ...body, language: 'en' };
          await server.call('task/create', request, { token: owner.access });
          return { body };
        },
      ],
    },
    foreign: byId,
  },
  'task/detail': {
    success: ({ mine }) => ({ body: { id: mine.id } }),
    holds: (_, { mine }) => ({ id: mine.taskId, radio_file_id: mine.id, status: 2 }),
    errors: { 'no id at all': [codes.notFound, () => ({ body: { id: 'x' } })] },
    foreign: byId,
  },
  'task/index': {
    success: ({ mine }) => ({ body: { limit: 1000, page: 1, ids: [mine.id] } }),
    holds: (_, { mine }) => ({ total: 1, page: 1, limit: 1000, list: [{ id: mine.id }] }),
    errors: { 'too many': [codes.badRequest, () => ({ body: { limit: 1001, page: 1 } })] },
    foreign: ({ theirs }) => ({ theirs: { ids: [theirs.id] }, absent: { ids: [absent] } }),
  },
  'task/search': {
    success: ({ mine }) => ({ body: { keyword: mine.word } }),
    holds: (data) => ({ total: data.total, list: expect.any(Array) }),
    errors: { 'no keyword': [codes.badRequest, () => ({ body: { keyword: ' ' } })] },
    foreign: ({ theirs }) => ({
      theirs: { keyword: theirs.secret },
      absent: { keyword: 'quetzalcoatlus' },
    }),
  },
  'task/modify-paragraph': {
    success: ({ mine }) => ({
      body: { id: mine.paragraphs[0] as string, radio_file_id: mine.id, content: 'Quite so.' },
    }),
    holds: () => ({ content: 'Quite so.', edited: true }),
    errors: {
      'no changes': [
        codes.badRequest,
        ({ mine }) => ({ body: { id: mine.paragraphs[0], radio_file_id: mine.id } }),
      ],
    },
    foreign: ({ theirs }) => ({
      theirs: { id: theirs.paragraphs[0], radio_file_id: theirs.id, content: 'x' },
      absent: { id: absent, radio_file_id: absent, content: 'x' },
    }),
  },
  'task/paragraph-history': {
    success: ({ mine }) => ({
      body: { id: mine.paragraphs[1] as string, radio_file_id: mine.id },
    }),
    holds: () => ({ list: [{ state: 'original' }] }),
    errors: none,
    foreign: ({ theirs }) => ({
      theirs: { id: theirs.paragraphs[0], radio_file_id: theirs.id },
      absent: { id: absent, radio_file_id: absent },
    }),
  },
  'task/tag': {
    success: ({ mine }) => ({
      body: { id: mine.paragraphs[0] as string, radio_file_id: mine.id, is_tag: 1 },
    }),
    holds: () => ({ is_tag: 1 }),
    errors: {
      'an invalid flag': [
        codes.badRequest,
        ({ mine }) => ({ body: { id: mine.paragraphs[0], radio_file_id: mine.id, is_tag: 2 } }),
      ],
    },
    foreign: ({ theirs }) => ({
      theirs: { id: theirs.paragraphs[0], radio_file_id: theirs.id, is_tag: 1 },
      absent: { id: absent, radio_file_id: absent, is_tag: 1 },
    }),
  },
  'sync/apply': {
    success: ({ mine }) => ({
      body: {
        ops: [operation({ type: 'recording.tag', recording: mine.clientFlag, tag: 'x', on: true })],
      },
    }),
    holds: () => ({ results: [{ outcome: 'applied', code: 0 }] }),
    errors: {
      'an unknown operation': [
        codes.badRequest,
        () => ({ body: { ops: [operation({ type: 'recording.eat' })] } }),
      ],
    },
    foreign: ({ theirs }) => {
      const op_id = crypto.randomUUID();
      const rename = (recording: string) => ({
        ops: [operation({ op_id, type: 'recording.rename', recording, name: 'x' })],
      });
      return { theirs: rename(theirs.clientFlag), absent: rename(crypto.randomUUID()) };
    },
  },
  'sync/changes': {
    success: () => ({ body: { limit: 10, recordings_first: true } }),
    holds: () => ({ changes: expect.any(Array), more: expect.any(Boolean) }),
    errors: {
      'an invalid cursor': [codes.badRequest, () => ({ body: { cursor: 'yesterday' } })],
    },
  },
  'device/index': { success: () => nothing(), holds: () => ({ page: 1 }), errors: none },
  'device/check': {
    success: async ({ server }) => ({ body: { sn: await newDevice(server) } }),
    holds: () => ({ bound: 'none' }),
    errors: none,
  },
  'device/binding': {
    success: async ({ server }) => ({ body: { sn: await newDevice(server) } }),
    holds: (data) => ({ sn: data.sn }),
    errors: {
      'an unknown serial': [codes.deviceNotRegistered, () => ({ body: { sn: 'nobody' } })],
      'a recorder of another account': [
        codes.deviceBoundElsewhere,
        async ({ server, other }) => ({ body: { sn: await newDevice(server, other) } }),
      ],
      'an invalid signature': [
        codes.proofRefused,
        async ({ server }) => {
          const sn = `SN-${crypto.randomUUID()}`;
          await server.registerDevice(sn, '0f'.repeat(32));
          const proof = { challenge: '0f'.repeat(32), signature: '0f'.repeat(64) };
          return { body: { sn, proof } };
        },
      ],
    },
  },
  'device/unbinding': {
    success: async ({ server, owner }) => ({ body: { sn: await newDevice(server, owner) } }),
    holds: (data) => ({ sn: data.sn }),
    errors: {
      'a recorder of another account': [
        codes.deviceNotYours,
        async ({ server, other }) => ({ body: { sn: await newDevice(server, other) } }),
      ],
      'an unbound recorder': [
        codes.deviceNotYours,
        async ({ server }) => ({ body: { sn: await newDevice(server) } }),
      ],
    },
  },
  'user/leftMinute': {
    success: async ({ server }) => ({ body: {}, token: (await server.register()).access }),
    holds: () => ({ left_minutes: 30, reserved_minutes: 0 }),
    errors: none,
  },
  'user/orderRecord': {
    success: () => ({ body: { page: 1, limit: 20 } }),
    holds: () => ({ page: 1, limit: 20 }),
    errors: { 'page 0': [codes.badRequest, () => ({ body: { page: 0 } })] },
  },
  'user/order': {
    success: async ({ server, owner }) => ({ body: { id: await placeOrder(server, owner) } }),
    holds: () => ({ plan: 'package_120', status: 'pending' }),
    errors: { 'no id at all': [codes.notFound, () => ({ body: { id: 'x' } })] },
    foreign: async ({ server, other }) => ({
      theirs: { id: await placeOrder(server, other) },
      absent: { id: absent },
    }),
  },
  'user/plans': {
    success: () => nothing(),
    holds: () => ({ list: expect.arrayContaining([expect.objectContaining({ minutes: 600 })]) }),
    errors: none,
  },
  'user/pay': {
    success: () => ({ body: { plan: 'package_120' } }),
    holds: () => ({ status: 'pending', pay_url: expect.stringMatching(/^http:/) }),
    errors: {
      'an unknown plan': [codes.badRequest, () => ({ body: { plan: 'lifetime' } })],
      'a return URL of another site': [
        codes.badRequest,
        () => ({ body: { plan: 'package_120', return_path: '//evil.example' } }),
      ],
    },
  },
  'user/restore': {
    success: async ({ server }) => {
      const account = await server.register();
      // An open, unpaid checkout.
      await server.call('user/pay', { plan: 'package_120' }, { token: account.access });
      return { body: {}, token: account.access };
    },
    holds: () => ({ restored: [] }),
    errors: none,
  },
  'user/cancelRenewal': {
    success: async ({ server }) => {
      const account = await server.register();
      await buy(server, account, 'vip_monthly');
      return { body: {}, token: account.access };
    },
    holds: () => ({ plan: 'vip_monthly', status: 'canceled' }),
    errors: { 'nothing that renews': [codes.nothingToCancel, () => nothing()] },
  },
  'user/config': {
    success: () => nothing(),
    holds: () => ({ radio_save_style: { local: '1', app: '1', cloud: '1' } }),
    errors: none,
  },
  'user/updateConfig': {
    success: () => ({
      body: { group_name: 'radio_save_style', config_key: 'local', config_value: '1' },
    }),
    holds: () => ({ config_key: 'local', config_value: '1' }),
    errors: {
      'an invalid value': [
        codes.badRequest,
        () => ({
          body: { group_name: 'radio_save_style', config_key: 'local', config_value: 'x' },
        }),
      ],
      'no storage location': [
        codes.noStorageLocation,
        async ({ server }) => {
          const { access: token } = await server.register();
          const set = (config_key: string) => ({
            group_name: 'radio_save_style',
            config_key,
            config_value: '0',
          });
          for (const key of ['local', 'app']) {
            await server.call('user/updateConfig', set(key), { token });
          }
          return { body: set('cloud'), token };
        },
      ],
    },
  },
  'user/feedback': {
    success: () => ({ body: { content: 'The button is stiff.' } }),
    holds: (data) => ({ id: data.id }),
    errors: {
      'empty content': [codes.badRequest, () => ({ body: { content: ' ' } })],
      'a log URL of another store': [
        codes.keyNotIssued,
        () => ({ body: { content: 'x', log_url: 'https://example.org/x.log' } }),
      ],
    },
  },
};

function nothing(): SentRequest & { body: undefined } {
  return { body: undefined };
}
