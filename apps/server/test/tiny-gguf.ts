/**
 * A language model of one megabyte that the real engine loads and runs. Apart from small fixed random weights, each
 * token determines the next one, and a grammar removes disallowed tokens. The model therefore writes short words into
 * every text, one entry into every list, and the first allowed source.
 */

/** Tokens before the bytes: unknown, beginning and end. */
const SPECIAL = ['<unk>', '<s>', '</s>'];
/** The character that stands for a space in this kind of vocabulary. */
const SPACE = '\u2581';
/**
 * Names of fields in answers. The grammar admits a field name only where it is the only option, so a token per name
 * makes the model faster without changing its output.
 */
const FIELDS = [
  ...['title', 'brief', 'keywords', 'sections', 'overview', 'decisions', 'text', 'source'],
  ...['todos', 'who', 'due', 'knowledge_points', 'needs', 'questions', 'finance', 'amount'],
  ...['currency', 'purpose', 'said', 'timeline', 'when', 'date', 'topics', 'until'],
].map((name) => `${name}":`);
/** Dimensions of a token's vector: at least one for each token. */
const WIDTH = 288;
const HIDDEN_SIZE = 32;
/** Dimensions of the only attention head. */
const HEAD = 32;
/** Context size in tokens. */
export const TINY_CONTEXT = 8192;

/** Types of values in a GGUF file. */
const UINT32 = 4;
const INT32 = 5;
const FLOAT32 = 6;
const STRING = 8;
const ARRAY = 9;

/** Types of tokens. */
const NORMAL = 1;
const UNKNOWN = 2;
const CONTROL = 3;
const BYTE = 6;

/** Preferred characters after each character, most likely first. */
const FOLLOWERS: Readonly<Record<string, string>> = {
  '"': 'np]},:',
  n: 'o',
  o: 't',
  t: 'e',
  e: '"',
  p: '1234',
  '[': '{"',
  '{': '"',
  '}': '],}',
  ']': ',}',
  ',': '"{',
  ':': '"[{1',
  ...Object.fromEntries([...'0123456789'].map((digit) => [digit, '",}0123'])),
};

interface Tensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

/** Returns the content of the GGUF file. */
export function tinyLanguageModel(): Uint8Array {
  const bytes = Array.from({ length: 256 }, (_, byte) => `<0x${hex(byte)}>`);
  const tokens = [...SPECIAL, ...bytes, SPACE, ...FIELDS];
  const types = [
    ...[UNKNOWN, CONTROL, CONTROL],
    ...bytes.map(() => BYTE),
    NORMAL,
    ...FIELDS.map(() => NORMAL),
  ];
  const random = createRandom(7);
  const noise = (name: string, shape: readonly number[], scale: number): Tensor => ({
    ...{ name, shape },
    values: Float32Array.from({ length: product(shape) }, () => (random() - 0.5) * scale),
  });
  const ones = (name: string): Tensor => ({
    ...{ name, shape: [WIDTH] },
    values: new Float32Array(WIDTH).fill(1),
  });
  const embeddings = new Float32Array(WIDTH * tokens.length);
  for (let token = 0; token < tokens.length; token += 1) embeddings[token * WIDTH + token] = 1;
  const output = noise('output.weight', [WIDTH, tokens.length], 0.01);
  for (const [character, followers] of Object.entries(FOLLOWERS)) {
    for (const [rank, follower] of [...followers].entries()) {
      output.values[toToken(follower) * WIDTH + toToken(character)] = 1 - rank * 0.05;
    }
  }
  // A field follows each quotation mark where the grammar admits it, and leads to the same next token as its colon.
  for (const field of FIELDS) {
    const token = tokens.indexOf(field);
    output.values[token * WIDTH + toToken('"')] = 2;
    for (const [rank, follower] of [...(FOLLOWERS[':'] ?? '')].entries()) {
      output.values[toToken(follower) * WIDTH + token] = 1 - rank * 0.05;
    }
  }
  return ggufFile(
    [
      ['general.architecture', STRING, 'llama'],
      ['general.name', STRING, 'tiny'],
      ['llama.context_length', UINT32, TINY_CONTEXT],
      ['llama.embedding_length', UINT32, WIDTH],
      ['llama.block_count', UINT32, 1],
      ['llama.feed_forward_length', UINT32, HIDDEN_SIZE],
      ['llama.attention.head_count', UINT32, 1],
      ['llama.attention.key_length', UINT32, HEAD],
      ['llama.attention.value_length', UINT32, HEAD],
      ['llama.attention.layer_norm_rms_epsilon', FLOAT32, 1e-5],
      ['llama.rope.dimension_count', UINT32, HEAD],
      ['tokenizer.ggml.model', STRING, 'llama'],
      ['tokenizer.ggml.tokens', ARRAY, { type: STRING, items: tokens }],
      ['tokenizer.ggml.scores', ARRAY, { type: FLOAT32, items: tokens.map(() => 0) }],
      ['tokenizer.ggml.token_type', ARRAY, { type: INT32, items: types }],
      ['tokenizer.ggml.unknown_token_id', UINT32, 0],
      ['tokenizer.ggml.bos_token_id', UINT32, 1],
      ['tokenizer.ggml.eos_token_id', UINT32, 2],
    ],
    [
      { name: 'token_embd.weight', shape: [WIDTH, tokens.length], values: embeddings },
      ones('blk.0.attn_norm.weight'),
      noise('blk.0.attn_q.weight', [WIDTH, HEAD], 0.05),
      noise('blk.0.attn_k.weight', [WIDTH, HEAD], 0.05),
      noise('blk.0.attn_v.weight', [WIDTH, HEAD], 0.02),
      noise('blk.0.attn_output.weight', [HEAD, WIDTH], 0.02),
      ones('blk.0.ffn_norm.weight'),
      noise('blk.0.ffn_gate.weight', [WIDTH, HIDDEN_SIZE], 0.01),
      noise('blk.0.ffn_up.weight', [WIDTH, HIDDEN_SIZE], 0.01),
      noise('blk.0.ffn_down.weight', [HIDDEN_SIZE, WIDTH], 0.01),
      ones('output_norm.weight'),
      output,
    ],
  );
}

