/** The embedder that uses a model on this machine. Transcripts and questions don't leave the machine. */
import path from 'node:path';
import { Mutex } from '@linnet/base';
import {
  type InstalledModel,
  ModelFailure,
  type ModelStore,
  modelBytes,
} from '../../../models/index.ts';
import { findLlama, LLAMA_PACKAGE } from '../../llama/installation.ts';
import { type LlamaModel, type LlamaOptions, openLlama, rejectOnAbort } from '../../llama/model.ts';
import { EMBEDDED_TOKENS } from '../../llama/protocol.ts';
import { SpeechFailure, type SpeechFailureCode } from '../../speech/port.ts';
import { createEmbedder, type EmbedderDependencies } from '../embedder.ts';
import { type Embedder, EmbeddingFailure, type EmbeddingFailureCode } from '../port.ts';

export interface LocalEmbeddingOptions
  extends Pick<EmbedderDependencies, 'prefixes' | 'dimensions'>,
    Pick<LlamaOptions, 'idleSeconds' | 'limits'> {
  readonly models: ModelStore;
  /** Folder for engines installed on demand. */
  readonly engines: string;
  /** Name of an installed embedding model, by default the first. */
  readonly model?: string | undefined;
}

/**
 * Idle timeout of the process in seconds. It is long, because embedding models are small, and a question can't wait for
 * one to load.
 */
const defaultIdleSeconds = 900;

/**
 * Computes embeddings with an installed model in a process. An aborted request is still computed, because stopping the
 * process would unload the model.
 */
export function createLocalEmbedder(options: LocalEmbeddingOptions): Embedder {
  const mutex = new Mutex();
  let current: { readonly file: string; readonly llama: LlamaModel } | null = null;

  async function close(): Promise<void> {
    const closing = current;
    current = null;
    await closing?.llama.close();
  }

  /** Opens the installed model, closing a previously used model. */
  async function open() {
    const engine = findLlama(options.engines);
    if (engine === null) throw new EmbeddingFailure('engine-missing', missingEngine);
    const { folder, manifest } = await verifyModel(options.models, await findModel(options));
    const file = path.join(folder, manifest.roles.model ?? '');
    if (current?.file !== file) {
      await close();
      const llama = openLlama({
        ...{ idleSeconds: defaultIdleSeconds, ...options, engine, file },
        modelBytes: modelBytes(manifest),
        purpose: 'embedding',
        contextTokens: EMBEDDED_TOKENS,
      });
      current = { file, llama };
    }
    const [content] = manifest.files.filter(({ path: name }) => name === manifest.roles.model);
    const name = `${manifest.name}@${content?.sha256.slice(0, 8) ?? ''}`;
    return { name, llama: current.llama };
  }

  return createEmbedder({
    id: 'local',
    prefixes: options.prefixes,
    dimensions: options.dimensions,
    async compute(texts, signal) {
      const answer = mutex.run(async () => {
        if (signal?.aborted) throw new EmbeddingFailure('aborted', 'before the request');
        const { name, llama } = await open();
        return { name, vectors: await llama.embed(texts) };
      });
      try {
        return await (signal ? rejectOnAbort(answer, signal) : answer);
      } catch (error) {
        if (!(error instanceof SpeechFailure)) throw error;
        throw new EmbeddingFailure(
          failureCodes[error.code] ?? 'engine-failed',
          error.message,
          error,
        );
      }
    },
    async missing() {
      try {
        await findModel(options);
        return findLlama(options.engines) === null ? missingEngine : null;
      } catch (error) {
        if (error instanceof EmbeddingFailure) return error.detail;
        throw error;
      }
    },
    close,
  });
}

const missingEngine = `${LLAMA_PACKAGE} is not installed`;

/** @throws EmbeddingFailure `engine-missing` */
async function findModel({ models, model }: LocalEmbeddingOptions): Promise<InstalledModel> {
  const installed = await models.installed().catch((cause: unknown) => {
    throw new EmbeddingFailure('engine-missing', `can't read ${models.folder}`, cause);
  });
  const installedModel = installed.find(
    ({ manifest }) =>
      manifest.kind === 'text-embedding' && (model === undefined || manifest.name === model),
  );
  if (installedModel) return installedModel;
  const name = model === undefined ? 'no embedding model' : `no embedding model ${model}`;
  throw new EmbeddingFailure('engine-missing', `${name} is installed`);
}

/**
 * Returns a model if its files haven't changed since it was installed.
 * @throws EmbeddingFailure `engine-missing`
 */
async function verifyModel(models: ModelStore, model: InstalledModel): Promise<InstalledModel> {
  try {
    await models.verify(model);
    return model;
  } catch (cause) {
    const reason = cause instanceof ModelFailure ? cause.message : "can't read a file";
    throw new EmbeddingFailure('engine-missing', reason, cause);
  }
}

/** Embedding failures by failure of the process. Any other failure is an `engine-failed`. */
const failureCodes: Partial<Record<SpeechFailureCode, EmbeddingFailureCode>> = {
  aborted: 'aborted',
  'engine-missing': 'engine-missing',
  'model-corrupt': 'engine-missing',
};
