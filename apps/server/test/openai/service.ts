/**
 * A fake of OpenAI's `audio/transcriptions`, `chat/completions` and `embeddings`, because test machines can't reach
 * OpenAI. Responses have the types of the official package. The fake decodes the audio and reads the transcript in each
 * request, rejects the same requests as OpenAI, and injects faults. It verifies the adapters' requests, not the behavior
 * of OpenAI's models.
 */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { decodeOggToPcm } from '@linnet/audio/convert';
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { parseWave } from '@linnet/audio/wave';
import type { TranscriptionVerbose } from 'openai/resources/audio/transcriptions';
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParams,
  ChatCompletionCreateParamsNonStreaming,
} from 'openai/resources/chat/completions';
import type { EmbeddingCreateParams } from 'openai/resources/embeddings';
import { SPEECH_SAMPLE_RATE } from '../../src/providers/speech/port.ts';
import { trigramVector } from './embeddings.ts';
import { type Reader, readTranscript } from './reader.ts';
import { listen, type SpokenWord } from './tones.ts';

export const fakeOpenAiKey = 'sk-standin-0123456789';

/** A fault in one request. */
export type ServiceFault =
  | {
      readonly kind: 'refuse';
      readonly status: number;
      readonly code?: string;
      readonly param?: string;
      readonly retryAfter?: string;
    }
  /** Never responds. */
  | { readonly kind: 'silence' }
  /** Sends only the response headers. */
  | { readonly kind: 'stall' }
  /** Closes the connection before the response (`reset`) or in the middle of it (`truncate`). */
  | { readonly kind: 'reset' }
  | { readonly kind: 'truncate' }
  /** Returns the given body, with status 200 by default. */
  | { readonly kind: 'answer'; readonly body: string; readonly status?: number }
  | { readonly kind: 'change'; readonly transform: (answer: unknown) => unknown };

export const refusals = {
  busy: { kind: 'refuse', status: 429, code: 'rate_limit_exceeded' },
  quota: { kind: 'refuse', status: 429, code: 'insufficient_quota' },
  broken: { kind: 'refuse', status: 500, code: 'server_error' },
  wrongKey: { kind: 'refuse', status: 401, code: 'invalid_api_key' },
  forbidden: { kind: 'refuse', status: 403 },
  noModel: { kind: 'refuse', status: 404, code: 'model_not_found' },
} as const satisfies Record<string, ServiceFault>;

/** A transcription request. */
export interface AudioRequest {
  readonly bytes: number;
  readonly seconds: number;
  readonly fields: Readonly<Record<string, readonly string[]>>;
}

/** A request for embeddings. */
export interface EmbeddingRequest extends Omit<EmbeddingCreateParams, 'input'> {
  readonly input: readonly string[];
}

/** How a product differs from OpenAI's own service. */
export interface ServiceBehavior {
  /** Whether requests without the key are rejected. */
  readonly needsKey: boolean;
  /** Path for transcriptions; null if the product has none. */
  readonly transcriptionPath: string | null;
  readonly hasChat: boolean;
  /** Returns the response as the product writes it. */
  readonly transcription: (answer: TranscriptionVerbose) => unknown;
  readonly completion: (answer: ChatCompletion) => unknown;
  /**
   * Returns the body of a rejection.
   * @param tokens length of the request and of the context window, if the request is too long
   */
  readonly refusal: (
    refusal: { readonly status: number; readonly code?: string; readonly param?: string },
    message: string,
    tokens?: { readonly sent: number; readonly max: number },
  ) => { readonly status: number; readonly body: unknown };
}

/** The behavior of OpenAI's own service. */
export const openAiBehavior: ServiceBehavior = {
  needsKey: true,
  transcriptionPath: '/v1/audio/transcriptions',
  hasChat: true,
  transcription: (answer) => answer,
  completion: (answer) => answer,
  refusal: ({ status, code, param }, message) => ({
    status,
    body: { error: { message, type: code, code, param } },
  }),
};

