import { readFile } from 'node:fs/promises';
import type { Task } from '@linnet/contract';
import type { CodeName } from '@linnet/contract/codes';
import { codes } from '@linnet/contract/codes';
import { taskStatus } from '@linnet/contract/statuses';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOgg } from '../../test/bombs.ts';
import { bells, createWave, music, noise } from '../../test/odd-audio.ts';
import type { Account, TestServer } from '../../test/server.ts';
import { startTestServer } from '../../test/server.ts';
import {
  createTranscriptionDependencies,
  recognizedText,
  scriptedEngines,
} from '../../test/transcription.ts';
import { toneWave, uploadRecording } from '../../test/uploads.ts';
import { transcribeJob } from '../jobs/transcribe.ts';
import type { SpeechEngines } from '../providers/speech/index.ts';
import { readScene } from '../providers/speech/scene-audio.ts';
import { selectVoiceDetector } from '../providers/voice/index.ts';

const neverAborts = new AbortController().signal;
/** Seconds of the scene to use: enough for the words in `sceneText`. */
const SECONDS = 4;
const scene = new URL('../../../virtual-recorder/scenes/microphone.ogg', import.meta.url);
/** Matches words in the first seconds of the scene. */
const sceneText = /plans? for the weekend/i;
let server: TestServer;
let account: Account;
let speech: Int16Array;
let ogg: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  server = await startTestServer();
  account = await server.register();
  speech = (await readScene('microphone')).samples.subarray(0, SECONDS * 16_000);
  ogg = new Uint8Array(await readFile(scene));
});
afterAll(() => server.close());

const fetchMinutes = async () =>
  (await server.call('user/leftMinute', {}, { token: account.access })).data;

/** Uploads and transcribes a file, using the worker's dependencies. Returns the ended task. */
async function uploadAndTranscribe(
  bytes: Uint8Array<ArrayBuffer>,
  ext: 'wav' | 'ogg',
  engines?: SpeechEngines,
): Promise<Task & { charged: number }> {
  const before = await fetchMinutes();
  const { id } = await uploadRecording(server, account, bytes, { ext });
  const token = { token: account.access };
  const { data } = await server.call('task/create', { id, language: 'en' }, token);
  const detector = selectVoiceDetector(server.config);
  const deps = createTranscriptionDependencies(server, { detector, ...(engines && { engines }) });
  await transcribeJob(deps)({ taskId: data.id }, neverAborts);
  const { data: task } = await server.call('task/detail', { id: data.id }, token);
  const after = await fetchMinutes();
  expect(after.reserved_minutes).toBe(0);
  return { ...task, charged: before.left_minutes - after.left_minutes };
}

