/**
 * What can be wrong with audio bytes. The user interface words these; nothing here speaks.
 *
 * - `not-ogg`: the bytes do not begin with an Ogg page.
 * - `not-opus`: an Ogg stream whose first packet is not an OpusHead this product understands.
 * - `page-corrupt`: an Ogg page fails its checksum.
 * - `truncated`: the stream ends inside a page or a header.
 * - `not-wave`: the bytes are not a RIFF/WAVE file with PCM that is understood here.
 * - `opus-invalid`: libopus refused a packet or a setting, or a packet is larger than it takes.
 * - `too-long`: the file holds more audio than its reader was given a budget for.
 * - `rnnoise-invalid`: RNNoise could not be set up, or was handed less than a frame.
 */
export type AudioFailureCode =
  | 'not-ogg'
  | 'not-opus'
  | 'page-corrupt'
  | 'truncated'
  | 'not-wave'
  | 'opus-invalid'
  | 'too-long'
  | 'rnnoise-invalid';

/** The only error this package throws on purpose. */
export class AudioFailure extends Error {
  override readonly name = 'AudioFailure';
  readonly code: AudioFailureCode;

  constructor(code: AudioFailureCode, detail: string, options?: ErrorOptions) {
    super(`${code}: ${detail}`, options);
    this.code = code;
  }
}
