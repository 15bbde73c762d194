/** The audio worklet that passes the microphone's samples to the worker, on the browser's audio thread. */
import type { WorkletCommand, WorkletOutput } from './microphone-api.ts';

/** The parts of the worklet's global scope that TypeScript's libraries do not declare. */
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(
  name: string,
  processor: new () => AudioWorkletProcessor & {
    process(inputs: readonly (readonly Float32Array[])[]): boolean;
  },
): void;

/** Samples in a message: 43 ms at 48 kHz. Shorter messages cost more CPU time, and longer ones lose more in a crash. */
const SAMPLES_PER_MESSAGE = 2048;

class MicrophoneTap extends AudioWorkletProcessor {
  #sink: MessagePort | null = null;
  #samples = new Float32Array(SAMPLES_PER_MESSAGE);
  #count = 0;

  constructor() {
    super();
    this.port.onmessage = ({ data, ports }: MessageEvent<WorkletCommand>) => {
      if (data === 'start') this.#sink = ports[0] ?? null;
      else this.#end();
    };
  }

  /** Called for every 128 samples. The result keeps the processor alive. */
  process([channels = []]: readonly (readonly Float32Array[])[]): boolean {
    const [first] = channels;
    if (!this.#sink || !first) return true;
    for (let at = 0; at < first.length; at += 1) {
      let sum = 0;
      for (const channel of channels) sum += channel[at] as number;
      this.#samples[this.#count] = sum / channels.length;
      this.#count += 1;
      if (this.#count === SAMPLES_PER_MESSAGE) this.#send();
    }
    return true;
  }

  #send(): void {
    this.#post(this.#samples.slice(0, this.#count));
    this.#count = 0;
  }

  #end(): void {
    this.#send();
    this.#post('end');
    this.#sink = null;
  }

  #post(output: WorkletOutput): void {
    this.#sink?.postMessage(output, output === 'end' ? [] : [output.buffer]);
  }
}

registerProcessor('linnet-microphone', MicrophoneTap);