export interface FakeOpenAi {
  /** The product that the service imitates. */
  behavior: ServiceBehavior;
  /** Base URL, including `/v1`. */
  readonly url: string;
  /** Paths of all requests in order, including requests with faults. */
  readonly requests: string[];
  readonly audio: AudioRequest[];
  readonly chats: ChatCompletionCreateParamsNonStreaming[];
  readonly embeddings: EmbeddingRequest[];
  /** Highest number of concurrent requests so far. */
  maxConcurrent: number;
  /** Faults for upcoming requests, in order, one per request. */
  readonly faults: ServiceFault[];
  /** The words spoken in the audio, which are in this language. */
  script: readonly SpokenWord[];
  language: string;
  /** Maximum error of the word timestamps, in seconds. */
  timeError: number;
  /** Whether the fake supports word timestamps. */
  wordTimes: boolean;
  /** Whether the fake accepts prompts for transcriptions. */
  prompts: boolean;
  /** Supported response formats for transcriptions. */
  audioFormats: readonly string[];
  /** Status returned for an unsupported parameter. */
  refusalStatus: number;
  /** Supported response formats. */
  formats: readonly string[];
  temperatureRefused: boolean;
  /** Size of the context window in tokens of four characters. */
  contextTokens: number;
  /** Dimensions of embeddings, unless the request specifies them. */
  dimensions: number;
  /** Maximum total characters of the texts in a request for embeddings. */
  embeddingCharacters: number;
  /** Matches texts whose embedding is rejected. */
  refusedTexts: RegExp | null;
  /** How requests for streamed answers are handled. */
  streams: 'accepted' | 'ignored' | 'refused';
  /** Delays each further piece of a streamed answer until it resolves. Receives the text so far. */
  pause: (text: string) => Promise<void>;
  /** Behavior of the fake model. */
  reader: Reader;
  /** Delays all responses until it resolves. */
  hold: Promise<void>;
  close(): Promise<void>;
}

/** Languages without spaces between words, as named by the service. */
const unspaced: ReadonlySet<string> = new Set(['chinese', 'japanese', 'thai']);
/** Matches the end of a sentence. A word in the script may include one. */
const sentenceEnd = /[.?!。？！؟]$/u;
/** OpenAI's file size limit. */
const MAX_BYTES = 25 * 1024 * 1024;

