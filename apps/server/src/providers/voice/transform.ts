/**
 * Creates a Hann-windowed FFT over a ring buffer.
 * @param size number of samples, a power of two
 * @returns a function that receives a ring buffer of this size and the index of its oldest sample, and returns the
 *   lower half of the power spectrum, valid until the next call
 */
export function createTransform(size: number): (ring: Float64Array, from: number) => Float64Array {
  const angle = (at: number) => (2 * Math.PI * at) / size;
  const cosines = Float64Array.from({ length: size / 2 }, (_, index) => Math.cos(angle(index)));
  const sines = Float64Array.from({ length: size / 2 }, (_, index) => Math.sin(angle(index)));
  const hann = Float64Array.from(
    { length: size },
    (_, index) => 0.5 - 0.5 * Math.cos(angle(index + 0.5)),
  );
  const bits = Math.log2(size);
  const reversed = Uint32Array.from({ length: size }, (_, index) => {
    let mirrored = 0;
    for (let bit = 0; bit < bits; bit += 1) mirrored |= ((index >> bit) & 1) << (bits - 1 - bit);
    return mirrored;
  });
  const real = new Float64Array(size);
  const imaginary = new Float64Array(size);
  const power = new Float64Array(size / 2);
  const valueAt = (values: Float64Array, index: number) => values[index] as number;

  return (ring, from) => {
    imaginary.fill(0);
    for (let index = 0; index < size; index += 1) {
      real[reversed[index] as number] = valueAt(ring, (from + index) % size) * valueAt(hann, index);
    }
    // Cooley–Tukey butterflies.
    for (let half = 1; half < size; half *= 2) {
      const step = size / (2 * half);
      for (let start = 0; start < size; start += 2 * half) {
        for (let index = 0; index < half; index += 1) {
          const low = start + index;
          const high = low + half;
          const cosine = valueAt(cosines, index * step);
          const sine = valueAt(sines, index * step);
          const x = valueAt(real, high) * cosine + valueAt(imaginary, high) * sine;
          const y = valueAt(imaginary, high) * cosine - valueAt(real, high) * sine;
          real[high] = valueAt(real, low) - x;
          imaginary[high] = valueAt(imaginary, low) - y;
          real[low] = valueAt(real, low) + x;
          imaginary[low] = valueAt(imaginary, low) + y;
        }
      }
    }
    for (let index = 0; index < size / 2; index += 1)
      power[index] = valueAt(real, index) ** 2 + valueAt(imaginary, index) ** 2;
    return power;
  };
}
