import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { writeWave } from '@linnet/audio/wave';
import { codes } from '@linnet/contract/codes';
import { taskStatus, voiceSetting } from '@linnet/contract/statuses';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder } from '../../../test/folder.ts';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import type { Phone } from '../../../test/sync.ts';
import { createPhone } from '../../../test/sync.ts';
import { speakerModels, writeModel } from '../../../test/tiny-models.ts';
import {
  createTranscriptionDependencies,
  recognizedText,
  scriptedEngines,
} from '../../../test/transcription.ts';
import { uploadRecording } from '../../../test/uploads.ts';
import { makeBackup } from '../../backup/backup.ts';
import { type TranscribeDependencies, transcribeJob } from '../../jobs/transcribe.ts';
import { createCheckpoints } from '../../pipeline/checkpoints.ts';
import { selectDiarizer } from '../../providers/speakers/index.ts';
import type { SpeakerDiarizer } from '../../providers/speakers/port.ts';
import { SPEECH_SAMPLE_RATE } from '../../providers/speech/port.ts';

// The engine and the pipeline are real. The models distinguish dull from bright tones by their spectra.
let server: TestServer;
let diarizer: SpeakerDiarizer;
let owner: Account;
let phone: Phone;
beforeAll(async () => {
  server = await startTestServer({ BILLING: 'off' });
  const modelsDir = await makeFolder();
  for (const model of speakerModels()) await writeModel(modelsDir, model);
  diarizer = selectDiarizer({ modelsDir });
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await server.register();
  phone = createPhone(server, owner);
});

/** Frequencies of the voices in hertz, with the strength of each. */
const spectra = {
  anna: { 2400: 1, 3100: 0.5 },
  ben: { 220: 1, 330: 0.4 },
} as const;
type Person = keyof typeof spectra;

/**
 * Generates four seconds of each person, each followed by a second of silence.
 * @param loudness relative to the normal loudness
 */
function conversation(people: readonly Person[], loudness = 1) {
  const seconds = 5;
  const samples = people.flatMap((person) =>
    Array.from({ length: seconds * SPEECH_SAMPLE_RATE }, (_, index) => {
      if (index >= (seconds - 1) * SPEECH_SAMPLE_RATE) return 0;
      const waves = Object.entries(spectra[person]).map(([hertz, strength]) => {
        return strength * Math.sin((2 * Math.PI * Number(hertz) * index) / SPEECH_SAMPLE_RATE);
      });
      return 6000 * loudness * waves.reduce((sum, wave) => sum + wave);
    }),
  );
  return writeWave(Int16Array.from(samples), SPEECH_SAMPLE_RATE);
}

const token = () => ({ token: owner.access });
const remember = (value: '0' | '1') =>
  phone.applyOne({
    type: 'setting.set',
    group_name: voiceSetting.group,
    config_key: voiceSetting.key,
    config_value: value,
  });

/** Uploads and transcribes a conversation. Returns the recording's client flag. */
async function addTranscribed(people: readonly Person[], loudness = 1): Promise<string> {
  const wave = conversation(people, loudness);
  const { id, client_flag } = await uploadRecording(server, owner, wave, { ext: 'wav' });
  await transcribe(id);
  return client_flag;
}
async function transcribe(
  id: string,
  again?: string,
  deps: Partial<TranscribeDependencies> = {},
): Promise<string> {
  const { data } = await server.call('task/create', { id, language: 'en', again }, token());
  const words = Array.from({ length: 20 }, (_, index) => `word${index}`).join(' ');
  const engines = scriptedEngines(async () => recognizedText(words));
  const run = transcribeJob(
    createTranscriptionDependencies(server, { engines, diarizer, ...deps }),
  );
  await run({ taskId: data.id }, new AbortController().signal);
  return data.id;
}
const name = (recording: string, speaker: string, name: string) =>
  phone.applyOne({ type: 'recording.speaker', recording, speaker, name });
const loadProposals = async (recording: string) => (await phone.recording(recording)).proposals;
const voices = async () => (await server.call('voice/list', {}, token())).data;
const exportVoices = async () => (await server.call('voice/export', {}, token())).data.list;
const forget = (name: string) => server.call('voice/forget', { name }, token());

/** Returns the account's stored embeddings in hex, as the database outputs them. */
async function storedEmbeddings(): Promise<string[]> {
  const rows = await server.db
    .selectFrom('speaker_voices')
    .select('embedding')
    .where('account_id', '=', owner.id)
    .execute();
  return rows.map(({ embedding }) => embedding.toString('hex'));
}

/** Makes a backup and returns the content of all of its tables. */
async function backedUpTables(): Promise<string> {
  const { config, databaseUrl: url, store, now } = server;
  const target = path.join(await makeFolder(), 'backup');
  await makeBackup({ config, url, store, now }, target);
  const tables = path.join(target, 'tables');
  const texts = (await readdir(tables)).map(async (file) =>
    gunzipSync(await readFile(path.join(tables, file))).toString(),
  );
  return (await Promise.all(texts)).join('\n');
}

