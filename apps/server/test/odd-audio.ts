/** Generates deterministic audio that isn't plain speech, by default at 16 kHz, mono. */
const rate = 16_000;

/** Generates reproducible white noise. */
export function noise(seconds: number, level = 3000): Int16Array {
  let state = 1;
  return Int16Array.from({ length: seconds * rate }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.round((state / 2 ** 31 - 1) * level);
  });
}

/** Returns the frequency of a note in equal temperament, given in semitones above the A at 220 Hz. */
const hertz = (semitones: number) => 220 * 2 ** (semitones / 12);
/** A tune in A minor with chords, half a second per note. */
const tune = [12, 15, 19, 24, 22, 19, 17, 15, 12, 10, 12, 15, 17, 19, 15, 12];
const chords: readonly (readonly number[])[] = [
  [0, 3, 7],
  [-4, 0, 3],
  [-2, 2, 5],
  [-5, -1, 2],
];

/** Generates plucked strings: a tune over chords, with overtones that decay. */
export function music(seconds: number): Int16Array {
  const note = 0.5;
  return Int16Array.from({ length: seconds * rate }, (_, index) => {
    const time = index / rate;
    const beatIndex = Math.floor(time / note);
    const since = time - beatIndex * note;
    const chord = chords[Math.floor(beatIndex / 4) % chords.length] ?? [];
    const melody = pluck(hertz(tune[beatIndex % tune.length] ?? 12), since, 4);
    const below = chord.reduce(
      (sum, tone) => sum + pluck(hertz(tone - 12), (beatIndex % 4) * note + since, 1.5),
      0,
    );
    return Math.round(5000 * melody + 2500 * below);
  });
}

/** Generates bells: a tune with inharmonic partials, and one second of silence after every four seconds. */
export function bells(seconds: number): Int16Array {
  const note = 0.4;
  const fade = 0.05;
  return Int16Array.from({ length: seconds * rate }, (_, index) => {
    const time = index / rate;
    const beatIndex = Math.floor(time / note);
    // Each note overlaps the next two.
    const sound = [0, 1, 2].reduce((sum, ago) => {
      const step = tune[(beatIndex - ago) % tune.length];
      return step === undefined
        ? sum
        : sum + bell(hertz(step + 12), time - (beatIndex - ago) * note);
    }, 0);
    return Math.round(6000 * sound * Math.min(1, Math.max(0, (4 - (time % 5)) / fade)));
  });
}

/** Partials of a struck bar: frequency ratio, amplitude, decay rate. */
const partials: readonly (readonly [number, number, number])[] = [
  [1, 1, 4],
  [2.76, 0.5, 8],
  [5.4, 0.2, 14],
];

function bell(frequency: number, since: number): number {
  return partials.reduce(
    (sum, [times, loud, fading]) =>
      sum + loud * Math.sin(2 * Math.PI * frequency * times * since) * Math.exp(-fading * since),
    0,
  );
}

function pluck(frequency: number, since: number, fading: number): number {
  let sum = 0;
  for (let overtone = 1; overtone <= 6; overtone += 1) {
    sum += Math.sin(2 * Math.PI * frequency * overtone * since) / overtone ** 1.5;
  }
  return sum * Math.exp(-fading * since) * Math.min(1, since * 200);
}

/** Creates a WAV file in any sample format. */
export function createWave(
  samples: Int16Array,
  { sampleRate = rate, channels = 1, bits = 16, float = false } = {},
): Uint8Array<ArrayBuffer> {
  const width = bits / 8;
  const bytes = Buffer.alloc(44 + samples.length * width);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(float ? 3 : 1, 20);
  bytes.writeUInt16LE(channels, 22);
  bytes.writeUInt32LE(sampleRate, 24);
  bytes.writeUInt32LE(sampleRate * channels * width, 28);
  bytes.writeUInt16LE(channels * width, 32);
  bytes.writeUInt16LE(bits, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(samples.length * width, 40);
  for (const [index, sample] of samples.entries()) {
    const offset = 44 + index * width;
    if (float) bytes.writeFloatLE(sample / 32_768, offset);
    else if (bits === 8) bytes.writeUInt8((sample >> 8) + 128, offset);
    else if (bits === 16) bytes.writeInt16LE(sample, offset);
    else bytes.writeIntLE(sample * 2 ** (bits - 16), offset, width);
  }
  return new Uint8Array(bytes);
}