/** @param host address to listen on */
export async function startOpenAi(host = '127.0.0.1'): Promise<FakeOpenAi> {
  const opus = await loadOpus(readOpusWasm());
  let openRequests = 0;

  async function transcribe(body: Buffer, type: string): Promise<unknown> {
    if (body.length > MAX_BYTES) throw new Refusal(413);
    const form = await new Response(new Uint8Array(body), {
      headers: { 'content-type': type },
    }).formData();
    const fields: Record<string, string[]> = {};
    for (const [name, value] of form) {
      if (typeof value === 'string') fields[name] = [...(fields[name] ?? []), value];
    }
    const file = form.get('file');
    if (!(file instanceof File)) throw new Refusal(400, 'invalid_file', 'file');
    const format = fields.response_format?.[0] ?? 'json';
    if (!fake.audioFormats.includes(format)) {
      throw new Refusal(fake.refusalStatus, 'unsupported_value', 'response_format');
    }
    if (!fields.model) throw new Refusal(400);
    const granularities = fields['timestamp_granularities[]'] ?? [];
    const includesWords = granularities.includes('word');
    if (includesWords && !fake.wordTimes)
      throw new Refusal(fake.refusalStatus, 'unsupported_parameter');
    if (fields.prompt && !fake.prompts) {
      throw new Refusal(fake.refusalStatus, 'unsupported_parameter', 'prompt');
    }
    const bytes = new Uint8Array(await file.arrayBuffer());
    const samples = file.name.endsWith('.ogg')
      ? decodeOggToPcm(bytes, opus)
      : parseWave(bytes).samples;
    const seconds = samples.length / SPEECH_SAMPLE_RATE;
    fake.audio.push({ bytes: body.length, seconds, fields });
    const transcription = verbose(samples, seconds, includesWords);
    return format === 'json'
      ? { text: transcription.text }
      : fake.behavior.transcription(transcription);
  }

  function verbose(samples: Int16Array, seconds: number, withWords: boolean): TranscriptionVerbose {
    // A word cut off at the end is recognized incorrectly.
    const recognizedWords = listen(samples).map(({ index, start, end }, count) => {
      const shift = fake.timeError * Math.sin(count * 12.9898 + seconds);
      const scriptedWord = index === null ? undefined : fake.script[index];
      return {
        word: scriptedWord?.text ?? 'uh',
        ends: scriptedWord?.endsSentence ?? false,
        start: Math.max(0, start + shift),
        end: Math.min(seconds, end + shift),
      };
    });
    const sentences: (typeof recognizedWords)[] = [];
    for (const [index, word] of recognizedWords.entries()) {
      if (index === 0 || recognizedWords[index - 1]?.ends) sentences.push([]);
      sentences.at(-1)?.push(word);
    }
    const writtenSentences = sentences.map((words) => {
      const text = words.map(({ word }) => word).join(unspaced.has(fake.language) ? '' : ' ');
      const fullStop = words.at(-1)?.ends && !sentenceEnd.test(text) ? '.' : '';
      return `${text.charAt(0).toUpperCase()}${text.slice(1)}${fullStop}`;
    });
    return {
      duration: seconds,
      language: fake.language,
      text: writtenSentences.join(' '),
      segments: sentences.map((words, id) => ({
        id,
        seek: 0,
        start: words[0]?.start ?? 0,
        end: words.at(-1)?.end ?? 0,
        text: ` ${writtenSentences[id]}`,
        tokens: [],
        temperature: 0,
        avg_logprob: -0.25,
        compression_ratio: 1.2,
        no_speech_prob: 0.02,
      })),
      ...(withWords && {
        words: recognizedWords.map(({ word, start, end }) => ({
          word: word.replace(sentenceEnd, ''),
          start,
          end,
        })),
      }),
    };
  }

  function complete(body: Buffer): unknown {
    const { stream, ...params } = JSON.parse(body.toString()) as ChatCompletionCreateParams;
    fake.chats.push(params);
    if (stream && fake.streams === 'refused') throw new Refusal(400, 'unsupported_value', 'stream');
    const format = params.response_format?.type ?? 'text';
    if (!fake.formats.includes(format)) throw new Refusal(400, undefined, 'response_format');
    if (params.temperature !== undefined && fake.temperatureRefused) {
      throw new Refusal(400, 'unsupported_value', 'temperature');
    }
    if (params.response_format?.type === 'json_schema') {
      checkStrict(params.response_format.json_schema.schema);
    }
    const texts = params.messages.map(({ content }) => String(content));
    const tokenCount = texts.join('').length / 4;
    if (tokenCount > fake.contextTokens) {
      const tokens = { sent: Math.ceil(tokenCount), max: fake.contextTokens };
      throw new Refusal(400, 'context_length_exceeded', 'messages', tokens);
    }
    const content = JSON.stringify(
      readTranscript(texts, parseHeadings(params, texts[0] ?? ''), fake.reader),
    );
    if (stream && fake.streams === 'accepted') return new Streamed(params.model, content);
    return fake.behavior.completion({
      id: 'chatcmpl-standin',
      object: 'chat.completion',
      created: 0,
      model: params.model,
      choices: [
        {
          index: 0,
          finish_reason: 'stop',
          logprobs: null,
          message: { role: 'assistant', content, refusal: null },
        },
      ],
    });
  }

  function embed(body: Buffer): unknown {
    const params = JSON.parse(body.toString()) as EmbeddingRequest;
    fake.embeddings.push(params);
    const { input, model, encoding_format: format, dimensions = fake.dimensions } = params;
    if (format !== 'float') throw new Refusal(400, 'unsupported_value', 'encoding_format');
    if (input.some((text) => text.trim() === '' || fake.refusedTexts?.test(text)))
      throw new Refusal(400, 'invalid_value', 'input');
    const characterCount = input.join('').length;
    if (characterCount > fake.embeddingCharacters) {
      const tokens = { sent: characterCount, max: fake.embeddingCharacters };
      throw new Refusal(400, 'context_length_exceeded', 'input', tokens);
    }
    const data = input.map((text, index) => ({
      ...{ object: 'embedding', index },
      embedding: trigramVector(text, dimensions),
    }));
    // The API doesn't guarantee the order.
    return { object: 'list', model, data: data.reverse() };
  }

  async function answer(request: IncomingMessage): Promise<unknown> {
    const body = await buffer(request);
    const { needsKey, transcriptionPath, hasChat } = fake.behavior;
    if (needsKey && request.headers.authorization !== `Bearer ${fakeOpenAiKey}`) {
      throw new Refusal(401, 'invalid_api_key');
    }
    if (request.method === 'POST' && request.url === transcriptionPath) {
      return transcribe(body, request.headers['content-type'] ?? '');
    }
    if (request.method === 'POST' && request.url === '/v1/chat/completions' && hasChat) {
      return complete(body);
    }
    if (request.method === 'POST' && request.url === '/v1/embeddings') return embed(body);
    throw new Refusal(404);
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    fake.requests.push(request.url ?? '');
    const fault = fake.faults.shift();
    const send = (status: number, value: unknown, headers = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(typeof value === 'string' ? value : JSON.stringify(value));
    // Real services quote the key in their messages.
    const message = `Refused, as told: ${request.headers.authorization}`;
    const sendRefusal = (refusal: Refusal, headers = {}) => {
      const { status, body } = fake.behavior.refusal(refusal, message, refusal.tokens);
      send(status, body, headers);
    };
    await fake.hold;
    try {
      switch (fault?.kind) {
        case undefined: {
          const answered = await answer(request);
          if (!(answered instanceof Streamed)) return void send(200, answered);
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          for await (const event of answered.events(fake)) response.write(`data: ${event}\n\n`);
          return void response.end();
        }
        case 'refuse':
          await buffer(request);
          return void sendRefusal(
            new Refusal(fault.status, fault.code, fault.param),
            fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter },
          );
        case 'silence':
          return;
        case 'stall':
          await buffer(request);
          return void response.writeHead(200, { 'content-type': 'application/json' }).write('{');
        case 'reset':
          return void request.socket.destroy();
        case 'truncate': {
          const responseBytes = Buffer.from(JSON.stringify(await answer(request)));
          response.writeHead(200, {
            'content-type': 'application/json',
            'content-length': responseBytes.length,
          });
          response.write(responseBytes.subarray(0, responseBytes.length / 2), () =>
            request.socket.destroy(),
          );
          return;
        }
        case 'answer':
          await buffer(request);
          return void send(fault.status ?? 200, fault.body);
        case 'change':
          return void send(200, fault.transform(await answer(request)));
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      sendRefusal(error);
    }
  }

  const http = createServer((request, response) => {
    openRequests += 1;
    fake.maxConcurrent = Math.max(fake.maxConcurrent, openRequests);
    response.once('close', () => {
      openRequests -= 1;
    });
    // An aborted request isn't a failure.
    serve(request, response).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET') throw error;
    });
  });
  http.listen(0, host);
  await once(http, 'listening');

  const fake: FakeOpenAi = {
    behavior: openAiBehavior,
    url: `http://${host}:${(http.address() as AddressInfo).port}/v1`,
    requests: [],
    audio: [],
    chats: [],
    embeddings: [],
    maxConcurrent: 0,
    faults: [],
    script: [],
    language: 'english',
    timeError: 0,
    wordTimes: true,
    prompts: true,
    audioFormats: ['verbose_json', 'json'],
    refusalStatus: 400,
    formats: ['json_schema', 'json_object', 'text'],
    temperatureRefused: false,
    contextTokens: 100_000,
    dimensions: 256,
    embeddingCharacters: 100_000,
    refusedTexts: null,
    streams: 'accepted',
    pause: () => Promise.resolve(),
    reader: {},
    hold: Promise.resolve(),
    async close() {
      http.close();
      http.closeAllConnections();
      await once(http, 'close');
    },
  };
  return fake;
}

