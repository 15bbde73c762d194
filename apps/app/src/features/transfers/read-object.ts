import type { CallFailure } from '@linnet/contract/client';
import { limits } from '@linnet/contract/limits';
import type { CloudResult } from '@linnet/sync';

const failed = (failure: CallFailure): CloudResult<null> => ({ ok: false, failure });

/**
 * Reads a stored file from an offset. If a server ignores the range and sends the complete file, the bytes before
 * the offset are skipped.
 * @param onPiece called with each piece in order and the total size; the next piece is read once it resolves
 * @throws the rejection of `onPiece`
 */
export async function readObject(
  url: string,
  fromByte: number,
  onPiece: (bytes: Uint8Array, size: number) => Promise<void>,
  signal: AbortSignal,
): Promise<CloudResult<null>> {
  const idle = new AbortController();
  let timer = 0;
  const restartIdleTimer = () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => idle.abort(), limits.transferIdleTimeoutMs);
  };
  const toFailure = (cause: unknown): CloudResult<null> => {
    if (signal.aborted) return failed({ kind: 'aborted' });
    return failed(idle.signal.aborted ? { kind: 'timeout' } : { kind: 'network', cause });
  };
  restartIdleTimer();
  try {
    let response: Response;
    try {
      response = await fetch(url, {
        headers: fromByte > 0 ? { range: `bytes=${fromByte}-` } : {},
        signal: AbortSignal.any([signal, idle.signal]),
        credentials: 'omit',
        cache: 'no-store',
      });
    } catch (error) {
      return toFailure(error);
    }
    // The file was already complete.
    if (response.status === 416) return { ok: true, data: null };
    if (!response.ok || !response.body) return failed({ kind: 'http', status: response.status });
    let skip = response.status === 206 ? 0 : fromByte;
    const rest = Number(response.headers.get('content-length') ?? 0);
    const size = response.status === 206 ? fromByte + rest : rest;
    const reader = response.body.getReader();
    for (;;) {
      let read: Awaited<ReturnType<typeof reader.read>>;
      try {
        read = await reader.read();
      } catch (error) {
        return toFailure(error);
      }
      if (read.done) return { ok: true, data: null };
      restartIdleTimer();
      const bytes = read.value.subarray(Math.min(skip, read.value.length));
      skip -= read.value.length - bytes.length;
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
