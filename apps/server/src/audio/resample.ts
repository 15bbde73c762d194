/** Half the width of the filter in zero crossings of its sinc: 16 keep the stop band below -70 dB. */
const crossings = 16;

/**
 * Turns interleaved 16-bit PCM of any rate and number of channels into mono at another rate, through a
 * windowed-sinc low-pass: what the target rate cannot carry is filtered out, not folded back.
 * @param sampleRate of the input, in hertz
 * @param targetRate in hertz
 */
export function toMono(
  samples: Int16Array,
  channels: number,
  sampleRate: number,
  targetRate: number,
): Int16Array {
  const mono = channels === 1 ? samples : mixDown(samples, channels);
  return sampleRate === targetRate ? mono : resample(mono, sampleRate, targetRate);
}

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

function resample(input: Int16Array, from: number, to: number): Int16Array {
  const divisor = gcd(from, to);
  // Output n lies at input n * step / phases: its place between two input samples repeats.
  const [phases, step] = [to / divisor, from / divisor];
  const filters = Array.from({ length: phases }, (_, phase) =>
    filterAt(phase / phases, Math.min(1, to / from)),
  );
  const output = new Int16Array(Math.floor((input.length * phases) / step));
  for (let n = 0; n < output.length; n += 1) {
    const position = n * step;
    const centre = Math.floor(position / phases);
    const { first, taps } = filters[position % phases] as Filter;
    let sum = 0;
    for (let tap = 0; tap < taps.length; tap += 1) {
      sum += (taps[tap] ?? 0) * (input[centre + first + tap] ?? 0);
    }
    output[n] = Math.max(-32768, Math.min(32767, Math.round(sum)));
  }
  return output;
}

interface Filter {
  /** Offset of the first tap from the input sample at or before the output's place. */
  readonly first: number;
  readonly taps: Float64Array;
}

/** @param cutoff as a part of the input's Nyquist frequency */
function filterAt(fraction: number, cutoff: number): Filter {
  const reach = Math.ceil(crossings / cutoff);
  const taps = Float64Array.from({ length: 2 * reach }, (_, tap) => {
    const x = (tap - reach + 1 - fraction) * cutoff;
    const window = 0.5 + 0.5 * Math.cos((Math.PI * x) / crossings);
    return Math.abs(x) < crossings ? sinc(x) * window : 0;
  });
  // Unit gain at zero frequency, whatever the window cut off.
  const gain = taps.reduce((sum, tap) => sum + tap, 0);
  return { first: 1 - reach, taps: taps.map((tap) => tap / gain) };
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}
