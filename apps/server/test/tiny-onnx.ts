/**
 * Handwritten models of a few kilobytes that the real engine loads and runs. They treat tones as words and loud audio
 * as speech, so their results are predictable.
 */

/** A protobuf field in an ONNX file. */
type Field = { readonly number: number; readonly value: number | string | Uint8Array };
const field = (number: number, value: Field['value']): Field => ({ number, value });

function varint(value: number): number[] {
  const bytes: number[] = [];
  let remaining = value;
  for (; remaining > 0x7f; remaining = Math.floor(remaining / 128))
    bytes.push((remaining % 128) | 0x80);
  return [...bytes, remaining];
}

function message(fields: readonly Field[]): Uint8Array {
  const parts = fields.map(({ number, value }) => {
    if (typeof value === 'number') return Buffer.from([...varint(number * 8), ...varint(value)]);
    const body = Buffer.from(value as Uint8Array);
    return Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(body.length)]), body]);
  });
  return Buffer.concat(parts);
}

/** Constants from onnx.proto. */
const FLOAT = 1;
const INT64 = 7;
const ATTRIBUTE_INT = 2;
const ATTRIBUTE_INTS = 7;

type Dimensions = readonly (number | string)[];

function valueInfo(name: string, kind: number, dimensions: Dimensions): Uint8Array {
  const shape = dimensions.map((size) =>
    field(1, message([typeof size === 'number' ? field(1, size) : field(2, size)])),
  );
  const tensor = message([field(1, kind), field(2, message(shape))]);
  return message([field(1, name), field(2, message([field(1, tensor)]))]);
}

function constant(name: string, dimensions: readonly number[], values: readonly number[]) {
  const floats = new Uint8Array(Float32Array.from(values).buffer);
  return message([
    ...dimensions.map((size) => field(1, size)),
    field(2, FLOAT),
    field(8, name),
    field(9, floats),
  ]);
}

interface Node {
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes?: Readonly<Record<string, number | readonly number[]>>;
}

function node({ operator, inputs, outputs, attributes = {} }: Node): Uint8Array {
  return message([
    ...inputs.map((name) => field(1, name)),
    ...outputs.map((name) => field(2, name)),
    field(4, operator),
    ...Object.entries(attributes).map(([name, value]) =>
      field(
        5,
        message(
          typeof value === 'number'
            ? [field(1, name), field(3, value), field(20, ATTRIBUTE_INT)]
            : [field(1, name), ...value.map((item) => field(8, item)), field(20, ATTRIBUTE_INTS)],
        ),
      ),
    ),
  ]);
}

interface Graph {
  readonly nodes: readonly Node[];
  readonly constants: readonly Uint8Array[];
  readonly inputs: readonly Uint8Array[];
  readonly outputs: readonly Uint8Array[];
  readonly metadata: Readonly<Record<string, string | number>>;
}

function model({ nodes, constants, inputs, outputs, metadata }: Graph): Uint8Array {
  const graph = message([
    ...nodes.map((each) => field(1, node(each))),
    field(2, 'tiny'),
    ...constants.map((each) => field(5, each)),
    ...inputs.map((each) => field(11, each)),
    ...outputs.map((each) => field(12, each)),
  ]);
  return message([
    field(1, 8), // IR version
    field(7, graph),
    field(8, message([field(1, ''), field(2, 13)])), // operator set version
    ...Object.entries(metadata).map(([key, value]) =>
      field(14, message([field(1, key), field(2, String(value))])),
    ),
  ]);
}

/** The engine's mel filters: 80 bands up to 8 kHz, on Slaney's scale. */
const BANDS = 80;
const BLANK = '<blk>';

/** Returns a band's center frequency in hertz. */
function bandFrequency(band: number): number {
  const breakMel = 15;
  const mel = (frequency: number) =>
    frequency < 1000
      ? (frequency * 3) / 200
      : breakMel + (27 * Math.log(frequency / 1000)) / Math.log(6.4);
  const middle = ((band + 1) * mel(8000)) / (BANDS + 1);
  return middle < breakMel
    ? (middle * 200) / 3
    : 1000 * Math.exp(((middle - breakMel) * Math.log(6.4)) / 27);
}