describe('voices', { timeout: 60_000 }, () => {
  it('are recognized in other recordings if they were named in one', async () => {
    await remember('1');
    const first = await addTranscribed(['anna', 'ben']);
    // Transcribe it before the speakers of the first recording are named.
    const second = await addTranscribed(['ben', 'anna'], 0.7);
    expect(await loadProposals(second)).toEqual({});
    await name(first, '1', 'Anna');
    await name(first, '2', 'Ben');
    expect(await loadProposals(second)).toEqual({ 1: 'Ben', 2: 'Anna' });

    const third = await addTranscribed(['anna', 'ben', 'anna'], 1.2);
    const { proposals, speakers } = await phone.recording(third);
    expect(proposals).toEqual({ 1: 'Anna', 2: 'Ben' });
    expect(speakers).toEqual({});

    await name(third, '1', 'Anna');
    await name(third, '2', '');
    expect(await phone.recording(third)).toMatchObject({ speakers: { 1: 'Anna' }, proposals: {} });
    expect(await voices()).toMatchObject({
      list: [
        { name: 'Anna', recordings: 2 },
        { name: 'Ben', recordings: 1 },
      ],
      unnamed: 3,
    });
    // A dismissed name is not proposed again.
    await name(first, '2', 'Benjamin');
    expect(await loadProposals(third)).toEqual({});
    expect(await loadProposals(second)).toEqual({ 1: 'Benjamin', 2: 'Anna' });

    // Another account can neither see nor change them.
    const otherUser = { token: (await server.register()).access };
    const body = { name: 'Anna', to: 'Anna K.' };
    for (const call of ['voice/rename', 'voice/forget'] as const) {
      expect((await server.call(call, body, otherUser)).code).toBe(codes.notFound);
    }
    expect((await server.call('voice/export', {}, otherUser)).data.list).toEqual([]);

    // Renaming a voice renames the speaker everywhere.
    expect((await server.call('voice/rename', body, token())).data).toEqual({ recordings: 2 });
    expect((await phone.recording(first)).speakers).toEqual({ 1: 'Anna K.', 2: 'Benjamin' });
    expect((await phone.recording(third)).speakers).toEqual({ 1: 'Anna K.' });
    expect(await loadProposals(second)).toEqual({ 1: 'Benjamin', 2: 'Anna K.' });
  });

  it('neither name nor change the recordings of other accounts', async () => {
    await remember('1');
    const first = await addTranscribed(['anna', 'ben']);
    const second = await addTranscribed(['ben', 'anna'], 0.7);
    await name(first, '1', 'Anna');
    const { proposals, rev } = await phone.recording(second);
    expect(proposals).toEqual({ 2: 'Anna' });

    const firstPhone = phone;
    owner = await server.register();
    phone = createPhone(server, owner);
    await remember('1');
    await name(await addTranscribed(['anna', 'ben']), '2', 'Benedict');
    expect(await firstPhone.recording(second)).toMatchObject({ proposals, rev });
  });

  it('are not proposed again under a dismissed name, and dismissing keeps a name set on another device', async () => {
    await remember('1');
    const first = await addTranscribed(['anna', 'ben']);
    const second = await addTranscribed(['anna', 'ben'], 0.7);
    await name(first, '1', 'Anna');
    await name(first, '2', 'Ben');
    expect(await loadProposals(second)).toEqual({ 1: 'Anna', 2: 'Ben' });
    const { rev } = await phone.recording(second);
    await name(second, '1', 'Anna Berg');
    const dismissal = { type: 'recording.dismissProposal', recording: second, base_rev: rev };
    for (const speaker of ['1', '2']) {
      expect(await phone.applyOne({ ...dismissal, speaker })).toMatchObject({ outcome: 'applied' });
    }
    const expected = { speakers: { 1: 'Anna Berg' }, proposals: {} };
    expect(await phone.recording(second)).toMatchObject(expected);
    await name(first, '2', 'Benjamin');
    expect(await phone.recording(second)).toMatchObject(expected);
    // The user's decisions and open proposals are kept with another transcript.
    const { id, task } = await phone.recording(second);
    await transcribe(id, task?.id);
    expect(await phone.recording(second)).toMatchObject(expected);
    expect((await voices()).unnamed).toBe(1);
    const third = await phone.recording(await addTranscribed(['ben'], 0.8));
    expect(third.proposals).toEqual({ 1: 'Benjamin' });
    await transcribe(third.id, third.task?.id);
    expect(await loadProposals(third.client_flag)).toEqual({ 1: 'Benjamin' });
  });

  it('are stored only with the user’s consent', async () => {
    const recording = await addTranscribed(['anna', 'ben']);
    await name(recording, '1', 'Anna');
    expect(await storedEmbeddings()).toEqual([]);
    expect(await voices()).toEqual({ list: [], unnamed: 0 });
  });

  it.each([
    ['withdrawn', ['0']],
    ['withdrawn and given again', ['0', '1']],
  ] as const)('are not stored if the consent is %s while they are computed', async (_, values) => {
    await remember('1');
    const wave = conversation(['anna', 'ben']);
    const { id, client_flag } = await uploadRecording(server, owner, wave, { ext: 'wav' });
    const saved: object[] = [];
    const checkpoints = createCheckpoints(server.db);
    await transcribe(id, undefined, {
      diarizer: {
        ...diarizer,
        async embed(request) {
          const embeddings = await diarizer.embed(request);
          for (const value of values) await remember(value);
          return embeddings;
        },
      },
      checkpoints: {
        ...checkpoints,
        async save(taskId, step, output) {
          const stored = await checkpoints.save(taskId, step, output);
          if (step === 'speakers' && stored) saved.push(output, stored);
          return stored;
        },
      },
    });
    const turns = expect.any(Array);
    expect(saved).toEqual([{ turns, voices: expect.any(Object) }, { turns }]);
    expect(await storedEmbeddings()).toEqual([]);
    expect((await phone.recording(client_flag)).status).toBe(taskStatus.transcribed);
  });

  it('are deleted from the database and the next backup', async () => {
    await remember('1');
    // No other account has voices of this loudness.
    const first = await addTranscribed(['anna', 'ben'], 0.93);
    const second = await addTranscribed(['anna'], 0.84);
    await name(first, '1', 'Anna');
    await name(first, '2', 'Ben');
    const isAnna = ({ name, client_flag }: { name: string | null; client_flag: string }) =>
      name === 'Anna' || client_flag === second;
    const toHex = (embedding: readonly number[]) =>
      Buffer.from(Float32Array.from(embedding).buffer).toString('hex');
    const all = await exportVoices();
    const ofAnna = all.filter(isAnna).map(({ embedding }) => toHex(embedding));
    const ofBen = all.filter((voice) => !isAnna(voice)).map(({ embedding }) => toHex(embedding));
    expect([ofAnna.length, ofBen.length]).toEqual([2, 1]);
    expect((await storedEmbeddings()).toSorted()).toEqual([...ofAnna, ...ofBen].toSorted());
    const before = await backedUpTables();
    expect([...ofAnna, ...ofBen].every((embedding) => before.includes(embedding))).toBe(true);

    // The unnamed speaker for whom the name was proposed has the same voice.
    expect(await forget('Anna')).toMatchObject({ code: codes.ok, data: { embeddings: 2 } });
    expect(await storedEmbeddings()).toEqual(ofBen);
    const after = await backedUpTables();
    expect(ofAnna.some((embedding) => after.includes(embedding))).toBe(false);
    expect(ofBen.every((embedding) => after.includes(embedding))).toBe(true);
    expect(await loadProposals(second)).toEqual({});
    expect((await phone.recording(first)).speakers).toEqual({ 1: 'Anna', 2: 'Ben' });
    expect(await forget('Anna')).toMatchObject({ code: codes.notFound });
    expect((await voices()).list.map(({ name }) => name)).toEqual(['Ben']);

    // Turning the setting off deletes all voices, including voices computed by a transcription in progress.
    const { id, task } = await phone.recording(second);
    const again = { id, language: 'en', again: task?.id };
    const { data: running } = await server.call('task/create', again, token());
    const output = JSON.stringify({ turns: [], voices: { model: 'm', embeddings: [] } });
    const step = { task_id: running.id, step: 'speakers', output } as const;
    await server.db.insertInto('task_steps').values(step).execute();
    await remember('0');
    expect(await storedEmbeddings()).toEqual([]);
    const { output: left } = await server.db
      .selectFrom('task_steps')
      .select('output')
      .where('task_id', '=', running.id)
      .executeTakeFirstOrThrow();
    expect(left).toEqual({ turns: [] });
  });

  it('keep their names with another transcript, and are deleted with their recording or account', async () => {
    await remember('1');
    const recording = await addTranscribed(['anna', 'ben']);
    await name(recording, '2', 'Ben');
    const { id, task } = await phone.recording(recording);
    await transcribe(id, task?.id);
    expect(await voices()).toMatchObject({ list: [{ name: 'Ben', recordings: 1 }], unnamed: 1 });
    await phone.applyOne({ type: 'recording.delete', recording });
    expect(await storedEmbeddings()).toEqual([]);
    await addTranscribed(['ben']);
    expect(await storedEmbeddings()).toHaveLength(1);
    await sql`delete from accounts where id = ${owner.id}`.execute(server.db);
    expect(await storedEmbeddings()).toEqual([]);
  });
});