const getText = (task: Task) => task.paragraphs.map(({ content }) => content).join(' ');
/** Returns a copy of a WAV file with a wrong size in its header. */
function withWrongSize(bytes: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer> {
  const copy = Buffer.from(bytes);
  copy.writeUInt32LE(size, 4);
  copy.writeUInt32LE(size, 40);
  return new Uint8Array(copy);
}

describe('the task ends without charge', () => {
  const silence = (seconds: number) => createWave(new Int16Array(seconds * 16_000));
  it.each<[string, CodeName, 'wav' | 'ogg', () => Uint8Array<ArrayBuffer>]>([
    ['one second of speech', 'audioTooShort', 'wav', () => createWave(speech.subarray(0, 16_000))],
    ['an empty file', 'audioEmpty', 'ogg', () => new Uint8Array()],
    ['a WAV file without samples', 'audioEmpty', 'wav', () => createWave(new Int16Array())],
    ['digital silence', 'noSpeech', 'wav', () => silence(10)],
    ['a minute of digital silence', 'noSpeech', 'wav', () => silence(60)],
    ['noise', 'noSpeech', 'wav', () => createWave(noise(10))],
    ['faint noise', 'noSpeech', 'wav', () => createWave(noise(10, 40))],
    ['a tone', 'noSpeech', 'wav', () => toneWave(10)],
    ['plucked strings', 'noSpeech', 'wav', () => createWave(music(10))],
    ['bells', 'noSpeech', 'wav', () => createWave(bells(20))],
    ['an Ogg file truncated in its header', 'audioUnreadable', 'ogg', () => ogg.slice(0, 40)],
    [
      'a WAV file at 2 kHz',
      'audioUnreadable',
      'wav',
      () => createWave(speech, { sampleRate: 2000 }),
    ],
    ['an Ogg file of an hour that announces 3 s', 'audioUnreadable', 'ogg', () => longOgg(3)],
  ])('for %s: %s', async (_what, reason, ext, createAudio) => {
    let wasRecognized = false;
    const engines = scriptedEngines(async () => {
      wasRecognized = true;
      return recognizedText('Unexpected speech.');
    });
    const task = await uploadAndTranscribe(createAudio(), ext, engines);
    expect(task).toMatchObject({ status: taskStatus.failed, minutes: 0, paragraphs: [] });
    expect(task.error?.code).toBe(codes[reason]);
    expect(task.error?.msg).toMatch(/^[A-Z].*\.$/);
    expect(task.charged).toBe(0);
    // Recognition costs time or money, so it must not be started.
    expect(wasRecognized).toBe(false);
  });

  it('if the engine recognizes no words', async () => {
    const engines = scriptedEngines(async () => ({ ...recognizedText(''), words: [] }));
    const task = await uploadAndTranscribe(createWave(speech), 'wav', engines);
    expect(task).toMatchObject({ error: { code: codes.noSpeech }, charged: 0 });
  });

  it('if the detected language is not supported', async () => {
    const engines = scriptedEngines(async () => recognizedText('goedemorgen allemaal', 'nl'));
    const task = await uploadAndTranscribe(createWave(speech), 'wav', engines);
    expect(task).toMatchObject({ error: { code: codes.languageUnavailable }, charged: 0 });
  });
});

describe('speech is transcribed and charged by its decoded length', () => {
  const stereo = () => {
    // Resampled to 44.1 kHz by nearest neighbor, with identical channels.
    const frames = Math.floor((speech.length * 44_100) / 16_000);
    const sampleAt = (index: number) =>
      speech[Math.floor((Math.floor(index / 2) * 16_000) / 44_100)] ?? 0;
    const interleaved = Int16Array.from({ length: frames * 2 }, (_, index) => sampleAt(index));
    return createWave(interleaved, { sampleRate: 44_100, channels: 2 });
  };
  /** Returns the speech, clipped at half of its peak. */
  const clipSpeech = () => {
    const halfPeak = speech.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0) / 2;
    return speech.map((sample) => Math.max(-halfPeak, Math.min(halfPeak, sample)));
  };
  it.each<[string, () => Uint8Array<ArrayBuffer>]>([
    ['clipped audio', () => createWave(clipSpeech())],
    ['stereo at 44.1 kHz', stereo],
    ['8-bit WAV', () => createWave(speech, { bits: 8 })],
    ['24-bit WAV', () => createWave(speech, { bits: 24 })],
    ['floating-point WAV', () => createWave(speech, { bits: 32, float: true })],
    ['a truncated WAV file', () => createWave(speech).slice(0, 44 + 3.5 * 32_000 + 1)],
    [
      'a WAV file with an oversized length in its header',
      () => withWrongSize(createWave(speech), 0xffff_fff0),
    ],
    [
      'a WAV file with an undersized length in its header',
      () => withWrongSize(createWave(speech), 3.5 * 32_000),
    ],
  ])('in %s', async (_what, createAudio) => {
    const task = await uploadAndTranscribe(createAudio(), 'wav');
    expect(task).toMatchObject({ status: taskStatus.transcribed, error: null, minutes: 1 });
    expect(getText(task)).toMatch(sceneText);
    expect(task.charged).toBe(1);
  });

  it('in a truncated Ogg file', async () => {
    const total = (await readScene('microphone')).samples.length / 16_000;
    const part = ogg.slice(0, Math.round((ogg.length * SECONDS) / total));
    const task = await uploadAndTranscribe(part, 'ogg');
    expect(task).toMatchObject({ status: taskStatus.transcribed, minutes: 1, charged: 1 });
    expect(getText(task)).toMatch(sceneText);
    const { total_time: seconds } = await server.db
      .selectFrom('recordings')
      .select('total_time')
      .where('id', '=', task.radio_file_id)
      .executeTakeFirstOrThrow();
    expect(seconds).toBeGreaterThan(SECONDS - 1);
    expect(seconds).toBeLessThan(SECONDS);
  });

  it('whatever length the header states', async () => {
    const minute = Int16Array.from(
      { length: 65 * 16_000 },
      (_, n) => speech[n % speech.length] ?? 0,
    );
    const engines = scriptedEngines(async () => recognizedText('As was said before.'));
    const short = await uploadAndTranscribe(
      withWrongSize(createWave(minute), 0x7fff_0000),
      'wav',
      engines,
    );
    expect(short).toMatchObject({ minutes: 2, charged: 2 });
  });
});

