/**
 * Child process that runs a language model. A corrupt model or a lack of memory can't crash anything else. The argument
 * is the path of a JSON file with a `LlamaTask`. Requests are answered sequentially, with events on file descriptor 3.
 * The process exits at the end of the request pipe.
 */
import { createReadStream, readFileSync, rmSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { toUnit } from '../speakers/vectors.ts';
import type { ChatItem, Llama, LoadedModel, NodeLlamaCpp } from './node-llama-cpp.ts';
import {
  EMBEDDED_TOKENS,
  EVENT_DESCRIPTOR,
  type LlamaAnswer,
  type LlamaEvent,
  type LlamaMessage,
  type LlamaRequest,
  type LlamaTask,
} from './protocol.ts';

/** Minimum number of tokens for an answer. If fewer are left, the request counts as too long. */
const SHORTEST_ANSWER = 256;
/**
 * Number of tokens in the context to leave unused. Without this reserve, the engine would drop the beginning of the
 * request.
 */
const RESERVE = 32;

/** Minimum interval between reports of the text so far, in milliseconds. */
const REPORT_MS = 250;

const emit = (event: LlamaEvent): void => {
  writeSync(EVENT_DESCRIPTOR, `${JSON.stringify(event)}\n`);
};

interface Engine {
  readonly library: NodeLlamaCpp;
  readonly llama: Llama;
}

/** Loads the engine and its binaries. Returns null if there are no binaries for this machine, or it lacks memory. */
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
    emit({ event: 'absent', reason: getErrorMessage(error) });
    return null;
  }
}

const getErrorMessage = (error: unknown) =>
  error instanceof Error ? error.message : String(error);

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

/** A model that is ready for its purpose. */
interface Use {
  readonly contextTokens: number;
  readonly answer: (
    request: Extract<LlamaRequest, { kind: 'complete' | 'embed' }>,
  ) => Promise<LlamaAnswer>;
}

const createUnsupportedAnswer = (task: LlamaTask): LlamaAnswer => ({
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
  // The engine rounds the context up, possibly beyond the size that the model was trained for.
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
      // A penalty would also apply to the punctuation of the JSON.
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
      request.kind === 'complete' ? complete(request) : createUnsupportedAnswer(task),
  };
}

/** Opens the context of an embedding model. Many embedding models, such as BERT, can't complete chats. */
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
      request.kind === 'embed' ? embed(request.texts) : createUnsupportedAnswer(task),
  };
}

/** Returns a function that receives each new piece and reports the text so far, throttled to `REPORT_MS`. */
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
 * Waits until the engine's messages (such as a lack of memory) have been logged. The engine passes them through the
 * event loop, so wait for a complete iteration of it.
 */
async function flushLog(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

async function serve(task: LlamaTask, answer: Answerer): Promise<void> {
  for await (const file of createInterface({ input: createReadStream(task.requests) })) {
    const request = JSON.parse(readFileSync(file, 'utf8')) as LlamaRequest;
    rmSync(file);
    emit(
      await answer(request).catch(
        (error: unknown): LlamaAnswer => ({ event: 'failed', reason: getErrorMessage(error) }),
      ),
    );
  }
}

const task = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as LlamaTask;
const engine = await loadEngine(task);
if (engine === null) process.exitCode = 1;
else {
  const answer = await loadModel(engine, task).catch(async (error: unknown) => {
    await flushLog();
    throw error;
  });
  emit({ event: 'loaded' });
  await serve(task, answer);
  // The engine's threads would keep the process running.
  process.exit(0);
}
