/** The audio worklet that passes its inputs' samples to the worker. It runs on the browser's audio thread. */
import type { WorkletCommand, WorkletOutput } from './microphone-api.ts';

/** The parts of the worklet's global scope that TypeScript's libraries don't declare. */
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(
  name: string,
  processor: new () => AudioWorkletProcessor & {
    process(inputs: readonly (readonly Float32Array[])[]): boolean;
  },
): void;

/** Samples per message: 64 ms at 16 kHz. Shorter messages use more CPU time; longer ones lose more in a crash. */
const SAMPLES_PER_MESSAGE = 1024;

/** Writes the mean of the channels to `mono`. */
function mixDown(channels: readonly Float32Array[], mono: Float32Array): void {
  for (let index = 0; index < mono.length; index += 1) {
    let sum = 0;
    for (const channel of channels) sum += channel[index] as number;
    mono[index] = channels.length === 0 ? 0 : sum / channels.length;
  }
}

class MicrophoneTap extends AudioWorkletProcessor {
  #sink: MessagePort | null = null;
  /** Each input's pending samples. */
  #samples: Float32Array<ArrayBuffer>[] = [];
  #count = 0;

  constructor() {
    super();
    this.port.onmessage = ({ data, ports }: MessageEvent<WorkletCommand>) => {
      if (data === 'start') this.#sink = ports[0] ?? null;
      else this.#end();
    };
  }

  /**
   * Called for every 128 samples. The microphone's samples determine the recording's duration; any other input without
   * channels counts as silent.
   * @returns true, to keep the processor alive
   */
  process(inputs: readonly (readonly Float32Array[])[]): boolean {
    const frames = inputs[0]?.[0]?.length;
    if (!this.#sink || frames === undefined) return true;
    for (const [input, channels] of inputs.entries()) {
      this.#samples[input] ??= new Float32Array(SAMPLES_PER_MESSAGE);
      mixDown(channels, this.#samples[input].subarray(this.#count, this.#count + frames));
    }
    this.#count += frames;
    // Both sizes are powers of two, so one call's samples always fit into one message.
    if (this.#count === SAMPLES_PER_MESSAGE) this.#send();
    return true;
  }

  #send(): void {
    this.#post(this.#samples.map((samples) => samples.slice(0, this.#count)));
    this.#count = 0;
  }

  #end(): void {
    this.#send();
    this.#post('end');
    this.#sink = null;
  }

  #post(output: WorkletOutput): void {
    this.#sink?.postMessage(output, output === 'end' ? [] : output.map(({ buffer }) => buffer));
  }
}

registerProcessor('linnet-microphone', MicrophoneTap);
