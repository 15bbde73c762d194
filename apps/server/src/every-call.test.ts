import { readFile } from 'node:fs/promises';
import type { CallBody, CallData, CallName, Operation, PlanId } from '@linnet/contract';
import { calls, prefixes } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import { signCosPost } from '@linnet/contract/cos-post';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Account, Answer, TestServer } from '../test/server.ts';
import { startTestServer } from '../test/server.ts';
import type { TranscribedRecording } from '../test/transcripts.ts';
import { transcribedRecording } from '../test/transcripts.ts';
import { leaveFor, postObject, toneWave, uploadRecording } from '../test/uploads.ts';
import { accessTokenSeconds } from './modules/user/access.ts';

/** What a case sends. A form is sent as one. */
interface Sent {
  readonly body: unknown;
  /** Instead of the owner's. */
  readonly token?: string;
}
type Make<T = Sent> = (world: World) => T | Promise<T>;

/** What one call has to show; the compiler asks for a row for each. */
interface Row<Name extends CallName> {
  /** What it succeeds with, and what the answer then holds. */
  readonly success: Make<Sent & { body: CallBody<Name> | FormData }>;
  readonly holds: (data: CallData<Name>, world: World) => object;
  /** The codes it may answer, each with what brings it about. */
  readonly errors: Readonly<Record<string, readonly [number, Make]>>;
  /** The same request for another account's object and for one that never was: same answer. */
  readonly foreign?: Make<{ theirs: unknown; absent: unknown }>;
}

interface World {
  readonly owner: Account;
  readonly other: Account;
  /** The owner's and the other's recording, transcribed: ids, flag, task, paragraph. */
  readonly mine: TranscribedRecording;
  readonly theirs: TranscribedRecording;
}

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer();
  const [owner, other] = [await server.register(), await server.register()];
  world = {
    owner,
    other,
    mine: await transcribedRecording(server, owner),
    theirs: await transcribedRecording(server, other),
  };
});
afterAll(() => server.close());

const absent = '0199aaaa-0000-7000-8000-000000000000';
const freshEmail = () => `${crypto.randomUUID()}@example.com`;
const newPassword = 'a much better one';

async function codeFor(email: string): Promise<string> {
  await server.call('site/code', { email });
  return server.mailedCode(email);
}
async function newDevice(boundBy?: Account): Promise<string> {
  const sn = `SN-${crypto.randomUUID()}`;
  await server.registerDevice(sn);
  if (boundBy) await server.call('device/binding', { sn }, { token: boundBy.access });
  return sn;
}
async function uploaded(ext: string, bytes: Uint8Array<ArrayBuffer>, account = world.owner) {
  const leave = await leaveFor(server, account, ext);
  expect((await postObject(server, leave, bytes)).statusCode).toBe(204);
  return { url: leave.url, file_size: bytes.length, client_flag: crypto.randomUUID() as string };
}
const wave = toneWave(3, 8000);
/** A scene that ships with the virtual recorder. */
const spoken = async () =>
  new Uint8Array(
    await readFile(new URL(`../../virtual-recorder/scenes/microphone.ogg`, import.meta.url)),
  );
const recorded = async () => ({
  body: { id: (await uploadRecording(server, world.owner, wave, { ext: 'wav' })).id },
});
async function ordered({ access }: Account): Promise<string> {
  const { data } = await server.call('user/pay', { plan: 'package_120' }, { token: access });
  return data.order_id;
}
async function buy(token: string, plan: PlanId): Promise<void> {
  const { data } = await server.call('user/pay', { plan }, { token });
  const { pathname, search } = new URL(data.pay_url);
  const paid = await server.app.inject({
    method: 'POST',
    url: pathname + search,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'choice=success',
  });
  expect(paid.statusCode).toBe(303);
}
function form(fields: Record<string, string>, file: Blob | null = new Blob([wave])): FormData {
  const made = new FormData();
  for (const [name, value] of Object.entries(fields)) made.append(name, value);
  if (file) made.append('radio', file, 'sound.wav');
  return made;
}
const operation = (rest: object): Operation =>
  ({
    op_id: crypto.randomUUID(),
    base_rev: 0,
    at: new Date().toISOString(),
    ...rest,
  }) as Operation;
