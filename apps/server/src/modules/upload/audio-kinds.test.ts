/** Tests recordings whose audio is an MP3 or M4A file, from the upload to the transcript. */
import { randomUUID } from 'node:crypto';
import type { UploadGrant } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import { signCosPost } from '@linnet/contract/cos-post';
import { taskStatus } from '@linnet/contract/statuses';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeTones } from '../../../test/encoded-audio.ts';
import { type Account, startTestServer, type TestServer } from '../../../test/server.ts';
import {
  createTranscriptionDependencies,
  recognizedText,
  scriptedEngines,
} from '../../../test/transcription.ts';
import { grantFor, postObject, toneWave, uploadRecording } from '../../../test/uploads.ts';
import { findFfmpeg } from '../../audio/ffmpeg.ts';
import { transcribeJob } from '../../jobs/transcribe.ts';

let server: TestServer;
let account: Account;
let tones: Awaited<ReturnType<typeof encodeTones>>;
beforeAll(async () => {
  [server, tones] = await Promise.all([startTestServer({ FFMPEG: 'ffmpeg' }), encodeTones(4)]);
  account = await server.register();
});
afterAll(() => server.close());

const get = (url: string, headers = {}) => {
  const { pathname, search } = new URL(url);
  return server.app.inject({ url: pathname + search, headers });
};

it('the server reports the formats that it decodes', async () => {
  const { data } = await server.call('site/config');
  const withoutFfmpeg = ['opus', 'wave', 'g711'];
  expect(data.audio_kinds).toEqual([
    ...withoutFfmpeg,
    'mp3',
    'mp4',
    'aac',
    'flac',
    'vorbis',
    'webm',
  ]);
});

it.each([
  ['mp3', 'mp3', 'audio/mpeg'],
  ['mp4', 'm4a', 'audio/mp4'],
] as const)('an uploaded %s file is served, transcribed and converted', async (kind, ext, type) => {
  const bytes = tones[kind];
  // The client states a wrong duration, which the transcription corrects.
  const recording = await uploadRecording(server, account, bytes, { ext, totalTime: 3 });
  expect(recording).toMatchObject({ ext, mime_type: type, total_time: 3 });
  const served = await get(recording.url ?? '', { range: 'bytes=100-199' });
  expect(served.headers['content-type']).toBe(type);
  expect(served.rawPayload.equals(Buffer.from(bytes.subarray(100, 200)))).toBe(true);

  const token = { token: account.access };
  const task = await server.call('task/create', { id: recording.id, language: 'en' }, token);
  const engines = scriptedEngines(async () => recognizedText('The heron waits'));
  const ffmpeg = await findFfmpeg(server.config.FFMPEG);
  const transcribe = transcribeJob(createTranscriptionDependencies(server, { engines, ffmpeg }));
  await transcribe({ taskId: task.data.id }, new AbortController().signal);
  const { data } = await server.call('task/detail', { id: task.data.id }, token);
  expect(data.status).toBe(taskStatus.transcribed);
  const index = await server.call('task/index', { ids: [recording.id] }, token);
  expect(Math.abs((index.data.list[0]?.total_time ?? 0) - 4)).toBeLessThan(0.1);

  const target = await grantFor(server, account, 'mp3');
  const form = await signCosPost(target, { contentType: 'audio/mpeg', size: target.maxSize });
  const conversion = { postUrl: target.uploadUrl, iurl: target.url, uploadObj: form };
  const converted = await server.call(
    'convert',
    { fileUrl: index.data.list[0]?.url, ...conversion },
    token,
  );
  // 64 kbit/s: 8,000 bytes per second.
  expect(Math.abs(converted.data.file_size - 4 * 8000)).toBeLessThan(2000);
});

it('a file that doesn’t state its duration is charged by its decoded duration, whatever its size', async () => {
  const accountWithOneMinute = await server.register();
  await server.db
    .updateTable('minute_grants')
    .set({ minutes: 1 })
    .where('account_id', '=', accountWithOneMinute.id)
    .execute();
  // At the lowest bit rate of speech, a file of this size would last more than a minute.
  expect(tones.flac.length).toBeGreaterThan(60 * 750);
  const { id } = await uploadRecording(server, accountWithOneMinute, tones.flac, { ext: 'flac' });
  const token = { token: accountWithOneMinute.access };
  const task = await server.call('task/create', { id, language: 'en' }, token);
  const engines = scriptedEngines(async () => recognizedText('The heron waits'));
  const ffmpeg = await findFfmpeg(server.config.FFMPEG);
  const transcribe = transcribeJob(createTranscriptionDependencies(server, { engines, ffmpeg }));
  await transcribe({ taskId: task.data.id }, new AbortController().signal);
  const { data } = await server.call('task/detail', { id: task.data.id }, token);
  expect(data).toMatchObject({ status: taskStatus.transcribed, error: null });
  const { data: balance } = await server.call('user/leftMinute', {}, token);
  expect(balance).toMatchObject({ left_minutes: 0, reserved_minutes: 0 });
});

