/**
 * Why audio data is invalid. The user interface maps each code to a translated message.
 *
 * - `not-ogg`: the bytes don't begin with an Ogg page.
 * - `not-opus`: an Ogg file has no supported Opus stream, or has several where only one is allowed.
 * - `page-corrupt`: an Ogg page has a wrong checksum in a file that must be intact, or too much of a file is damaged.
 * - `truncated`: the stream ends within a page or a header.
 * - `not-wave`: the bytes aren't a RIFF/WAVE file with supported PCM.
 * - `opus-invalid`: libopus rejected a packet or a setting, or a packet exceeds its maximum size.
 * - `too-long`: the file contains more audio than the reader was allowed to decode.
 * - `rnnoise-invalid`: RNNoise couldn't be initialized or received an incomplete frame.
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

/** The only error that this package throws deliberately. */
export class AudioFailure extends Error {
  override readonly name = 'AudioFailure';
  readonly code: AudioFailureCode;

  constructor(code: AudioFailureCode, detail: string, options?: ErrorOptions) {
    super(`${code}: ${detail}`, options);
    this.code = code;
  }
}
