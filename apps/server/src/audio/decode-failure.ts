/** Why a file couldn't be decoded. */
export type DecodeFailureCode =
  /** Not a known kind of audio, damaged, or too much for the child process's limits. */
  | 'unreadable'
  /** The kind needs ffmpeg, which this server doesn't have. */
  | 'no-decoder'
  /** More audio than the caller allows. */
  | 'too-long'
  /** The process ended without a result, which may not be the file's fault. */
  | 'crashed'
  /** No bytes or no samples. */
  | 'empty';

export class DecodeFailure extends Error {
  override readonly name = 'DecodeFailure';
  readonly code: DecodeFailureCode;
  constructor(code: DecodeFailureCode, detail: string) {
    super(`${code}: ${detail}`);
    this.code = code;
  }
}

/** Signals that end a process when it exceeds its limits, from the kernel or V8. */
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
 * Returns the failure for a decoding process that ended without a result.
 * @param end its signal or exit status
 * @param errorLine the line of its error output that describes the failure, if any
 */
export function exitFailure(end: NodeJS.Signals | number | null, errorLine: string): DecodeFailure {
  // If a signal ended the process, a shell reports a status above 128.
  const isBeyondLimits = limitSignals.has(end) || (typeof end === 'number' && end > 128);
  return isBeyondLimits
    ? new DecodeFailure('unreadable', `beyond the limits: ${end} ${errorLine}`.trim())
    : new DecodeFailure('crashed', `ended with ${end} ${errorLine}`.trim());
}