/** Band of each token. `charlie` consists of two tokens. */
const tokenBands: ReadonlyMap<string, number> = new Map([
  ['▁alpha', 12],
  ['▁bravo', 22],
  ['▁char', 32],
  ['lie', 42],
  ['▁delta', 52],
  ['▁echo', 62],
]);
export const toneWords = ['alpha', 'bravo', 'charlie', 'delta', 'echo'] as const;
export type ToneWord = (typeof toneWords)[number];
const toTokens = (word: ToneWord) => (word === 'charlie' ? ['▁char', 'lie'] : [`▁${word}`]);

/** Minimum energy of a tone in its band, as a natural logarithm. */
const TONE_THRESHOLD = -3;

/** Creates a `ctc` model for tones. Each token's score is the energy in its band. */
export function tinyRecognizer(): { model: Uint8Array; tokens: string } {
  const tokens = [...tokenBands.keys()];
  const size = tokens.length + 1;
  const weights = new Array<number>(BANDS * size).fill(0);
  for (const [index, band] of [...tokenBands.values()].entries()) {
    weights[band * size + index] = 1;
  }
  const bias = [...tokens.map(() => 0), TONE_THRESHOLD];
  return {
    tokens: [...tokens, BLANK].map((token, id) => `${token} ${id}\n`).join(''),
    model: model({
      inputs: [valueInfo('features', FLOAT, ['N', BANDS, 'T']), valueInfo('length', INT64, ['N'])],
      outputs: [valueInfo('scores', FLOAT, ['N', 'T', size])],
      constants: [constant('weights', [BANDS, size], weights), constant('bias', [size], bias)],
      nodes: [
        {
          operator: 'Transpose',
          inputs: ['features'],
          outputs: ['frames'],
          attributes: { perm: [0, 2, 1] },
        },
        { operator: 'MatMul', inputs: ['frames', 'weights'], outputs: ['bands'] },
        { operator: 'Add', inputs: ['bands', 'bias'], outputs: ['scores'] },
      ],
      metadata: { vocab_size: size, subsampling_factor: 1, normalize_type: '' },
    }),
  };
}

/** Creates a `voice` model with Silero's interface, which classifies loud audio as a voice. */
export function tinyVoice(): Uint8Array {
  const state = [2, 1, 64];
  return model({
    inputs: [
      valueInfo('x', FLOAT, [1, 'N']),
      valueInfo('h', FLOAT, state),
      valueInfo('c', FLOAT, state),
    ],
    outputs: [
      valueInfo('prob', FLOAT, [1, 1]),
      valueInfo('new_h', FLOAT, state),
      valueInfo('new_c', FLOAT, state),
    ],
    constants: [constant('steepness', [1], [2000]), constant('threshold', [1], [0.01])],
    nodes: [
      { operator: 'Abs', inputs: ['x'], outputs: ['size'] },
      {
        operator: 'ReduceMean',
        inputs: ['size'],
        outputs: ['mean'],
        attributes: { axes: [1], keepdims: 1 },
      },
      { operator: 'Sub', inputs: ['mean', 'threshold'], outputs: ['above'] },
      { operator: 'Mul', inputs: ['above', 'steepness'], outputs: ['score'] },
      { operator: 'Sigmoid', inputs: ['score'], outputs: ['prob'] },
      { operator: 'Identity', inputs: ['h'], outputs: ['new_h'] },
      { operator: 'Identity', inputs: ['c'], outputs: ['new_c'] },
    ],
    metadata: {},
  });
}

const RATE = 16_000;

/** A two-second window and a 20 ms frame, in samples. */
const WINDOW_SAMPLES = 2 * RATE;
const FRAME_SAMPLES = 320;
/** Minimum loudness of a voice. */
const MIN_LOUDNESS = 0.02;

/**
 * Creates a `segmentation` model with pyannote's interface. It distinguishes speakers by brightness, measured as the
 * difference between consecutive samples.
 */
