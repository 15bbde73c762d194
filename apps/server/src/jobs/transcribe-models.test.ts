import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { writeWave } from '@linnet/audio/wave';
import { codes } from '@linnet/contract/codes';
import { taskStatus } from '@linnet/contract/statuses';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account, TestServer } from '../../test/server.ts';
import { startTestServer } from '../../test/server.ts';
import { loudModel, speakerModels, toneModel, writeModel } from '../../test/tiny-models.ts';
import { synthesizeTones, type ToneWord } from '../../test/tiny-onnx.ts';
import { uploadRecording } from '../../test/uploads.ts';
import { startWorker, stopWorker, waitForTask } from '../../test/worker.ts';
import { installModel } from '../models/index.ts';

let server: TestServer;
let account: Account;
let worker: ChildProcess;
let folder: string;
const logged: string[] = [];
beforeAll(async () => {
  server = await startTestServer();
  account = await server.register();
  folder = path.join(server.config.DATA_DIR, 'models');
  for (const model of [toneModel(), loudModel(), ...speakerModels()]) await install(model);
  worker = await startWorker(server, { ASR: 'sherpa', LLM: 'local' }, logged);
});
afterAll(async () => {
  await stopWorker(worker);
  await server.close();
});

async function install(model: Parameters<typeof writeModel>[1]) {
  const from = await writeModel(path.join(server.config.DATA_DIR, 'own'), model);
  await installModel({ folder, name: model.name, from, now: () => new Date() });
}

/** Low tones followed by high tones. The models recognize them as the words of two speakers. */
const spokenWords: readonly ToneWord[] = Array.from({ length: 24 }, (_, index) =>
  index < 12 ? 'alpha' : 'echo',
);

async function transcribe() {
  const wave = new Uint8Array(writeWave(synthesizeTones(spokenWords).samples, 16_000));
  const { id } = await uploadRecording(server, account, wave, { ext: 'wav' });
  const create = { id, language: 'en' } as const;
  const { data } = await server.call('task/create', create, { token: account.access });
  return waitForTask(server, account, data.id);
}

describe('worker with models', { timeout: 600_000 }, () => {
  it('transcribes with the installed models', async () => {
    const task = await transcribe();
    expect(task).toMatchObject({ status: taskStatus.transcribed, engine: 'sherpa/tones' });
    const recognizedWords = task.paragraphs.flatMap(({ words = [] }) =>
      words.map(({ text }) => text),
    );
    const normalizedWords = recognizedWords.map((text) => text.toLowerCase().replace(/\W/g, ''));
    expect(normalizedWords).toEqual(spokenWords);
    expect(new Set(task.paragraphs.map(({ speaker }) => speaker)).size).toBe(2);
    // A transcript doesn't wait for a local language model, and none is installed.
    expect(task).toMatchObject({
      summary_json: { engine: 'builtin' },
      summarizing: { status: taskStatus.queued, error: null },
    });
    await sql`update pgboss.job set start_after = now() where name = 'summarize'`.execute(
      server.db,
    );
    const loadState = async () => {
      const token = { token: account.access };
      return (await server.call('task/detail', { id: task.id }, token)).data.summarizing;
    };
    await expect.poll(loadState, { timeout: 60_000 }).toMatchObject({
      ...{ status: taskStatus.failed, error: { code: codes.summaryMisconfigured } },
    });
    await expect.poll(() => logged.join('\n')).toContain('the language model is missing');
  });

  it('fails a task whose model crashes the engine and continues with the next', async () => {
    const garbage = Buffer.from('this is no model, although its checksum is right'.repeat(40));
    await install({ ...toneModel(), files: { ...toneModel().files, model: garbage } });
    const failed = await transcribe();
    expect(failed).toMatchObject({
      status: taskStatus.failed,
      error: { code: codes.engineMisconfigured },
    });
    expect(logged.join('\n')).toContain('model-corrupt');
    await install(toneModel());
    expect((await transcribe()).status).toBe(taskStatus.transcribed);
    expect(worker.exitCode).toBeNull();
  });
});
