/** Runs a language model in a separate process. The process starts at the first request and stops when it is idle. */
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Mutex } from '@linnet/base';
import type { EngineLimits } from '../speech/child.ts';
import { type LoadedProcess, loadProcess } from '../speech/loaded-process.ts';
import { runModelProcess } from '../speech/model-process.ts';
import { SpeechFailure } from '../speech/port.ts';
import { LLAMA_PACKAGE } from './installation.ts';
import {
  EMBEDDED_TOKENS,
  type LlamaAnswer,
  type LlamaMessage,
  type LlamaPurpose,
  type LlamaRequest,
  type LlamaTask,
  llamaEventSchema,
} from './protocol.ts';

export interface LlamaOptions {
  /** Path of the engine's entry point. */
  readonly engine: string;
  /** Path of the GGUF file. */
  readonly file: string;
  readonly modelBytes: number;
  /** Whether the model completes chats or computes embeddings. */
  readonly purpose: LlamaPurpose;
  /** Maximum tokens of the context. The model's own maximum applies if it is smaller. */
  readonly contextTokens: number;
  /** Idle timeout in seconds, after which the process stops. */
  readonly idleSeconds?: number;
  /** Maximum age of the process in seconds at the start of a request. An older process is replaced first. */
  readonly renewedSeconds?: number;
  /** Replaces the limits, for tests. `seconds` is the timeout of a request. */
  readonly limits?: Partial<EngineLimits>;
}

type AnswerTo<Event extends LlamaAnswer['event']> = Extract<LlamaAnswer, { event: Event }>;

/**
 * All methods throw `SpeechFailure`, start the process if it isn't running, and wait for earlier requests. `complete`
 * requires the purpose `chat`, and `embed` the purpose `embedding`.
 */
export interface LlamaModel {
  describe(signal?: AbortSignal): Promise<AnswerTo<'described'>>;
  /** Returns the number of tokens in each string. */
  countTokens(texts: readonly string[], signal?: AbortSignal): Promise<readonly number[]>;
  /**
   * Completes a chat with JSON that matches a schema, enforced by a grammar.
   * @param onText called with the text so far, while it is written
   */
  complete(
    messages: readonly LlamaMessage[],
    schema: object,
    signal?: AbortSignal,
    onText?: (text: string) => void,
  ): Promise<AnswerTo<'completed'>>;
  /** Returns an embedding of each string, as unit vectors of the model's length. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>;
  /** Stops the process. A later request starts a new process. */
  close(): Promise<void>;
}

const PROCESS = fileURLToPath(new URL('./process.ts', import.meta.url));

/**
 * Address space in MiB for Node.js with the engine but no model. 1.5 GiB was measured, most of it reserved but unused.
 * The rest is for the engine's working memory for one batch of tokens.
 */
const EMPTY_MIB = 3072;
/** Address space per byte of the model: one for the mapped file, and one for the weights in the processor's layout. */
const MODEL_FACTOR = 2;
/** Address space in MiB per token of the context. The largest model of the catalog needs 0.14. */
const MIB_PER_TOKEN = 0.2;

/** Timeout for loading even the smallest model, in seconds. */
const STARTUP_SECONDS = 60;
/** Additional seconds per MiB of the model, enough for a slow disk. */
const SECONDS_PER_MIB = 0.1;
/** Additional seconds per token of the context, enough for a slow and busy machine. */
const SECONDS_PER_TOKEN = 0.5;
/** Maximum running time of a process in seconds. */
const LOADED_SECONDS = 24 * 3600;
/**
 * Maximum age of a process in seconds at the start of a request. The request has at least the rest of `LOADED_SECONDS`.
 */
const RENEWED_SECONDS = 12 * 3600;
/**
 * Idle timeout in seconds: long enough for the next of several recordings to arrive, and short enough to free gigabytes
 * for a speech model.
 */
const IDLE_SECONDS = 60;

/** Returns the limits of a process and of each of its requests. */
export function computeLimits({ modelBytes, contextTokens, limits }: LlamaOptions): EngineLimits {
  const modelMiB = modelBytes / 2 ** 20;
  const seconds = STARTUP_SECONDS + SECONDS_PER_MIB * modelMiB + SECONDS_PER_TOKEN * contextTokens;
  const tokens = contextTokens + EMBEDDED_TOKENS;
  return {
    memoryMiB: Math.ceil(EMPTY_MIB + MODEL_FACTOR * modelMiB + MIB_PER_TOKEN * tokens),
    seconds: Math.min(LOADED_SECONDS - RENEWED_SECONDS, seconds),
    ...limits,
  };
}

/** Leave one processor to the rest of the server, because the engine's threads wait for each other. */
const threadCount = () => Math.max(1, availableParallelism() - 1);

