/**
 * Runs a language model in its own process, so that a corrupt model or a lack of memory can't crash anything else. The
 * argument is the path of a JSON file with a `LlamaTask`. Requests are answered one after another, in order, with one
 * event each on file descriptor 3. The process ends when its requests do.
 */
import { createReadStream, readFileSync, rmSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { toUnit } from '../speakers/vectors.ts';
import type { ChatItem, Llama, LoadedModel, NodeLlamaCpp } from './node-llama-cpp.ts';
import {
  ANSWER_DESCRIPTOR,
  EMBEDDED_TOKENS,
  type LlamaAnswer,
  type LlamaEvent,
  type LlamaMessage,
  type LlamaRequest,
  type LlamaTask,
} from './protocol.ts';

/** Minimum tokens for an answer. With fewer, the request counts as too long. */
const SHORTEST_ANSWER = 256;
/** Tokens of the context that stay free, because the engine would otherwise drop the beginning of the request. */
const RESERVE = 32;

/** Minimum milliseconds between reports of a text. */
const REPORT_MS = 250;

const emit = (event: LlamaEvent): void => {
  writeSync(ANSWER_DESCRIPTOR, `${JSON.stringify(event)}\n`);
};

interface Engine {
  readonly library: NodeLlamaCpp;
  readonly llama: Llama;
}

/** Loads the engine and its binaries. Returns null if this machine has none for it, or lacks memory. */
async function loadEngine({ engine, threads }: LlamaTask): Promise<Engine | null> {
  try {
    const library: NodeLlamaCpp = await import(pathToFileURL(engine).href);
    const llama = await library.getLlama({
      gpu: process.platform === 'darwin' ? 'auto' : false,
      build: 'never',
      skipDownload: true,
      progressLogs: false,
      logLevel: 'error',
      maxThreads: threads,
    });
    emit({ event: 'begun' });
    return { library, llama };
  } catch (error) {
    emit({ event: 'absent', reason: reasonOf(error) });
    return null;
  }
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

type Completion = Extract<LlamaRequest, { kind: 'complete' }>;
type Answerer = (request: LlamaRequest) => Promise<LlamaAnswer>;

async function loadModel({ library, llama }: Engine, task: LlamaTask): Promise<Answerer> {
  const model = await llama.loadModel({ modelPath: task.model, checkTensors: true });
  const use =
    task.purpose === 'chat'
      ? await openChat({ library, llama }, model, task)
      : await openEmbeddings(model, task);
  return async (request) => {
    switch (request.kind) {
      case 'describe':
        return {
          event: 'described',
          pid: process.pid,
          contextTokens: use.contextTokens,
          dimensions: model.embeddingVectorSize,
        };
      case 'count':
        return {
          event: 'counted',
          tokens: request.texts.map((text) => model.tokenize(text).length),
        };
      case 'complete':
      case 'embed':
        return use.answer(request);
    }
  };
}

/** A purpose of a loaded model. */
interface Use {
  readonly contextTokens: number;
  readonly answer: (
    request: Extract<LlamaRequest, { kind: 'complete' | 'embed' }>,
  ) => Promise<LlamaAnswer>;
}

const unsupported = (task: LlamaTask): LlamaAnswer => ({
  event: 'failed',
  reason: `the process was started for the purpose ${task.purpose}`,
});

async function openChat(
  { library, llama }: Engine,
  model: LoadedModel,
  task: LlamaTask,
): Promise<Use> {
  const context = await model.createContext({
    contextSize: Math.min(task.contextTokens, model.trainContextSize),
  });
  // The context is rounded up, but the model wasn't trained for more.
  const contextTokens = Math.min(context.contextSize, model.trainContextSize);
  const chatWrapper = library.resolveChatWrapper(model, {
    customWrapperSettings: { qwen: { thoughts: 'discourage' } },
  });
  const chat = new library.LlamaChat({ contextSequence: context.getSequence(), chatWrapper });

  async function complete({ messages, schema, isStreamed }: Completion): Promise<LlamaAnswer> {
    const history = [...messages.map(toItem), { type: 'model', response: [] } as const];
    const { contextText } = chatWrapper.generateContextState({ chatHistory: history });
    const promptTokens = contextText.tokenize(model.tokenizer).length;
    const maxTokens = contextTokens - promptTokens - RESERVE;
    if (maxTokens < SHORTEST_ANSWER) return { event: 'completed', text: '', end: 'too-long' };
    const { response, metadata } = await chat.generateResponse(history, {
      grammar: await llama.createGrammarForJsonSchema(schema),
      maxTokens,
      temperature: 0,
      // A penalty would also hit the punctuation of the JSON.
      repeatPenalty: false,
      budgets: { thoughtTokens: 0 },
      ...(isStreamed && { onTextChunk: createReporter() }),
    });
    const end = metadata.stopReason === 'maxTokens' ? 'truncated' : 'complete';
    return { event: 'completed', text: response, end };
  }

  return {
    contextTokens,
    answer: async (request) =>
      request.kind === 'complete' ? complete(request) : unsupported(task),
  };
}

/** Opens the context of an embedding model. Many of them, such as BERT, can't complete a chat. */
async function openEmbeddings(model: LoadedModel, task: LlamaTask): Promise<Use> {
  const contextTokens = Math.min(EMBEDDED_TOKENS, model.trainContextSize);
  const context = await model.createEmbeddingContext({
    contextSize: contextTokens,
    threads: task.threads,
  });

  async function embed(texts: readonly string[]): Promise<LlamaAnswer> {
    const vectors: number[][] = [];
    for (const text of texts) {
      // The engine adds tokens for the beginning and the end.
      const tokens = model.tokenize(text).slice(0, contextTokens - 2);
      const { vector } = await context.getEmbeddingFor(tokens);
      vectors.push([...toUnit(Float32Array.from(vector))]);
    }
    return { event: 'embedded', vectors };
  }

  return {
    contextTokens,
    answer: async (request) =>
      request.kind === 'embed' ? embed(request.texts) : unsupported(task),
  };
}

/** Returns a function that reports the text so far with each next piece, but not more often than it is read. */
function createReporter(): (piece: string) => void {
  let text = '';
  let reportedAt = 0;
  return (piece) => {
    text += piece;
    if (performance.now() - reportedAt < REPORT_MS) return;
    reportedAt = performance.now();
    emit({ event: 'written', text });
  };
}

function toItem({ role, content }: LlamaMessage): ChatItem {
  return role === 'assistant'
    ? { type: 'model', response: [content] }
    : { type: role, text: content };
}

/**
 * Waits until the engine's messages have been logged, such as a lack of memory. It hands them over through the event
 * loop, so that a whole round of it has to pass.
 */
async function logged(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

async function serve(task: LlamaTask, answer: Answerer): Promise<void> {
  for await (const file of createInterface({ input: createReadStream(task.requests) })) {
    const request = JSON.parse(readFileSync(file, 'utf8')) as LlamaRequest;
    rmSync(file);
    emit(
      await answer(request).catch(
        (error: unknown): LlamaAnswer => ({ event: 'failed', reason: reasonOf(error) }),
      ),
    );
  }
}

const task = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as LlamaTask;
const engine = await loadEngine(task);
if (engine === null) process.exitCode = 1;
else {
  const answer = await loadModel(engine, task).catch(async (error: unknown) => {
    await logged();
    throw error;
  });
  emit({ event: 'loaded' });
  await serve(task, answer);
  // The engine's threads would keep the process running.
  process.exit(0);
}
