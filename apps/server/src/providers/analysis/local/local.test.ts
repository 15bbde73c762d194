import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { codes } from '@linnet/contract/codes';
import { taskStatus } from '@linnet/contract/statuses';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../../../test/free-port.ts';
import { runCliHere } from '../../../../test/run-cli.ts';
import { startTestServer } from '../../../../test/server.ts';
import { TINY_CONTEXT } from '../../../../test/tiny-gguf.ts';
import { noteModel, toneModel, writeModel } from '../../../../test/tiny-models.ts';
import {
  createTranscriptionDependencies,
  recognizedText,
  scriptedEngines,
} from '../../../../test/transcription.ts';
import { toneWave, uploadRecording } from '../../../../test/uploads.ts';
import { readConfig } from '../../../config/index.ts';
import { summarizeJob } from '../../../jobs/summarize.ts';
import { transcribeJob } from '../../../jobs/transcribe.ts';
import { knownModels, openModels } from '../../../models/index.ts';
import { createSummaries } from '../../../modules/task/summary.ts';
import { enginesFolder, findLlama } from '../../llama/installation.ts';
import { type LlamaModel, type LlamaOptions, openLlama } from '../../llama/model.ts';
import { analyzerContract } from '../contract-suite.ts';
import { selectAnalyzer } from '../index.ts';
import type { AnalysisParagraph, AnalyzeRequest, TranscriptAnalyzer } from '../port.ts';
import { createLocalAnalyzer, type LocalAnalysisOptions } from './index.ts';

/** A single installation for all tests, created by the real command with npm. */
let dataDir: string;
let installed: Awaited<ReturnType<typeof runCliHere>>;
const cli = (...args: string[]) => runCliHere(args, { DATA_DIR: dataDir });

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'linnet-local-'));
  const model = await writeModel(path.join(dataDir, 'custom'), noteModel());
  installed = await cli('models', 'install', 'notes', '--from', model);
});

const opened: { close?(): Promise<void> }[] = [];
const closing = <Opened extends { close?(): Promise<void> }>(item: Opened): Opened => {
  opened.push(item);
  return item;
};
const closeAll = async () => {
  for (const item of opened.splice(0)) await item.close?.();
};
afterEach(() => {
  vi.unstubAllEnvs();
});
afterAll(async () => {
  await closeAll();
  await rm(dataDir, { recursive: true, force: true });
});

const modelFile = () => path.join(dataDir, 'models/notes/model.gguf');
const llamaOptions = (options: Partial<LlamaOptions> = {}): LlamaOptions => ({
  engine: findLlama(enginesFolder(dataDir)) ?? '',
  file: modelFile(),
  modelBytes: 1e6,
  purpose: 'chat',
  contextTokens: TINY_CONTEXT,
  ...options,
});
const llama = (options: Partial<LlamaOptions> = {}) => closing(openLlama(llamaOptions(options)));

const localOptions = (options: Partial<LocalAnalysisOptions> = {}): LocalAnalysisOptions => ({
  models: openModels(path.join(dataDir, 'models')),
  engines: enginesFolder(dataDir),
  contextTokens: TINY_CONTEXT,
  ...options,
});
const local = (options: Partial<LocalAnalysisOptions> = {}, openModel?: typeof openLlama) =>
  closing(createLocalAnalyzer(localOptions(options), openModel));

function paragraphs(...texts: string[]): AnalysisParagraph[] {
  return texts.map((text, index) => ({
    ...{ id: `paragraph-${index}`, start: index * 10, end: index * 10 + 9 },
    text,
  }));
}

const meeting = paragraphs(
  'Welcome to the meeting about the harbour. We decided to paint the lighthouse white.',
  'I will call the painter by Friday. The paint costs 1,250 euros.',
  'Who has the keys of the lighthouse?',
);
const longMeeting = paragraphs(
  ...Array.from(
    { length: 24 },
    (_, index) =>
      `We counted ${index + 1} herons at the lighthouse, and the` +
      ' keeper says that each of them waits for the same fish to come back in the evening.',
  ),
);
const request = (more: Partial<AnalyzeRequest> = {}): AnalyzeRequest => ({
  ...{ paragraphs: meeting, language: 'en', structures: [] },
  recordedAt: new Date('2026-03-02T09:00:00Z'),
  ...more,
});