it('a server without ffmpeg accepts only Ogg and WAV, and fails to transcribe existing files in other formats', async () => {
  const { DATA_DIR, DATABASE_URL = '' } = server.config;
  const plainServer = await startTestServer({ DATA_DIR, DATABASE_URL });
  try {
    const grant = await plainServer.call(
      'oss/config',
      { type: 'voice_file', ext: 'mp3', recording: true },
      { token: account.access },
    );
    expect(grant).toMatchObject({
      code: codes.typeNotAccepted,
      msg: "This file type isn't accepted. Send one of: ogg, wav.",
    });
    const recording = await uploadRecording(server, account, tones.flac, { ext: 'flac' });
    const token = { token: account.access };
    const task = await plainServer.call('task/create', { id: recording.id, language: 'en' }, token);
    const transcribe = transcribeJob(createTranscriptionDependencies(plainServer));
    await transcribe({ taskId: task.data.id }, new AbortController().signal);
    const { data } = await plainServer.call('task/detail', { id: task.data.id }, token);
    expect(data.error?.code).toBe(codes.audioUnreadable);
  } finally {
    await plainServer.close();
  }
});

describe('a file that the server can’t decode is rejected when it is registered', () => {
  const text = (content: string) => new Uint8Array(Buffer.from(content, 'latin1'));
  const riff = (code: number, bits: number) => {
    const wave = toneWave(1);
    wave[20] = code;
    wave[34] = bits;
    return wave;
  };
  it.each<[string, string, () => Uint8Array<ArrayBuffer>]>([
    ['a playlist', 'mp3', () => text('#EXTM3U\n#EXTINF:3,\nhttp://127.0.0.1:9/\n'.padEnd(5000))],
    ['text', 'ogg', () => text('no audio at all')],
    ['text that begins like a WAV file', 'wav', () => text('RIFF?')],
    ['a WAV file truncated in its header', 'wav', () => toneWave(1).slice(0, 30)],
    ['WAV with ADPCM', 'wav', () => riff(17, 4)],
    ['WAV with 64-bit integers', 'wav', () => riff(1, 64)],
    ['WAV with 64-bit floats', 'wav', () => riff(3, 64)],
    ['Ogg Speex', 'ogg', () => text(`OggS\0\x02${'\0'.repeat(20)}\x01\x50Speex   `)],
  ])('%s', async (_what, ext, makeBytes) => {
    const bytes = makeBytes();
    const grant = await recordingGrant(ext);
    expect((await postObject(server, grant, bytes)).statusCode).toBe(204);
    const usedBytes = async () =>
      (await server.call('user/storage', {}, { token: account.access })).data.used_bytes;
    const before = await usedBytes();
    const response = await register(grant, bytes, ext);
    expect(response.code).toBe(codes.typeNotAccepted);
    expect(response.msg).toMatch(/^This file can't be read .* Ogg Opus, WAV, .*MP3, .*WebM\.$/);
    expect(await usedBytes()).toBe(before);
    // The object and its grant no longer exist.
    expect((await register(grant, bytes, ext)).code).toBe(codes.keyNotIssued);
  });

  it('Ogg Vorbis without ffmpeg', async () => {
    const { DATA_DIR, DATABASE_URL = '' } = server.config;
    const plainServer = await startTestServer({ DATA_DIR, DATABASE_URL });
    try {
      const grant = await recordingGrant('ogg');
      await postObject(server, grant, tones.vorbis);
      const response = await register(grant, tones.vorbis, 'ogg', plainServer);
      expect(response.code).toBe(codes.typeNotAccepted);
      expect(response.msg).not.toMatch(/Vorbis/);
    } finally {
      await plainServer.close();
    }
  });
});

it('registering a recording with a grant for a converted file reports the missing field', async () => {
  const grant = await grantFor(server, account, 'mp3');
  await postObject(server, grant, tones.mp3);
  expect(await register(grant, tones.mp3, 'mp3')).toMatchObject({
    code: codes.keyNotIssued,
    msg: 'This upload URL is for a converted file. Request an upload grant with "recording": true.',
  });
});

async function recordingGrant(ext: string): Promise<UploadGrant> {
  const body = { type: 'voice_file', ext, recording: true } as const;
  return (await server.call('oss/config', body, { token: account.access })).data;
}

function register(grant: UploadGrant, bytes: Uint8Array, ext: string, on = server) {
  const metadata = { name: 'A file', source: 1, sn: '', total_time: 3, client_flag: randomUUID() };
  return on.call(
    'upload/ossFile',
    { ...metadata, url: grant.url, file_size: bytes.length, ext, mime_type: '' },
    { token: account.access },
  );
}
