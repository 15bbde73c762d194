/** Sampling rates of the world to the microphone's 16 kHz. */

export const SAMPLE_RATE = 16_000;
/** Zero crossings of the sinc on either side: stopband about 60 dB down under a Hann window. */
const LOBES = 16;

/** Averages interleaved channels into one. */
export function mixDown(samples: Int16Array, channels: number): Int16Array {
  if (channels === 1) return samples;
  const out = new Int16Array(Math.floor(samples.length / channels));
  for (let frame = 0; frame < out.length; frame++) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++) {
      sum += samples[frame * channels + channel] ?? 0;
    }
    out[frame] = Math.round(sum / channels);
  }
  return out;
}

/** Band-limited resampling of mono PCM by a Hann-windowed sinc. */
export function resample(samples: Int16Array, from: number, to: number = SAMPLE_RATE): Int16Array {
  if (from === to) return samples;
  const cutoff = Math.min(1, to / from);
  const reach = LOBES / cutoff;
  const out = new Int16Array(Math.floor((samples.length * to) / from));
  for (let index = 0; index < out.length; index++) {
    const centre = (index * from) / to;
    let sum = 0;
    let weight = 0;
    for (let at = Math.ceil(centre - reach); at <= centre + reach; at++) {
      const x = (at - centre) * cutoff;
      const sinc = x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
      const tap = sinc * (0.5 + 0.5 * Math.cos((Math.PI * x) / LOBES));
      sum += tap * (samples[at] ?? 0);
      weight += tap;
    }
    out[index] = Math.max(-32768, Math.min(32767, Math.round(sum / weight)));
  }
  return out;
}
