import { AudioStoreError } from '@linnet/sync';
import { proxy, wrap } from 'comlink';
import type { Recode } from '../../features/export/audio.ts';
import type { RecodeApi } from './recode-api.ts';

/** Converts audio to a different format in a separate worker. */
export const recode: Recode = async (file, format, onProgress, signal) => {
  signal.throwIfAborted();
  const thread = new Worker(new URL('./recode.worker.ts', import.meta.url), { type: 'module' });
  const failure = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    thread.addEventListener('error', ({ message }) =>
      reject(new AudioStoreError('io_failed', { cause: new Error(message) })),
    );
  });
  try {
    const work = wrap<RecodeApi>(thread).recode(file, format, proxy(onProgress));
    const result = await Promise.race([work, failure]);
    if (result.ok) return result.value;
    const code = result.code === 'no_decoder' ? 'not_audio' : result.code;
    throw new AudioStoreError(code, { cause: new Error(result.message) });
  } finally {
    thread.terminate();
  }
};
