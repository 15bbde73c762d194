/** Maximum real-time factor (processing time divided by audio duration) for showing tentative text. */
const maxTentativeFactor = 0.5;
/**
 * Seconds of audio after which a measurement counts half. A single slow slice, for example while another process was busy,
 * then doesn't end tentative text, but a slow engine does within a few slices.
 */
const HALF_LIFE_SECONDS = 30;

/**
 * Measures whether an engine is fast enough to recognize audio twice: up to a pause, and again with the speech after
 * it.
 */
export class SpeedMeter {
  #isLoaded = false;
  /** Processing time and audio duration in seconds, with earlier slices weighted less. */
  #processing = 0;
  #audio = 0;

  /** Adds the measurement of a slice. Both times are in seconds. */
  add(processing: number, audio: number): void {
    // The first measurement includes loading the model.
    if (this.#isLoaded) {
      const weight = 0.5 ** (audio / HALF_LIFE_SECONDS);
      this.#processing = this.#processing * weight + processing;
      this.#audio = this.#audio * weight + audio;
    }
    this.#isLoaded = true;
  }

  get isTooSlow(): boolean {
    return this.#processing > this.#audio * maxTentativeFactor;
  }
}