const byId = ({ theirs }: World) => ({ theirs: { id: theirs.id }, absent: { id: absent } });
const none = {};

const table: { readonly [Name in CallName]: Row<Name> } = {
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
    success: async () => ({ body: {}, token: (await server.register()).refresh }),
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
    success: async () => {
      const email = freshEmail();
      const code = await codeFor(email);
      return { body: { email, code, password: newPassword, repassword: newPassword } };
    },
    holds: (data) => ({ id: data.id }),
    errors: {
      'a wrong code': [
        codes.wrongCode,
        async () => {
          const email = freshEmail();
          const code = (await codeFor(email)) === '123456' ? '654321' : '123456';
          return { body: { email, code, password: newPassword, repassword: newPassword } };
        },
      ],
      'a taken e-mail': [
        codes.emailTaken,
        async () => {
          const { email } = await server.register();
          const code = await codeFor(email);
          return { body: { email, code, password: newPassword, repassword: newPassword } };
        },
      ],
      'a weak password': [
        codes.weakPassword,
        () => ({
          body: { email: freshEmail(), code: '1', password: 'password', repassword: 'password' },
        }),
      ],
      'unequal passwords': [
        codes.passwordsDiffer,
        () => ({
          body: { email: freshEmail(), code: '1', password: newPassword, repassword: 'x' },
        }),
      ],
    },
  },
  'user/forgotPassword': {
    success: async () => {
      const { email } = await server.register();
      const code = await codeFor(email);
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
        async () => {
          const email = freshEmail();
          const code = await codeFor(email);
          return { body: { email, code, password: newPassword, repassword: newPassword } };
        },
      ],
      'a weak password': [
        codes.weakPassword,
        ({ owner }) => ({
          body: { email: owner.email, code: '1', password: 'short', repassword: 'short' },
        }),
      ],
      'unequal passwords': [
        codes.passwordsDiffer,
        ({ owner }) => ({
          body: { email: owner.email, code: '1', password: newPassword, repassword: 'x' },
        }),
      ],
    },
  },
  'user/updatePassword': {
    success: async () => {
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
      'unequal passwords': [
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
      'too long a name': [codes.badRequest, () => ({ body: { nickname: 'x'.repeat(41) } })],
    },
  },
  'user/updateAvatar': {
    success: async ({ owner }) => {
      const { data: leave } = await server.call(
        'oss/config',
        { type: 'avatar', ext: 'png' },
        { token: owner.access },
      );
      const picture = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
      await postObject(server, leave, new Uint8Array(picture));
      return { body: { avatar: `${leave.url}?t=1` } };
    },
    holds: (data) => ({ avatar: expect.stringContaining('/avatar/') && data.avatar }),
    errors: {
      'an address of another place': [
        codes.keyNotIssued,
        () => ({ body: { avatar: 'https://example.org/a.png' } }),
      ],
      'a picture that never arrived': [
        codes.objectMissing,
        async ({ owner }) => {
          const { data } = await server.call(
            'oss/config',
            { type: 'avatar', ext: 'png' },
            { token: owner.access },
          );
          return { body: { avatar: data.url } };
        },
      ],
    },
    foreign: async ({ other }) => {
      const { data } = await server.call(
        'oss/config',
        { type: 'avatar', ext: 'png' },
        { token: other.access },
      );
      return { theirs: { avatar: data.url }, absent: { avatar: `${data.url}x.png` } };
    },
  },
  'user/deactivation': {
    success: async () => ({ body: {}, token: (await server.register()).access }),
    holds: () => ({}),
    errors: none,
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
  'oss/config': {
    success: () => ({ body: { type: 'voice_file', ext: 'wav' } }),
    holds: () => ({ provider: 'local', key: expect.stringMatching(/\.wav$/) }),
    errors: {
      'a type of file that is not taken': [
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
      'a wrong field': [codes.badRequest, () => ({ body: form({ source: 'one' }) })],
    },
  },
  'upload/ossFile': {
    success: async () => ({ body: await uploaded('wav', wave) }),
    holds: () => ({ file_size: wave.length, ext: 'wav', status: null }),
    errors: {
      'an address of another place': [
        codes.keyNotIssued,
        () => ({ body: { url: 'https://example.org/x.wav', file_size: 1, client_flag: 'f' } }),
      ],
      'a file that never arrived': [
        codes.objectMissing,
        async ({ owner }) => {
          const { url } = await leaveFor(server, owner, 'wav');
          return { body: { url, file_size: 1, client_flag: crypto.randomUUID() } };
        },
      ],
      'another size': [
        codes.objectDiffers,
        async () => ({ body: { ...(await uploaded('wav', wave)), file_size: 5 } }),
      ],
      'another hash': [
        codes.objectDiffers,
        async () => ({ body: { ...(await uploaded('wav', wave)), sha256: '0'.repeat(64) } }),
      ],
      'a recording that was deleted for good': [
        codes.recordingDeleted,
        async ({ owner }) => {
          const file = await uploaded('wav', wave);
          const { data } = await server.call('upload/ossFile', file, { token: owner.access });
          await server.call('radio/batchDelete', { ids: [data.id] }, { token: owner.access });
          return { body: { ...(await uploaded('wav', wave)), client_flag: file.client_flag } };
        },
      ],
    },
    foreign: async ({ other }) => {
      const file = await uploaded('wav', wave, other);
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
    success: async ({ owner }) => {
      const { data: leave } = await server.call(
        'oss/config',
        { type: 'voice_file', ext: 'mp3' },
        { token: owner.access },
      );
      const recording = await uploadRecording(server, owner, await spoken(), { ext: 'ogg' });
      const uploadObj = await signCosPost(leave, {
        contentType: 'audio/mpeg',
        size: leave.maxSize,
      });
      return {
        body: {
          fileUrl: recording.url ?? '',
          postUrl: leave.uploadUrl,
          iurl: leave.url,
          uploadObj,
        },
      };
    },
    holds: (data) => ({ iurl: expect.stringContaining('.mp3'), file_size: data.file_size }),
    errors: {
      'an address of another place': [
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
    success: async () => {
      const { body } = await recorded();
      return { body: { ...body, name: 'Rounds' } };
    },
    holds: () => ({ name: 'Rounds' }),
    errors: {
      'too long a name': [
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
    success: recorded,
    holds: () => ({ is_del: 1 }),
    errors: { 'no id at all': [codes.notFound, () => ({ body: { id: 'x' } })] },
    foreign: byId,
  },
  'radio/batchDelete': {
    success: async () => ({ body: { ids: [(await recorded()).body.id] } }),
    holds: ({ ids }) => ({ ids: [ids[0]] }),
    errors: { 'no ids': [codes.badRequest, () => ({ body: { ids: [] } })] },
    foreign: ({ theirs }) => ({ theirs: { ids: [theirs.id] }, absent: { ids: [absent] } }),
  },
  'radio/recover': {
    success: async ({ owner }) => {
      const { body } = await recorded();
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
    success: async () => ({ body: { ...(await recorded()).body, language: 'en-GB' } }),
    holds: () => ({ language: 'en', status: 0 }),
    errors: {
      'a language nobody knows': [
        codes.languageUnavailable,
        async () => ({ body: { ...(await recorded()).body, language: 'ja' } }),
      ],
      'more minutes than there are': [
        codes.notEnoughMinutes,
        async ({ owner }) => {
          const long = toneWave(31 * 60, 800);
          const { id } = await uploadRecording(server, owner, long, { ext: 'wav' });
          return { body: { id, language: 'en' } };
        },
      ],
    },
    foreign: ({ theirs }) => ({
      theirs: { id: theirs.id, language: 'en' },
      absent: { id: absent, language: 'en' },
    }),
  },
  'task/summarize': {
    success: ({ mine }) => ({ body: { id: mine.taskId } }),
    holds: (data) => ({ id: data.id }),
    errors: {
      'no transcript': [
        codes.notTranscribed,
        async ({ owner }) => {
          const { body } = await recorded();
          const asked = { ...body, language: 'en' };
          await server.call('task/create', asked, { token: owner.access });
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
      'nothing to change': [
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
      'another number': [
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
    success: () => ({ body: { limit: 10 } }),
    holds: () => ({ changes: expect.any(Array), more: expect.any(Boolean) }),
    errors: {
      'a cursor that is none': [codes.badRequest, () => ({ body: { cursor: 'yesterday' } })],
    },
  },
  'device/index': { success: () => nothing(), holds: () => ({ page: 1 }), errors: none },
  'device/check': {
    success: async () => ({ body: { sn: await newDevice() } }),
    holds: () => ({ bound: 'none' }),
    errors: {
      'an unknown serial': [codes.deviceNotRegistered, () => ({ body: { sn: 'nobody' } })],
      'a recorder of another': [
        codes.deviceBoundElsewhere,
        async ({ other }) => ({ body: { sn: await newDevice(other) } }),
      ],
    },
  },
  'device/binding': {
    success: async () => ({ body: { sn: await newDevice() } }),
    holds: (data) => ({ sn: data.sn }),
    errors: {
      'an unknown serial': [codes.deviceNotRegistered, () => ({ body: { sn: 'nobody' } })],
      'a recorder of another': [
        codes.deviceBoundElsewhere,
        async ({ other }) => ({ body: { sn: await newDevice(other) } }),
      ],
    },
  },
  'device/unbinding': {
    success: async ({ owner }) => ({ body: { sn: await newDevice(owner) } }),
    holds: (data) => ({ sn: data.sn }),
    errors: {
      'a recorder of another': [
        codes.deviceNotYours,
        async ({ other }) => ({ body: { sn: await newDevice(other) } }),
      ],
      'a free recorder': [codes.deviceNotYours, async () => ({ body: { sn: await newDevice() } })],
    },
  },
  'user/leftMinute': {
    success: async () => ({ body: {}, token: (await server.register()).access }),
    holds: () => ({ left_minutes: 30, reserved_minutes: 0 }),
    errors: none,
  },
  'user/orderRecord': {
    success: () => ({ body: { page: 1, limit: 20 } }),
    holds: () => ({ page: 1, limit: 20 }),
    errors: { 'page 0': [codes.badRequest, () => ({ body: { page: 0 } })] },
  },
  'user/order': {
    success: async ({ owner }) => ({ body: { id: await ordered(owner) } }),
    holds: () => ({ plan: 'package_120', status: 'pending' }),
    errors: { 'no id at all': [codes.notFound, () => ({ body: { id: 'x' } })] },
    foreign: async ({ other }) => ({
      theirs: { id: await ordered(other) },
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
      'a return to another site': [
        codes.badRequest,
        () => ({ body: { plan: 'package_120', return_path: '//evil.example' } }),
      ],
    },
  },
  'user/cancelRenewal': {
    success: async () => {
      const { access } = await server.register();
      await buy(access, 'vip_monthly');
      return { body: {}, token: access };
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
      'a value that is none': [
        codes.badRequest,
        () => ({
          body: { group_name: 'radio_save_style', config_key: 'local', config_value: 'x' },
        }),
      ],
      'no place left': [
        codes.noStorageLocation,
        async () => {
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
      'nothing said': [codes.badRequest, () => ({ body: { content: ' ' } })],
      'a log from another place': [
        codes.keyNotIssued,
        () => ({ body: { content: 'x', log_url: 'https://example.org/x.log' } }),
      ],
    },
  },
};

function nothing(): Sent & { body: undefined } {
  return { body: undefined };
}

describe.each(Object.values(prefixes))('under %s', (prefix) => {
  describe.each(Object.keys(table) as CallName[])('%s', (name) => {
    const { success, holds, errors, foreign } = table[name] as Row<CallName>;
    const { auth, body: schema } = calls[name];

    it('succeeds', async () => {
      const sent = await success(world);
      const answer = await send(sent.body, sent.token ?? ownToken());
      expect(answer).toMatchObject({ code: codes.ok, msg: 'ok' });
      expect(answer.data).toMatchObject(holds(answer.data as never, world));
    });

    const cases = Object.entries(errors);
    if (cases.length > 0) {
      it.each(cases)('answers %s with its code', async (_, [code, make]) => {
        const { body, token } = await make(world);
        expect(await send(body, token ?? ownToken())).toMatchObject({ code, data: null });
      });
    }

    if (auth !== 'none') {
      it('wants a token: none, nonsense, and one of the wrong kind are refused', async () => {
        const { owner } = world;
        const wrongKind = auth === 'access' ? owner.refresh : owner.access;
        const { body } = await success(world);
        for (const token of [undefined, 'nonsense', 'a.b.c', wrongKind]) {
          const answer = await send(body, token);
          expect(answer).toMatchObject({ code: codes.tokenInvalid, data: null });
        }
      });
    }

    if (auth === 'access') {
      it('says when the token has expired', async () => {
        const { body } = await success(world);
        const { access } = world.owner;
        server.pass(accessTokenSeconds + 1);
        try {
          const answer = await send(body, access);
          expect(answer).toMatchObject({ code: codes.tokenExpired, data: null });
        } finally {
          server.pass(-accessTokenSeconds - 1);
        }
      });
    }

    if (foreign) {
      it("never tells another account's from what never was", async () => {
        const { theirs, absent: unknown } = await foreign(world);
        const before = JSON.stringify(await seenByOther());
        const [first, second] = [await send(theirs, ownToken()), await send(unknown, ownToken())];
        expect(first).toEqual(second);
        expect(JSON.stringify(first)).not.toContain(world.theirs.secret);
        expect(JSON.stringify(await seenByOther())).toBe(before);
      });
    }

    const wrong = wrongBodies(schema);
    if (wrong.length > 0 && !('form' in calls[name])) {
      it.each(wrong)('refuses %s', async (_, spoil) => {
        const sent = await success(world);
        const answer = await send(spoil(sent.body as object), sent.token ?? ownToken());
        expect(answer).toMatchObject({ code: codes.badRequest, data: null });
        expect(answer.msg).not.toBe('');
      });
    }

    function ownToken(): string | undefined {
      return auth === 'none' ? undefined : world.owner.access;
    }

    async function send(body: unknown, token: string | undefined): Promise<Answer<object>> {
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

/** What the other account sees of its own; nobody else's call may change it. */
async function seenByOther(): Promise<unknown> {
  const { theirs, other } = world;
  const token = { token: other.access };
  const { data: task } = await server.call('task/detail', { id: theirs.id }, token);
  const { data: list } = await server.call('task/index', { ids: [theirs.id] }, token);
  // Signed addresses follow the clock.
  return { task, list: list.list.map((row) => ({ ...row, url: null })) };
}

/** For each field of a body: the value of a wrong type, and the field left out where it has to be. */
function wrongBodies(schema: z.ZodType): [string, (body: object) => object][] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  }) as { properties?: Record<string, { type?: string }>; required?: string[] };
  const wrongTypes = Object.entries(properties).map(
    ([field, { type }]): [string, (body: object) => object] => {
      const value = type === 'string' ? { text: 'x' } : 'neither here nor there';
      return [`${field} of a wrong type`, (body) => ({ ...body, [field]: value })];
    },
  );
  const missing = required.map((field): [string, (body: object) => object] => [
    `a body without ${field}`,
    (body) => Object.fromEntries(Object.entries(body).filter(([key]) => key !== field)),
  ]);
  return [...wrongTypes, ...missing];
}
