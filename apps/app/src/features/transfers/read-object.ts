import type { CallFailure } from '@linnet/contract/client';
import { limits } from '@linnet/contract/limits';
import type { CloudResult } from '@linnet/sync';

const failed = (failure: CallFailure): CloudResult<null> => ({ ok: false, failure });

/**
 * Downloads an object from a byte offset. If the storage ignores the range and sends the complete object, skips the
 * bytes before the offset.
 * @param onPiece called with each piece in order and the total size. The next piece is read only after its promise
 * resolves.
 * @throws the error if `onPiece` rejects
 */
export async function readObject(
  url: string,
  fromByte: number,
  onPiece: (bytes: Uint8Array, size: number) => Promise<void>,
  signal: AbortSignal,
): Promise<CloudResult<null>> {
  const idleController = new AbortController();
  let timer = 0;
  const restartIdleTimer = () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => idleController.abort(), limits.transferIdleTimeoutMs);
  };
  const toFailure = (cause: unknown): CloudResult<null> => {
    if (signal.aborted) return failed({ kind: 'aborted' });
    return failed(idleController.signal.aborted ? { kind: 'timeout' } : { kind: 'network', cause });
  };
  restartIdleTimer();
  try {
    let response: Response;
    try {
      response = await fetch(url, {
        headers: fromByte > 0 ? { range: `bytes=${fromByte}-` } : {},
        signal: AbortSignal.any([signal, idleController.signal]),
        credentials: 'omit',
        cache: 'no-store',
      });
    } catch (error) {
      return toFailure(error);
    }
    // The offset is at the end of the object, so there is nothing to download.
    if (response.status === 416) return { ok: true, data: null };
    if (!response.ok || !response.body) return failed({ kind: 'http', status: response.status });
    const isPartial = response.status === 206;
    let bytesToSkip = isPartial ? 0 : fromByte;
    const contentLength = Number(response.headers.get('content-length') ?? 0);
    const size = isPartial ? fromByte + contentLength : contentLength;
    const reader = response.body.getReader();
    for (;;) {
      let result: Awaited<ReturnType<typeof reader.read>>;
      try {
        result = await reader.read();
      } catch (error) {
        return toFailure(error);
      }
      if (result.done) return { ok: true, data: null };
      restartIdleTimer();
      const bytes = result.value.subarray(Math.min(bytesToSkip, result.value.length));
      bytesToSkip -= result.value.length - bytes.length;
      if (bytes.length === 0) continue;
      try {
        await onPiece(bytes, size);
      } catch (error) {
        await reader.cancel();
        throw error;
      }
    }
  } finally {
    clearTimeout(timer);
  }
}
