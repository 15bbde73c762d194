/**
 * Child process that runs one sherpa-onnx task. A corrupt model can't crash anything else. The argument is the path of
 * a JSON file with a `SherpaTask`. Events are written to file descriptor 3.
 */
import { closeSync, createReadStream, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type * as Sherpa from 'sherpa-onnx-node';
import { meanVector, toUnit } from '../speakers/vectors.ts';
import { SPEECH_SAMPLE_RATE } from '../speech/port.ts';
import { EVENT_DESCRIPTOR, type SherpaEvent, type SherpaTask, type TaskAudio } from './protocol.ts';

/** Window size of Silero models, in samples. */
const VOICE_WINDOW = 512;
/** Number of windows between progress events, about half a minute of audio. */
const VOICE_REPORT = 1000;
/** Minimum samples in a slice. Models fail on shorter input, so it is padded with silence. */
const SHORTEST_SLICE = SPEECH_SAMPLE_RATE / 2;
/** Size of the detector's buffer in seconds, longer than any segment it may return. */
const VOICE_BUFFER_SECONDS = 60;

const emit = (event: SherpaEvent): void => {
  writeSync(EVENT_DESCRIPTOR, `${JSON.stringify(event)}\n`);
};

/** Reads samples as floats from −1 to 1. */
class SampleReader {
  readonly #file: number;
  readonly #audio: TaskAudio;

  constructor(audio: TaskAudio) {
    this.#audio = audio;
    this.#file = openSync(audio.path, 'r');
  }

  read(from: number, to: number): Float32Array {
    const bytes = Buffer.alloc((to - from) * 2);
    const position = this.#audio.dataOffset + from * 2;
    const bytesRead = readSync(this.#file, bytes, 0, bytes.length, position);
    if (bytesRead < bytes.length) throw new Error('the audio file was truncated');
    const samples = new Float32Array(to - from);
    for (let index = 0; index < samples.length; index += 1)
      samples[index] = bytes.readInt16LE(index * 2) / 32_768;
    return samples;
  }

  close(): void {
    closeSync(this.#file);
  }
}

function recognize(sherpa: typeof Sherpa, task: SherpaTask & { kind: 'recognize' }): void {
  const recognizer = new sherpa.OfflineRecognizer(task.config);
  emit({ event: 'loaded' });
  const reader = new SampleReader(task.audio);
  for (const [slice, { from, to }] of task.slices.entries()) {
    const result = recognizeSlice(recognizer, task.options, reader.read(from, to));
    emit({ event: 'recognized', slice, result });
  }
  reader.close();
}

async function serve(sherpa: typeof Sherpa, task: SherpaTask & { kind: 'serve' }): Promise<void> {
  const recognizer = new sherpa.OfflineRecognizer(task.config);
  emit({ event: 'loaded' });
  let slice = 0;
  for await (const line of createInterface({ input: createReadStream(task.requests) })) {
    const audio = JSON.parse(line) as TaskAudio;
    const reader = new SampleReader(audio);
    const samples = reader.read(0, audio.sampleCount);
    reader.close();
    const result = recognizeSlice(recognizer, task.options, samples);
    emit({ event: 'recognized', slice, result });
    slice += 1;
  }
}

function recognizeSlice(
  recognizer: Sherpa.OfflineRecognizer,
  options: Readonly<Record<string, string>>,
  audio: Float32Array,
) {
  const stream = recognizer.createStream();
  for (const [name, value] of Object.entries(options)) stream.setOption(name, value);
  const samples = new Float32Array(Math.max(SHORTEST_SLICE, audio.length));
  samples.set(audio);
  stream.acceptWaveform({ samples, sampleRate: SPEECH_SAMPLE_RATE });
  recognizer.decode(stream);
  return recognizer.getResult(stream) as (SherpaEvent & { event: 'recognized' })['result'];
}

function detect(sherpa: typeof Sherpa, task: SherpaTask & { kind: 'detect' }): void {
  const detector = new sherpa.Vad(task.config, VOICE_BUFFER_SECONDS);
  emit({ event: 'loaded' });
  const reader = new SampleReader(task.audio);
  const emitSegments = () => {
    for (; !detector.isEmpty(); detector.pop()) {
      // Passing `false` copies the samples, because `pop` frees the original samples.
      const { start, samples } = detector.front(false);
      emit({ event: 'speech', from: start, to: start + samples.length });
    }
  };
  const { sampleCount } = task.audio;
  for (let offset = 0, windows = 0; offset < sampleCount; offset += VOICE_WINDOW, windows += 1) {
    const window = new Float32Array(VOICE_WINDOW);
    window.set(reader.read(offset, Math.min(sampleCount, offset + VOICE_WINDOW)));
    detector.acceptWaveform(window);
    emitSegments();
    if (windows % VOICE_REPORT === 0) emit({ event: 'progress', fraction: offset / sampleCount });
  }
  detector.flush();
  emitSegments();
  reader.close();
}

function diarize(sherpa: typeof Sherpa, task: SherpaTask & { kind: 'diarize' }): void {
  const diarizer = new sherpa.OfflineSpeakerDiarization(task.config);
  emit({ event: 'loaded' });
  if (diarizer.sampleRate !== SPEECH_SAMPLE_RATE) {
    throw new Error(`the model requires ${diarizer.sampleRate} Hz`);
  }
  const reader = new SampleReader(task.audio);
  const samples = reader.read(0, task.audio.sampleCount);
  reader.close();
  emit({ event: 'turns', turns: diarizer.process(samples) });
}

function embed(sherpa: typeof Sherpa, task: SherpaTask & { kind: 'embed' }): void {
  const extractor = new sherpa.SpeakerEmbeddingExtractor(task.config);
  emit({ event: 'loaded' });
  const reader = new SampleReader(task.audio);
  for (const { speaker, parts } of task.speakers) {
    const embeddings = parts.map(({ from, to }) => {
      const stream = extractor.createStream();
      stream.acceptWaveform({ samples: reader.read(from, to), sampleRate: SPEECH_SAMPLE_RATE });
      stream.inputFinished();
      // Passing `false` copies the result, because Electron and some versions of Node.js forbid external buffers.
      return toUnit(extractor.compute(stream, false));
    });
    emit({ event: 'embedded', speaker, embedding: [...meanVector(embeddings)] });
  }
  reader.close();
}

async function load(): Promise<typeof Sherpa | null> {
  try {
    const { default: sherpa } = await import('sherpa-onnx-node');
    emit({ event: 'begun' });
    return sherpa;
  } catch (error) {
    emit({ event: 'absent', reason: error instanceof Error ? error.message : String(error) });
    return null;
  }
}

const task = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as SherpaTask;
const sherpa = await load();
if (sherpa === null) process.exitCode = 1;
else if (task.kind === 'recognize') recognize(sherpa, task);
else if (task.kind === 'serve') await serve(sherpa, task);
else if (task.kind === 'detect') detect(sherpa, task);
else if (task.kind === 'embed') embed(sherpa, task);
else diarize(sherpa, task);