/** Returns an hour of 120 ms packets of two bytes each, in a file that declares the given number of seconds. */
const longOgg = (seconds: number) =>
  createOgg(
    Array.from({ length: 30_000 }, () => Uint8Array.of((3 << 3) | 3, 2)),
    seconds,
  );

it('ends the task before recognition if the audio exceeds the balance', async () => {
  const accountWithOneMinute = await server.register();
  const token = { token: accountWithOneMinute.access };
  await server.db
    .updateTable('minute_grants')
    .set({ minutes: 1 })
    .where('account_id', '=', accountWithOneMinute.id)
    .execute();
  // This is within the tolerance that applies to every file, but longer than a minute.
  const file = createOgg(
    Array.from({ length: 900 }, () => Uint8Array.of((3 << 3) | 3, 2)),
    50,
  );
  const { id } = await uploadRecording(server, accountWithOneMinute, file);
  const { data } = await server.call('task/create', { id, language: 'en' }, token);
  const engines = scriptedEngines(() => Promise.reject(new Error('unexpected recognition')));
  await transcribeJob(createTranscriptionDependencies(server, { engines }))(
    { taskId: data.id },
    neverAborts,
  );
  const { data: task } = await server.call('task/detail', { id: data.id }, token);
  expect(task.error?.code).toBe(codes.notEnoughMinutes);
  const { data: balance } = await server.call('user/leftMinute', {}, token);
  expect(balance).toMatchObject({ left_minutes: 1, reserved_minutes: 0 });
});

it('reserves the decoded length before recognition', async () => {
  const { id } = await uploadRecording(server, account, toneWave(65), { ext: 'wav' });
  const token = { token: account.access };
  // Set the length as declared by the client, for a file that doesn't declare one itself.
  await server.db.updateTable('recordings').set({ total_time: 3 }).where('id', '=', id).execute();
  const { data } = await server.call('task/create', { id, language: 'en' }, token);
  let reserved = 0;
  const engines = scriptedEngines(async () => {
    reserved = (await fetchMinutes()).reserved_minutes;
    return recognizedText('As was said before.');
  });
  await transcribeJob(createTranscriptionDependencies(server, { engines }))(
    { taskId: data.id },
    neverAborts,
  );
  expect(reserved).toBe(2);
});

it('fails a task whose file crashed the worker repeatedly', async () => {
  const { id } = await uploadRecording(server, account, createWave(speech), { ext: 'wav' });
  const token = { token: account.access };
  const { data } = await server.call('task/create', { id, language: 'en' }, token);
  // Simulate five crashed workers.
  await server.db.updateTable('tasks').set({ attempts: 5 }).where('id', '=', data.id).execute();
  await transcribeJob(createTranscriptionDependencies(server))({ taskId: data.id }, neverAborts);
  const { data: task } = await server.call('task/detail', { id: data.id }, token);
  expect(task).toMatchObject({ error: { code: codes.audioUnreadable }, minutes: 0 });
});
