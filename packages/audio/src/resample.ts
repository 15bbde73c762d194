import type { Wave } from './wave/index.ts';

/** Half the filter width in zero crossings of the sinc. With 16, the stop band is below -70 dB. */
const crossings = 16;

/** Threshold below which taps affect no 16-bit sample. */
const negligible = 1e-9;

/** Converts a stream of audio to mono at another sample rate, part by part. */
export interface MonoStream {
  /** @param samples complete frames of interleaved channels */
  push(samples: Int16Array): Int16Array;
  /** Returns the remaining samples, which waited for further input. */
  end(): Int16Array;
}

/**
 * Converts interleaved 16-bit PCM of any rate and number of channels to mono at another rate, through a windowed-sinc
 * low-pass that prevents aliasing. The output does not depend on how the input is split.
 * @param sampleRate of the input, in hertz
 * @param targetRate in hertz
 */
export function monoStream(channels: number, sampleRate: number, targetRate: number): MonoStream {
  const resampler = sampleRate === targetRate ? unchanged : createResampler(sampleRate, targetRate);
  return {
    push: (samples) => resampler.push(channels === 1 ? samples : mixDown(samples, channels)),
    end: () => resampler.end(),
  };
}

/** Converts a complete recording, as {@link monoStream}. */
export function toMono({ samples, channels, sampleRate }: Wave, targetRate: number): Int16Array {
  const stream = monoStream(channels, sampleRate, targetRate);
  return joined(stream.push(samples), stream.end());
}

/** Concatenates two pieces of audio. */
export function joined(first: Int16Array, second: Int16Array): Int16Array {
  const all = new Int16Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

const unchanged: MonoStream = {
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
  // Output n is at input position n * step / phases, so that its offset between two input samples repeats.
  const [phases, step] = [to / divisor, from / divisor];
  const cutoff = Math.min(1, to / from);
  const filters = Array.from({ length: phases }, (_, phase) => filterAt(phase / phases, cutoff));
  const reach = Math.ceil(crossings / cutoff);
  /** Input needed for later outputs, from input sample `start`. */
  let held: Int16Array = new Int16Array();
  let start = 0;
  /** Number of outputs returned so far. */
  let rendered = 0;

  /** Computes the outputs from `rendered` up to `until`. */
  function render(until: number): Int16Array {
    const output = new Int16Array(Math.max(0, until - rendered));
    for (let n = 0; n < output.length; n += 1) {
      const position = (rendered + n) * step;
      const { first, taps } = filters[position % phases] as Filter;
      const begin = Math.floor(position / phases) + first - start;
      // Samples before the first and after the last are silence.
      const last = Math.min(taps.length, held.length - begin);
      let sum = 0;
      for (let tap = Math.max(0, -begin); tap < last; tap += 1) {
        sum += (taps[tap] as number) * (held[begin + tap] as number);
      }
      output[n] = Math.max(-32768, Math.min(32767, Math.round(sum)));
    }
    rendered += output.length;
    return output;
  }

  return {
    push(samples) {
      const drop = Math.max(0, Math.floor((rendered * step) / phases) + 1 - reach - start);
      const kept = held.subarray(drop);
      start += held.length - kept.length;
      held = joined(kept, samples);
      // An output needs `reach` inputs ahead.
      return render(Math.ceil((Math.max(0, start + held.length - reach) * phases) / step));
    },
    end: () => render(Math.floor(((start + held.length) * phases) / step)),
  };
}

interface Filter {
  /** Offset of the first tap from the input sample at or before the output's position. */
  readonly first: number;
  readonly taps: Float64Array;
}

/** @param cutoff as a fraction of the input's Nyquist frequency */
function filterAt(fraction: number, cutoff: number): Filter {
  const reach = Math.ceil(crossings / cutoff);
  const taps = Float64Array.from({ length: 2 * reach }, (_, tap) => {
    const x = (tap - reach + 1 - fraction) * cutoff;
    const window = 0.5 + 0.5 * Math.cos((Math.PI * x) / crossings);
    return Math.abs(x) < crossings ? sinc(x) * window : 0;
  });
  // Normalizes to unit gain at zero frequency after windowing.
  const gain = taps.reduce((sum, tap) => sum + tap, 0);
  // Without negligible taps, an output that coincides with an input equals it exactly.
  const counts = (tap: number) => Math.abs(tap) > negligible;
  const skipped = taps.findIndex(counts);
  const used = taps.subarray(skipped, taps.findLastIndex(counts) + 1);
  return { first: 1 - reach + skipped, taps: used.map((tap) => tap / gain) };
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}