/** Returns the required sections, if any, taken from the schema in the response format or in the system message. */
function parseHeadings(params: ChatCompletionCreateParamsNonStreaming, system: string): string[] {
  const format = params.response_format;
  const schema = (
    format?.type === 'json_schema'
      ? format.json_schema.schema
      : JSON.parse(system.split('\n').at(-1) ?? '')
  ) as { properties: { sections?: { properties: object } } };
  return Object.keys(schema.properties.sections?.properties ?? {});
}

/** Characters per piece of a streamed answer. */
const pieceLength = 7;

/** A streamed answer. */
class Streamed {
  readonly model: string;
  readonly content: string;
  constructor(model: string, content: string) {
    this.model = model;
    this.content = content;
  }

  async *events({ pause }: Pick<FakeOpenAi, 'pause'>): AsyncGenerator<string> {
    for (let start = 0; start < this.content.length; start += pieceLength) {
      yield this.#chunk({ content: this.content.slice(start, start + pieceLength) }, null);
      await pause(this.content.slice(0, start + pieceLength));
    }
    yield this.#chunk({}, 'stop');
    yield '[DONE]';
  }

  #chunk(
    delta: ChatCompletionChunk.Choice.Delta,
    finishReason: ChatCompletionChunk.Choice['finish_reason'],
  ): string {
    const chunk: ChatCompletionChunk = {
      ...{ id: 'chatcmpl-standin', object: 'chat.completion.chunk', created: 0 },
      model: this.model,
      choices: [{ index: 0, delta, finish_reason: finishReason }],
    };
    return JSON.stringify(chunk);
  }
}

