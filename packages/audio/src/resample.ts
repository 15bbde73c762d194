import type { Wave } from './wave/index.ts';

/** Half the filter's width, in zero crossings of the sinc. With 16, the stop band stays below -70 dB. */
const ZERO_CROSSINGS = 16;

/** Filter taps smaller than this can't affect any 16-bit sample. */
const NEGLIGIBLE_TAP = 1e-9;

/** Converts an audio stream to mono at a different sample rate. */
export interface MonoStream {
  /** Converts complete frames of interleaved channels, and returns the output available so far. */
  push(samples: Int16Array): Int16Array;
  /** Ends the input and returns the rest of the output. */
  end(): Int16Array;
}

/**
 * Converts interleaved 16-bit PCM, at any rate and with any number of channels, to mono at a different rate. A
 * windowed-sinc low-pass filter prevents aliasing. The output doesn't depend on how the input is split.
 * @param sampleRate the input's rate, in hertz
 * @param targetRate the output's rate, in hertz
 */
export function createMonoStream(
  channels: number,
  sampleRate: number,
  targetRate: number,
): MonoStream {
  const resampler =
    sampleRate === targetRate ? identityStream : createResampler(sampleRate, targetRate);
  return {
    push: (samples) => resampler.push(channels === 1 ? samples : mixDown(samples, channels)),
    end: () => resampler.end(),
  };
}

/** Converts a complete recording to mono at a different rate. See {@link createMonoStream}. */
export function toMono({ samples, channels, sampleRate }: Wave, targetRate: number): Int16Array {
  const stream = createMonoStream(channels, sampleRate, targetRate);
  return concatSamples(stream.push(samples), stream.end());
}

/** Concatenates two pieces of audio. */
export function concatSamples(first: Int16Array, second: Int16Array): Int16Array {
  const all = new Int16Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

const identityStream: MonoStream = {
  push: (samples) => samples,
  end: () => new Int16Array(),
};

function mixDown(samples: Int16Array, channels: number): Int16Array {
  const mono = new Int16Array(Math.floor(samples.length / channels));
  for (let frame = 0; frame < mono.length; frame += 1) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel += 1) {
      sum += samples[frame * channels + channel] ?? 0;
    }
    mono[frame] = Math.round(sum / channels);
  }
  return mono;
}

function createResampler(from: number, to: number): MonoStream {
  const divisor = gcd(from, to);
  // Output n is at input position n * step / phases. Its offset between two input samples repeats every `phases`
  // outputs, so one filter per phase suffices.
  const phases = to / divisor;
  const step = from / divisor;
  const cutoff = Math.min(1, to / from);
  const filters = Array.from({ length: phases }, (_, phase) => filterAt(phase / phases, cutoff));
  const reach = Math.ceil(ZERO_CROSSINGS / cutoff);
  /** Input still needed for later outputs, starting at sample `bufferStart`. */
  let buffered: Int16Array = new Int16Array();
  let bufferStart = 0;
  /** Number of outputs returned so far. */
  let rendered = 0;

  /** Computes the outputs from `rendered` up to `until`. */
  function render(until: number): Int16Array {
    const output = new Int16Array(Math.max(0, until - rendered));
    for (let n = 0; n < output.length; n += 1) {
      const position = (rendered + n) * step;
      const { first, taps } = filters[position % phases] as Filter;
      const begin = Math.floor(position / phases) + first - bufferStart;
      // Skip taps that lie before the first or after the last input sample, where the input counts as silence.
      const last = Math.min(taps.length, buffered.length - begin);
      let sum = 0;
      for (let tap = Math.max(0, -begin); tap < last; tap += 1) {
        sum += (taps[tap] as number) * (buffered[begin + tap] as number);
      }
      output[n] = Math.max(-32768, Math.min(32767, Math.round(sum)));
    }
    rendered += output.length;
    return output;
  }

  return {
    push(samples) {
      const drop = Math.max(0, Math.floor((rendered * step) / phases) + 1 - reach - bufferStart);
      const retained = buffered.subarray(drop);
      bufferStart += buffered.length - retained.length;
      buffered = concatSamples(retained, samples);
      // An output needs the next `reach` input samples after its position.
      return render(
        Math.ceil((Math.max(0, bufferStart + buffered.length - reach) * phases) / step),
      );
    },
    end: () => render(Math.floor(((bufferStart + buffered.length) * phases) / step)),
  };
}

interface Filter {
  /** Offset of the first tap from the input sample at or just before the output's position. */
  readonly first: number;
  readonly taps: Float64Array;
}

/**
 * Creates the filter for an output position between two input samples.
 * @param fraction the position, from 0 (at the first sample) to 1 (at the second)
 * @param cutoff the cutoff frequency, as a fraction of the input's Nyquist frequency
 */
function filterAt(fraction: number, cutoff: number): Filter {
  const reach = Math.ceil(ZERO_CROSSINGS / cutoff);
  const taps = Float64Array.from({ length: 2 * reach }, (_, tap) => {
    const x = (tap - reach + 1 - fraction) * cutoff;
    const window = 0.5 + 0.5 * Math.cos((Math.PI * x) / ZERO_CROSSINGS);
    return Math.abs(x) < ZERO_CROSSINGS ? sinc(x) * window : 0;
  });
  // Windowing changes the gain. Dividing by the sum of the taps restores unity gain at DC.
  const gain = taps.reduce((sum, tap) => sum + tap, 0);
  // Drop negligible taps, so an output at the position of an input sample equals the sample exactly.
  const isSignificant = (tap: number) => Math.abs(tap) > NEGLIGIBLE_TAP;
  const firstUsed = taps.findIndex(isSignificant);
  const usedTaps = taps.subarray(firstUsed, taps.findLastIndex(isSignificant) + 1);
  return { first: 1 - reach + firstUsed, taps: usedTaps.map((tap) => tap / gain) };
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}
