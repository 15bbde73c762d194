/** Why a file couldn't be decoded. */
export type DecodeFailureCode =
  /** The file is damaged or not a known kind of audio, or it exceeds the limits of the child process. */
  | 'unreadable'
  /** Only ffmpeg decodes this kind of audio, but this server doesn't have it. */
  | 'no-decoder'
  /** The file contains more audio than the caller allows. */
  | 'too-long'
  /** The process exited without a result. The file isn't necessarily the cause. */
  | 'crashed'
  /** The file contains no bytes or no samples. */
  | 'empty';

export class DecodeFailure extends Error {
  override readonly name = 'DecodeFailure';
  readonly code: DecodeFailureCode;
  constructor(code: DecodeFailureCode, detail: string) {
    super(`${code}: ${detail}`);
    this.code = code;
  }
}

/** Signals sent by the kernel or V8 to a process that exceeds its limits. */
const limitSignals: ReadonlySet<NodeJS.Signals | number | null> = new Set([
  'SIGXCPU',
  'SIGXFSZ',
  'SIGABRT',
  'SIGTRAP',
  'SIGSEGV',
  'SIGBUS',
  'SIGILL',
]);

/**
 * Returns the failure for a decoding process that exited without a result.
 * @param end signal or exit status of the process
 * @param errorLine line of the error output that describes the failure, or ''
 */
export function exitFailure(end: NodeJS.Signals | number | null, errorLine: string): DecodeFailure {
  // A shell reports a status above 128 if a signal ended the process.
  const isBeyondLimits = limitSignals.has(end) || (typeof end === 'number' && end > 128);
  return isBeyondLimits
    ? new DecodeFailure('unreadable', `beyond the limits: ${end} ${errorLine}`.trim())
    : new DecodeFailure('crashed', `exited with ${end} ${errorLine}`.trim());
}
