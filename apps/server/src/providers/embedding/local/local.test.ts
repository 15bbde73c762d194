import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCliHere } from '../../../../test/run-cli.ts';
import { embeddingModel, noteModel, writeModel } from '../../../../test/tiny-models.ts';
import { readConfig } from '../../../config/index.ts';
import { openModels } from '../../../models/index.ts';
import { enginesFolder, findLlama } from '../../llama/installation.ts';
import { openLlama } from '../../llama/model.ts';
import { embedderContract } from '../contract-suite.ts';
import { selectEmbedder } from '../index.ts';
import type { Embedder } from '../port.ts';
import { createLocalEmbedder, type LocalEmbeddingOptions } from './index.ts';

let dataDir: string;
let shared: Embedder;
const opened: Embedder[] = [];
const opening = (embedder: Embedder) => {
  opened.push(embedder);
  return embedder;
};

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'linnet-embedder-'));
  const custom = path.join(dataDir, 'custom');
  const model = await writeModel(custom, embeddingModel());
  const installed = await runCliHere(['models', 'install', 'meanings', '--from', model], {
    DATA_DIR: dataDir,
  });
  expect(installed).toMatchObject({ code: 0, err: expect.any(String) });
  // A language model isn't an embedding model.
  await writeModel(path.join(dataDir, 'models'), noteModel('a-note'));
  const config = readConfig({ EMBEDDINGS: 'local', DATA_DIR: dataDir });
  const selected = selectEmbedder(config);
  if (selected === null) throw new Error('no embedder');
  shared = opening(selected);
});
afterAll(async () => {
  for (const embedder of opened) await embedder.close?.();
  await rm(dataDir, { recursive: true, force: true });
});

const local = (options: Partial<LocalEmbeddingOptions> = {}) =>
  opening(
    createLocalEmbedder({
      models: openModels(path.join(dataDir, 'models')),
      engines: enginesFolder(dataDir),
      prefixes: { passage: '', question: '' },
      ...options,
    }),
  );
const request = { kind: 'passage', texts: ['The heron waits.'] } as const;

describe('local embedder', () => {
  embedderContract(() => shared);

  it('is identified by its model and the content of its file', async () => {
    expect((await shared.embed(request)).model).toMatch(/^local\/meanings@[0-9a-f]{8}:288$/);
    expect(await shared.missing?.()).toBeNull();
  });

  it('computes the same vector for the same text, and a different vector with a prefix', async () => {
    const [first] = (await shared.embed(request)).vectors;
    expect((await shared.embed(request)).vectors[0]).toEqual(first);
    const prefixed = local({ prefixes: { passage: 'passage:', question: '' } });
    expect((await prefixed.embed(request)).vectors[0]).not.toEqual(first);
  });

  it('fails if the engine or the model is missing', async () => {
    for (const options of [
      { engines: path.join(dataDir, 'none') },
      { model: 'a-note' },
      { models: openModels(path.join(dataDir, 'none')) },
    ]) {
      const embedder = local(options);
      await expect(embedder.embed(request)).rejects.toMatchObject({ code: 'engine-missing' });
      expect(await embedder.missing?.()).toMatch(/ is (not )?installed$/);
    }
  });

  it('fails if an answer takes too long', async () => {
    await expect(local({ limits: { seconds: 0.01 } }).embed(request)).rejects.toMatchObject({
      code: 'engine-failed',
    });
  });

  it('uses another model once it is installed', async () => {
    const folder = await mkdtemp(path.join(dataDir, 'models-'));
    await writeModel(folder, embeddingModel('second'));
    const embedder = local({ models: openModels(folder) });
    expect((await embedder.embed(request)).model).toContain('local/second@');
    await writeModel(folder, embeddingModel('first'));
    expect((await embedder.embed(request)).model).toContain('local/first@');
  });
});

it('a process started for embeddings completes no chat, and vice versa', async () => {
  const open = (purpose: 'chat' | 'embedding') =>
    openLlama({
      engine: findLlama(enginesFolder(dataDir)) ?? '',
      file: path.join(dataDir, 'models/meanings/model.gguf'),
      ...{ modelBytes: 1e6, contextTokens: 512, purpose },
    });
  const [chat, embedding] = [open('chat'), open('embedding')];
  try {
    await expect(chat.embed(['text'])).rejects.toMatchObject({ code: 'engine-crashed' });
    const completed = embedding.complete([{ role: 'user', content: 'Hello' }], { type: 'string' });
    await expect(completed).rejects.toMatchObject({ code: 'engine-crashed' });
    expect(await embedding.describe()).toMatchObject({ dimensions: 288 });
  } finally {
    await chat.close();
    await embedding.close();
  }
});