/** Returns whether a process exists. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('installation', () => {
  it('installs the engine with the first language model, without CUDA and Vulkan', async () => {
    expect(installed).toMatchObject({
      code: 0,
      out: expect.stringContaining('notes is installed'),
      err: '',
    });
    const entry = findLlama(enginesFolder(dataDir));
    expect(entry).not.toBeNull();
    const modules = path.resolve(entry ?? '', '../../../@node-llama-cpp');
    expect(await readdir(modules)).toHaveLength(1);
    expect((await cli('models', 'list')).out).toMatch(/^notes\tlanguage\t\t0\.9 MB\tintact$/m);
    expect((await readdir(enginesFolder(dataDir))).filter((name) => name.startsWith('.'))).toEqual(
      [],
    );
  });

  it('needs npm only once, and not for other models', async () => {
    vi.stubEnv('PATH', '');
    const anotherModel = await writeModel(path.join(dataDir, 'custom'), noteModel('others'));
    expect(await cli('models', 'install', 'others', '--from', anotherModel)).toMatchObject({
      code: 0,
    });
    expect(await cli('models', 'remove', 'others')).toMatchObject({ code: 0 });
    const freshEnvironment = { DATA_DIR: path.join(dataDir, 'fresh') };
    const failed = await runCliHere(
      ['models', 'install', 'others', '--from', anotherModel],
      freshEnvironment,
    );
    expect(failed).toMatchObject({ code: 1, err: expect.stringContaining('npm') });
    vi.unstubAllEnvs();
    vi.stubEnv('npm_config_registry', `http://127.0.0.1:${await freePort()}/`);
    vi.stubEnv('npm_config_cache', path.join(dataDir, 'cache'));
    vi.stubEnv('npm_config_fetch_retries', '0');
    const offline = await runCliHere(
      ['models', 'install', 'others', '--from', anotherModel],
      freshEnvironment,
    );
    expect(offline).toMatchObject({ code: 1, err: expect.stringContaining('npm is offline') });
    const tones = await writeModel(path.join(dataDir, 'custom'), toneModel());
    expect(
      await runCliHere(['models', 'install', 'tones', '--from', tones], freshEnvironment),
    ).toMatchObject({
      code: 0,
    });
  });
});

describe('an installed catalog model', () => {
  it('is not downloaded again for a new version of the engine', async () => {
    const [known] = knownModels.filter(({ kind }) => kind === 'language').slice(-1);
    if (!known) throw new Error('the catalog has no language model');
    const folder = await writeModel(path.join(dataDir, 'models'), noteModel(known.name));
    const file = path.join(folder, 'model.json');
    const source = { address: 'x', sha256: known.download.sha256, trust: 'catalogue' };
    const manifest = { ...JSON.parse(await readFile(file, 'utf8')), source };
    await writeFile(file, JSON.stringify(manifest));
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    const install = () =>
      runCliHere(['models', 'install', known.name], { DATA_DIR: dataDir, MODELS_URL: nowhere });
    expect(await install()).toMatchObject({
      code: 0,
      out: expect.stringContaining('is installed'),
    });
    await rm(path.join(dataDir, 'models', known.name), { recursive: true });
  });
});

describe('local analyzer', () => {
  let shared: TranscriptAnalyzer;
  beforeAll(() => {
    shared = closing(selectAnalyzer(readConfig({ LLM: 'local', DATA_DIR: dataDir })));
  });
  analyzerContract(() => shared, meeting);

  it('is named after its model, and its items cite paragraphs', async () => {
    const { document, engine } = await shared.analyze(request({ structures: ['meeting'] }));
    expect(engine).toBe('local/notes');
    expect(await shared.missing?.()).toBeNull();
    expect(document.kind).toBe('generative');
    expect(document.structures.meeting?.sections.map(({ heading }) => heading)).toContain(
      'decisions',
    );
    // The model is bad: the quotations that it makes up are removed.
    expect(document.todos).toMatchObject([{ text: 'note', who: null, due: null }]);
    expect(document.finance).toEqual([]);
  });

  it('reads a transcript that exceeds the context in parts, and merges the notes', async () => {
    const progress: number[] = [];
    const { document, title } = await shared.analyze(
      request({ paragraphs: longMeeting, onProgress: (fraction) => progress.push(fraction) }),
    );
    // One report per part, and one at the end.
    expect(progress.length).toBeGreaterThanOrEqual(4);
    expect(progress.at(-1)).toBe(1);
    expect(document.todos).toHaveLength(progress.length - 1);
    expect(title).toBe('note');
  });

  it('fails if the engine or the model is missing', async () => {
    const missing = { code: 'engine-missing', retryable: false };
    for (const options of [
      { engines: path.join(dataDir, 'none') },
      { model: 'parrot' },
      { models: openModels(path.join(dataDir, 'none')) },
    ]) {
      const analyzer = local(options);
      await expect(analyzer.analyze(request())).rejects.toMatchObject(missing);
      expect(await analyzer.missing?.()).toMatch(/ is (not )?installed$/);
    }
  });

  it('fails if an answer takes too long, or memory is insufficient', async () => {
    const failed = { code: 'engine-failed', retryable: false };
    await expect(local({ limits: { seconds: 0.1 } }).analyze(request())).rejects.toMatchObject({
      ...failed,
      // On a busy machine, the analysis may time out before the request.
      message: expect.stringMatching(/timeout|not finished/),
    });
    if (process.platform !== 'linux') return;
    await expect(local({ limits: { memoryMiB: 900 } }).analyze(request())).rejects.toMatchObject(
      failed,
    );
  });

  it('fails if the models folder cannot be read', async () => {
    const analyzer = local({ models: openModels(modelFile()) });
    const detail = `can't read ${modelFile()}`;
    await expect(analyzer.analyze(request())).rejects.toMatchObject({
      ...{ code: 'engine-missing', detail },
    });
    expect(await analyzer.missing?.()).toBe(detail);
  });

  it('can be aborted', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const onProgress = () => controller.abort();
    const aborted = { code: 'aborted' };
    const analysis = shared.analyze(request({ paragraphs: longMeeting, signal, onProgress }));
    await expect(analysis).rejects.toMatchObject(aborted);
  });

  it('continues with its model while a different one is installed', async () => {
    const folder = await mkdtemp(path.join(dataDir, 'models-'));
    await writeModel(folder, noteModel('second'));
    const events: string[] = [];
    const first = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    const analyzer = local({ models: openModels(folder) }, ({ file }) => {
      const name = path.basename(path.dirname(file));
      return {
        describe: async () => ({
          ...{ event: 'described', pid: 1, contextTokens: TINY_CONTEXT, dimensions: 1 },
        }),
        countTokens: async (texts) => texts.map(() => 1),
        async complete() {
          if (name === 'second') {
            first.resolve();
            await answered.promise;
          }
          events.push(`${name} answers`);
          const overview = [{ text: 'note', source: 'p1' }];
          const text = JSON.stringify({ title: 'note', sections: { overview } });
          return { event: 'completed', text, end: 'complete' };
        },
        embed: async () => [],
        async close() {
          events.push(`${name} is closed`);
        },
      };
    });
    const earlierAnalysis = analyzer.analyze(request());
    await Promise.race([first.promise, earlierAnalysis]);
    await writeModel(folder, noteModel('first'));
    expect(await analyzer.analyze(request())).toMatchObject({ engine: 'local/first' });
    answered.resolve();
    expect(await earlierAnalysis).toMatchObject({ engine: 'local/second' });
    expect(events).toEqual(['first answers', 'second answers', 'second is closed']);
  });
});

describe('language model process', () => {
  let shared: LlamaModel;
  beforeAll(() => {
    shared = llama();
  });

  it('has an address space limit, and answers one request at a time', async () => {
    const schema = (name: string) => ({
      type: 'object',
      properties: { [name]: { type: 'string', maxLength: 9 } },
    });
    const messages = [{ role: 'user', content: 'Hello' }] as const;
    const [first, { pid, contextTokens }, second] = await Promise.all([
      shared.complete(messages, schema('first')),
      shared.describe(),
      shared.complete(messages, schema('second')),
    ]);
    expect([first, second]).toEqual([
      { event: 'completed', text: '{"first":"note"}', end: 'complete' },
      { event: 'completed', text: '{"second":"note"}', end: 'complete' },
    ]);
    expect(contextTokens).toBe(TINY_CONTEXT);
    if (process.platform !== 'linux') return;
    const limits = await readFile(`/proc/${pid}/limits`, 'utf8');
    const [, bytes] = /^Max address space +(\d+)/m.exec(limits) ?? [];
    expect(Number(bytes) / 2 ** 30).toBeGreaterThan(3);
    expect(Number(bytes) / 2 ** 30).toBeLessThan(6);
  });

  it('reports a request or an answer that exceeds the context', async () => {
    const content = 'a'.repeat(TINY_CONTEXT);
    const messages = [{ role: 'user', content }] as const;
    expect(await shared.complete(messages, { type: 'string' })).toMatchObject({ end: 'too-long' });
    const endlessSchema = { type: 'array', items: { type: 'string' }, minItems: 300 };
    const short = [{ role: 'user', content: 'a'.repeat(TINY_CONTEXT - 350) }] as const;
    const { end, text } = await shared.complete(short, endlessSchema);
    expect(end).toBe('truncated');
    expect(text).toMatch(/^\["note","note"/);
  });

  it('reports the text while it is written', async () => {
    const texts: string[] = [];
    const { text } = await shared.complete(
      [{ role: 'user', content: 'Hello' }],
      { type: 'array', items: { type: 'string' }, minItems: 20, maxItems: 20 },
      undefined,
      (written) => texts.push(written),
    );
    expect(texts.length).toBeGreaterThan(0);
    for (const each of texts) expect(text.startsWith(each)).toBe(true);
    await shared.complete([{ role: 'user', content: 'Hello' }], { type: 'string', maxLength: 9 });
    expect(texts.every((each) => each.startsWith('['))).toBe(true);
  });

  it('counts tokens', async () => {
    // Each byte is a token of this model.
    expect(await shared.countTokens(['', 'abc', 'ü'])).toEqual(
      [0, 4, 3].map((n) => (n === 0 ? 0 : n)),
    );
  });

  it('is replaced before a request if it is old, and stops when it is idle', async () => {
    const model = llama({ renewedSeconds: 0, idleSeconds: 0.2 });
    const first = await model.describe();
    const second = await model.describe();
    expect(second.pid).not.toBe(first.pid);
    expect(isRunning(first.pid)).toBe(false);
    await expect.poll(() => isRunning(second.pid)).toBe(false);
  });

  it('can be aborted while a request waits for its turn', async () => {
    const endlessCompletion = shared.complete([{ role: 'user', content: 'Hello' }], {
      ...{ type: 'array', items: { type: 'string' }, minItems: 100 },
    });
    let isAnswered = false;
    const answered = endlessCompletion.finally(() => {
      isAnswered = true;
    });
    const controller = new AbortController();
    const waiting = shared.describe(controller.signal);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
    expect(isAnswered).toBe(false);
    expect(await answered).toMatchObject({ event: 'completed' });
  });

  it.runIf(process.platform === 'linux')(
    'is not reported as a damaged model if memory is insufficient',
    async () => {
      const file = path.join(dataDir, 'large.gguf');
      await writeFile(file, await readFile(modelFile()));
      // The engine maps the file into memory, including sparse parts that aren't stored on disk.
      await truncate(file, 2 ** 33);
      const failed = { code: 'engine-crashed' };
      await expect(llama({ file }).describe()).rejects.toMatchObject(failed);
      await rm(file);
    },
  );

  it('rejects a file that is not a model', async () => {
    const file = path.join(dataDir, 'broken.gguf');
    await writeFile(file, (await readFile(modelFile())).subarray(0, 100_000));
    await expect(llama({ file }).describe()).rejects.toMatchObject({ code: 'model-corrupt' });
  });
});

describe('transcription with a local model', () => {
  it('gets its summary afterwards, or the built-in summary if the process is killed first', async () => {
    const server = await startTestServer();
    try {
      const owner = await server.register();
      const token = { token: owner.access };
      let isKilled = false;
      const analyzer = local({}, (options) => {
        const model = openLlama(options);
        return {
          ...model,
          async complete(...request) {
            const { pid } = await model.describe();
            // By then, the request has been sent.
            if (isKilled) setImmediate(() => process.kill(pid, 'SIGKILL'));
            return model.complete(...request);
          },
        };
      });
      const text = 'We have to water the orchids. Who has the key? Nobody knows.';
      const engines = scriptedEngines(async () => recognizedText(text));
      const deps = createTranscriptionDependencies(server, { engines, analyzer });
      const summaries = createSummaries(server);
      const summarize = summarizeJob({ ...deps, summaries });
      const { signal } = new AbortController();
      const detail = async (id: string) => (await server.call('task/detail', { id }, token)).data;
      const { id } = await uploadRecording(server, owner, toneWave(5), { ext: 'wav' });
      const { data: task } = await server.call('task/create', { id, language: 'en' }, token);
      const builtin = { engine: 'builtin', kind: 'extractive' };
      await transcribeJob(deps)({ taskId: task.id }, signal);
      expect(await detail(task.id)).toMatchObject({
        ...{ status: taskStatus.transcribed, summary_json: builtin },
        summarizing: { status: taskStatus.queued },
      });
      isKilled = true;
      await summarize({ taskId: task.id }, signal);
      expect(await detail(task.id)).toMatchObject({
        ...{ status: taskStatus.transcribed, summary_json: builtin },
        summarizing: { status: taskStatus.failed, error: { code: codes.summaryFailed } },
      });
      isKilled = false;
      await server.call('task/summarize', { id }, token);
      await summarize({ taskId: task.id }, signal);
      expect(await detail(task.id)).toMatchObject({
        ...{ title: 'note', summary_json: { engine: 'local/notes', kind: 'generative' } },
        summarizing: { status: taskStatus.transcribed },
      });
    } finally {
      await server.close();
    }
  });
});
