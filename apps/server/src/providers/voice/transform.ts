/**
 * Creates a Hann-windowed FFT over a ring buffer.
 * @param size number of samples, a power of two
 * @returns a function that takes a ring buffer of that size and the index of its oldest sample. It returns the
 * lower half of the power spectrum, valid until the next call.
 */
export function createTransform(size: number): (ring: Float64Array, from: number) => Float64Array {
  const turn = (at: number) => (2 * Math.PI * at) / size;
  const cosines = Float64Array.from({ length: size / 2 }, (_, at) => Math.cos(turn(at)));
  const sines = Float64Array.from({ length: size / 2 }, (_, at) => Math.sin(turn(at)));
  const hann = Float64Array.from({ length: size }, (_, at) => 0.5 - 0.5 * Math.cos(turn(at + 0.5)));
  const bits = Math.log2(size);
  const reversed = Uint32Array.from({ length: size }, (_, at) => {
    let mirrored = 0;
    for (let bit = 0; bit < bits; bit += 1) mirrored |= ((at >> bit) & 1) << (bits - 1 - bit);
    return mirrored;
  });
  const real = new Float64Array(size);
  const imaginary = new Float64Array(size);
  const power = new Float64Array(size / 2);
  const of = (values: Float64Array, at: number) => values[at] as number;

  return (ring, from) => {
    imaginary.fill(0);
    for (let at = 0; at < size; at += 1) {
      real[reversed[at] as number] = of(ring, (from + at) % size) * of(hann, at);
    }
    // Cooley–Tukey butterflies.
    for (let half = 1; half < size; half *= 2) {
      const step = size / (2 * half);
      for (let start = 0; start < size; start += 2 * half) {
        for (let at = 0; at < half; at += 1) {
          const low = start + at;
          const high = low + half;
          const cosine = of(cosines, at * step);
          const sine = of(sines, at * step);
          const x = of(real, high) * cosine + of(imaginary, high) * sine;
          const y = of(imaginary, high) * cosine - of(real, high) * sine;
          real[high] = of(real, low) - x;
          imaginary[high] = of(imaginary, low) - y;
          real[low] = of(real, low) + x;
          imaginary[low] = of(imaginary, low) + y;
        }
      }
    }
    for (let at = 0; at < size / 2; at += 1) power[at] = of(real, at) ** 2 + of(imaginary, at) ** 2;
    return power;
  };
}