export function openLlama(options: LlamaOptions): LlamaModel {
  const { idleSeconds = IDLE_SECONDS, renewedSeconds = RENEWED_SECONDS } = options;
  const limits = computeLimits(options);
  const mutex = new Mutex();
  let current: LoadedProcess<LlamaAnswer> | null = null;
  let startedAt = 0;
  let idleTimer: NodeJS.Timeout | undefined;
  let requestCount = 0;
  /** The listener for the text of the current request. */
  let onWritten: ((text: string) => void) | undefined;

  async function close(): Promise<void> {
    const closing = current;
    current = null;
    await closing?.close();
  }

  async function ensureRunning(): Promise<LoadedProcess<LlamaAnswer>> {
    const ageSeconds = (performance.now() - startedAt) / 1000;
    if (current?.isRunning() && ageSeconds < renewedSeconds) return current;
    await close();
    startedAt = performance.now();
    current = await startProcess(options, limits.memoryMiB, (text) => onWritten?.(text));
    return current;
  }

  function ask(
    request: LlamaRequest,
    signal: AbortSignal | undefined,
    onText?: (text: string) => void,
  ) {
    const answer = mutex.run(async () => {
      if (signal?.aborted) throw new SpeechFailure('aborted', 'before the request');
      clearTimeout(idleTimer);
      onWritten = onText;
      try {
        requestCount += 1;
        const prepare = (folder: string) =>
          writeRequest(join(folder, `request-${requestCount}`), request);
        return await (await ensureRunning()).ask(prepare, limits.seconds, signal);
      } finally {
        onWritten = undefined;
        idleTimer = setTimeout(() => void mutex.run(close), idleSeconds * 1000);
        // The timer must not keep this process running. The child never outlives it.
        idleTimer.unref();
      }
    });
    return signal ? rejectOnAbort(answer, signal) : answer;
  }

  return {
    async describe(signal) {
      const answer = await ask({ kind: 'describe' }, signal);
      if (answer.event !== 'described') throw createUnexpectedFailure(answer);
      return answer;
    },
    async countTokens(texts, signal) {
      const answer = await ask({ kind: 'count', texts }, signal);
      if (answer.event !== 'counted') throw createUnexpectedFailure(answer);
      return answer.tokens;
    },
    async complete(messages, schema, signal, onText) {
      const isStreamed = onText !== undefined;
      const request = { kind: 'complete', messages, schema, isStreamed } as const;
      const answer = await ask(request, signal, onText);
      if (answer.event !== 'completed') throw createUnexpectedFailure(answer);
      return answer;
    },
    async embed(texts, signal) {
      const answer = await ask({ kind: 'embed', texts }, signal);
      if (answer.event !== 'embedded') throw createUnexpectedFailure(answer);
      return answer.vectors.map((vector) => Float32Array.from(vector));
    },
    async close() {
      clearTimeout(idleTimer);
      await close();
    },
  };
}

/**
 * Waits for an answer, or until the caller aborts, even if earlier requests are still being answered.
 * @throws SpeechFailure `aborted`
 */
export async function rejectOnAbort<Answer>(
  answer: Promise<Answer>,
  signal: AbortSignal,
): Promise<Answer> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(new SpeechFailure('aborted', 'by the caller'));
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([answer, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Returns the failure for an answer of an unexpected kind. */
function createUnexpectedFailure(answer: LlamaAnswer): SpeechFailure {
  const reason = answer.event === 'failed' ? answer.reason : `answered ${answer.event}`;
  return new SpeechFailure('engine-crashed', reason);
}

function startProcess(
  { engine, file, purpose, contextTokens }: LlamaOptions,
  memoryMiB: number,
  onText: (text: string) => void,
): Promise<LoadedProcess<LlamaAnswer>> {
  return loadProcess<LlamaAnswer>(({ requests, onAnswer, signal }) => {
    const task: LlamaTask = {
      ...{ engine, model: file, purpose, contextTokens },
      ...{ threads: threadCount(), requests: requests.path },
    };
    return runModelProcess({
      engine: LLAMA_PACKAGE,
      script: PROCESS,
      // Otherwise, a WebAssembly module of Node.js reserves up to 8 GiB of the address space.
      nodeOptions: ['--disable-wasm-trap-handler', '--wasm-max-mem-pages=1024'],
      task,
      limits: { memoryMiB, seconds: LOADED_SECONDS },
      signal,
      events: llamaEventSchema,
      onEvent: (event) => {
        switch (event.event) {
          case 'absent':
          case 'begun':
          case 'loaded':
            return;
          case 'written':
            return onText(event.text);
          default:
            onAnswer(event);
        }
      },
    });
  });
}

/** Writes a request to a file, because writes to a pipe are only atomic for short lines. Returns the file's path. */
async function writeRequest(file: string, request: LlamaRequest): Promise<string> {
  try {
    await writeFile(file, JSON.stringify(request), { mode: 0o600 });
  } catch (cause) {
    throw new SpeechFailure('scratch-failed', 'request', cause);
  }
  return file;
}