export function tinySegmentation(): Uint8Array {
  const pooling = { kernel_shape: [FRAME_SAMPLES], strides: [FRAME_SAMPLES] };
  // Silence and three speakers are scored by loudness and brightness. The third speaker never occurs.
  const weights = [0, 1, -1, 0, 0, -3, 3, 0];
  return model({
    inputs: [valueInfo('x', FLOAT, [1, 1, 'T'])],
    outputs: [valueInfo('scores', FLOAT, [1, 'F', 4])],
    constants: [
      constant('difference', [1, 1, 2], [-1, 1]),
      constant('weights', [2, 4], weights),
      constant('bias', [4], [MIN_LOUDNESS, 0, 0, -9]),
    ],
    nodes: [
      { operator: 'Abs', inputs: ['x'], outputs: ['size'] },
      {
        operator: 'Conv',
        inputs: ['x', 'difference'],
        outputs: ['slope'],
        attributes: { kernel_shape: [2], pads: [1, 0] },
      },
      { operator: 'Abs', inputs: ['slope'], outputs: ['change'] },
      { operator: 'AveragePool', inputs: ['size'], outputs: ['loudness'], attributes: pooling },
      { operator: 'AveragePool', inputs: ['change'], outputs: ['changes'], attributes: pooling },
      {
        operator: 'Concat',
        inputs: ['loudness', 'changes'],
        outputs: ['both'],
        attributes: { axis: 1 },
      },
      {
        operator: 'Transpose',
        inputs: ['both'],
        outputs: ['frames'],
        attributes: { perm: [0, 2, 1] },
      },
      { operator: 'MatMul', inputs: ['frames', 'weights'], outputs: ['sums'] },
      { operator: 'Add', inputs: ['sums', 'bias'], outputs: ['scores'] },
    ],
    metadata: {
      sample_rate: RATE,
      window_size: WINDOW_SAMPLES,
      receptive_field_size: FRAME_SAMPLES,
      receptive_field_shift: FRAME_SAMPLES,
      num_speakers: 3,
      powerset_max_classes: 1,
      num_classes: 4,
    },
  });
}

/** Creates an `embedding` model, which returns how far each band's energy is above a floor. */
export function tinyEmbedding(): Uint8Array {
  return model({
    inputs: [valueInfo('x', FLOAT, [1, 'T', BANDS])],
    outputs: [valueInfo('voice', FLOAT, [1, BANDS])],
    constants: [constant('floor', [1], [3])],
    nodes: [
      { operator: 'Add', inputs: ['x', 'floor'], outputs: ['raised'] },
      { operator: 'Relu', inputs: ['raised'], outputs: ['heard'] },
      {
        operator: 'ReduceMean',
        inputs: ['heard'],
        outputs: ['voice'],
        attributes: { axes: [1], keepdims: 0 },
      },
    ],
    metadata: {
      framework: '3d-speaker',
      language: 'tones',
      output_dim: BANDS,
      sample_rate: RATE,
      normalize_samples: 1,
      feature_normalize_type: '',
    },
  });
}

/** Duration of a tone and of the silence after a word, in seconds. */
const TONE_SECONDS = 0.24;
const GAP_SECONDS = 0.16;

export interface SpokenTones {
  /** Samples at 16 kHz, mono. */
  readonly samples: Int16Array;
  readonly words: readonly {
    readonly text: ToneWord;
    readonly start: number;
    readonly end: number;
  }[];
}

/** Synthesizes words as tones, after a second of silence. */
export function synthesizeTones(words: readonly ToneWord[]): SpokenTones {
  const samples: number[] = new Array<number>(RATE).fill(0);
  const times = words.map((text) => {
    const start = samples.length / RATE;
    for (const token of toTokens(text)) {
      const frequency = bandFrequency(tokenBands.get(token) as number);
      for (let index = 0; index < TONE_SECONDS * RATE; index += 1) {
        samples.push(8000 * Math.sin((2 * Math.PI * frequency * index) / RATE));
      }
    }
    const end = samples.length / RATE;
    for (let index = 0; index < GAP_SECONDS * RATE; index += 1) samples.push(0);
    return { text, start, end };
  });
  return { samples: Int16Array.from(samples), words: times };
}
