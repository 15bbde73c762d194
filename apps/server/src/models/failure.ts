/**
 * Why a model can't be installed or used.
 *
 * | code | cause | automatic download |
 * |---|---|---|
 * | unreachable | the server did not respond, or kept breaking the connection | retries less and less often |
 * | storage-full | not enough disk space | retries every hour |
 * | refused | the server rejected the request, or offers a file of a different size | retries every hour |
 * | content-mismatch | the SHA-256 differs; the file was deleted | gives up until the next start |
 * | busy | another process is downloading models into the same folder | waits for it |
 * | unusable | anything else: a bad name, archive or manifest, or a missing program | gives up until the next start |
 */
export const modelFailureCodes = [
  'unreachable',
  'storage-full',
  'refused',
  'content-mismatch',
  'busy',
  'unusable',
] as const;
export type ModelFailureCode = (typeof modelFailureCodes)[number];

/** Thrown if a model can't be installed or used. The message is a complete sentence for the operator. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
  readonly code: ModelFailureCode;

  constructor(message: string, { code = 'unusable', cause }: ModelFailureOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** Returns the failure for a full disk or an exhausted quota, or null for any other error. */
export function storageFailure(error: unknown): ModelFailure | null {
  const { code, path: file = 'the models folder' } = error as NodeJS.ErrnoException;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return null;
  return new ModelFailure(`not enough disk space for ${file}`, {
    code: 'storage-full',
    cause: error,
  });
}

interface ModelFailureOptions {
  /** Defaults to `unusable`. */
  readonly code?: ModelFailureCode;
  readonly cause?: unknown;
}