const hex = (byte: number) => byte.toString(16).toUpperCase().padStart(2, '0');
const product = (sizes: readonly number[]) => sizes.reduce((all, size) => all * size, 1);
const toToken = (character: string) => SPECIAL.length + character.charCodeAt(0);

/** Returns a generator of fixed numbers from 0 to 1 (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Scalar = number | string;
interface List {
  readonly type: number;
  readonly items: readonly Scalar[];
}
type Entry = readonly [key: string, type: number, value: Scalar | List];

/** Alignment of the tensors in bytes. */
const ALIGNMENT = 32;
const alignSize = (bytes: number) => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

function ggufFile(entries: readonly Entry[], tensors: readonly Tensor[]): Uint8Array {
  let offset = 0;
  const infos = tensors.map(({ name, shape, values }) => {
    const info = Buffer.concat([
      text(name),
      uint32(shape.length),
      ...shape.map(uint64),
      uint32(0), // 32-bit floats
      uint64(offset),
    ]);
    offset = alignSize(offset + values.byteLength);
    return info;
  });
  const header = Buffer.concat([
    ...[Buffer.from('GGUF'), uint32(3), uint64(tensors.length), uint64(entries.length)],
    ...entries.map(([key, type, value]) =>
      Buffer.concat([text(key), uint32(type), encode(type, value)]),
    ),
    ...infos,
  ]);
  const parts = [padToAlignment(header)];
  for (const { values } of tensors) parts.push(padToAlignment(Buffer.from(values.buffer)));
  return Buffer.concat(parts);
}

function encode(type: number, value: Scalar | List): Uint8Array {
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number') return number(type, value);
  const { type: itemType, items } = value;
  const encoded = items.map((item) => encode(itemType, item));
  return Buffer.concat([uint32(itemType), uint64(items.length), ...encoded]);
}

function number(type: number, value: number): Uint8Array {
  if (type !== FLOAT32) return uint32(value);
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}

function uint32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint64(value: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function text(value: string): Uint8Array {
  const bytes = Buffer.from(value);
  return Buffer.concat([uint64(bytes.length), bytes]);
}

function padToAlignment(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([bytes, Buffer.alloc(alignSize(bytes.length) - bytes.length)]);
}
