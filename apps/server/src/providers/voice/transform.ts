/**
 * Creates a Hann-windowed FFT over a ring buffer.
 * @param size number of samples, a power of two
 * @returns a function that receives a ring buffer of this size and the index of its oldest sample, and returns the
 *   lower half of the power spectrum, valid until the next call
 */
export function createTransform(size: number): (ring: Float64Array, from: number) => Float64Array {
  const angle = (at: number) => (2 * Math.PI * at) / size;
  const cosines = Float64Array.from({ length: size / 2 }, (_, at) => Math.cos(angle(at)));
  const sines = Float64Array.from({ length: size / 2 }, (_, at) => Math.sin(angle(at)));
  const hann = Float64Array.from(
    { length: size },
    (_, at) => 0.5 - 0.5 * Math.cos(angle(at + 0.5)),
  );
  const bits = Math.log2(size);
  const reversed = Uint32Array.from({ length: size }, (_, at) => {
    let mirrored = 0;
    for (let bit = 0; bit < bits; bit += 1) mirrored |= ((at >> bit) & 1) << (bits - 1 - bit);
    return mirrored;
  });
  const real = new Float64Array(size);
  const imaginary = new Float64Array(size);
  const power = new Float64Array(size / 2);
  const valueAt = (values: Float64Array, at: number) => values[at] as number;

  return (ring, from) => {
    imaginary.fill(0);
    for (let at = 0; at < size; at += 1) {
      real[reversed[at] as number] = valueAt(ring, (from + at) % size) * valueAt(hann, at);
    }
    // Cooley–Tukey butterflies.
    for (let half = 1; half < size; half *= 2) {
      const step = size / (2 * half);
      for (let start = 0; start < size; start += 2 * half) {
        for (let at = 0; at < half; at += 1) {
          const low = start + at;
          const high = low + half;
          const cosine = valueAt(cosines, at * step);
          const sine = valueAt(sines, at * step);
          const x = valueAt(real, high) * cosine + valueAt(imaginary, high) * sine;
          const y = valueAt(imaginary, high) * cosine - valueAt(real, high) * sine;
          real[high] = valueAt(real, low) - x;
          imaginary[high] = valueAt(imaginary, low) - y;
          real[low] = valueAt(real, low) + x;
          imaginary[low] = valueAt(imaginary, low) + y;
        }
      }
    }
    for (let at = 0; at < size / 2; at += 1)
      power[at] = valueAt(real, at) ** 2 + valueAt(imaginary, at) ** 2;
    return power;
  };
}