class Refusal extends Error {
  readonly status: number;
  readonly code?: string;
  readonly param?: string;
  readonly tokens: { readonly sent: number; readonly max: number } | undefined;
  constructor(
    status: number,
    code?: string,
    param?: string,
    tokens?: { readonly sent: number; readonly max: number },
  ) {
    super(`refused with ${status}`);
    this.status = status;
    if (code !== undefined) this.code = code;
    if (param !== undefined) this.param = param;
    this.tokens = tokens;
  }
}

/** Keywords that OpenAI allows in strict schemas. Strict schemas must require every property and allow no others. */
const strictKeywords = new Set(
  'type properties required additionalProperties items anyOf enum const description'.split(' '),
);

function checkStrict(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) throw new Refusal(400, 'invalid_schema');
  const node = schema as Record<string, unknown>;
  const properties = (node.properties ?? {}) as Record<string, unknown>;
  const required = new Set((node.required ?? []) as string[]);
  const isOpen =
    node.type === 'object' &&
    (node.additionalProperties !== false ||
      Object.keys(properties).some((name) => !required.has(name)));
  const hasUnknownKeyword = Object.keys(node).some((name) => !strictKeywords.has(name));
  if (isOpen || hasUnknownKeyword) throw new Refusal(400, 'invalid_schema', 'response_format');
  for (const inner of Object.values(properties)) checkStrict(inner);
  if (node.items) checkStrict(node.items);
  for (const inner of (node.anyOf ?? []) as unknown[]) checkStrict(inner);
}
