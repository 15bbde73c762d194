import { AudioStoreError } from '@linnet/sync';
import { proxy, wrap } from 'comlink';
import type { Recode } from '../../features/export/sound.ts';
import type { RecodeApi } from './recode-api.ts';

/** Converts audio to another format in a dedicated worker. */
export const recode: Recode = async (file, format, onProgress, signal) => {
  signal.throwIfAborted();
  const thread = new Worker(new URL('./recode.worker.ts', import.meta.url), { type: 'module' });
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    thread.addEventListener('error', ({ message }) =>
      reject(new AudioStoreError('io_failed', { cause: new Error(message) })),
    );
  });
  try {
    const work = wrap<RecodeApi>(thread).recode(file, format, proxy(onProgress));
    const answer = await Promise.race([work, stopped]);
    if (answer.ok) return answer.value;
    const code = answer.code === 'no_decoder' ? 'not_audio' : answer.code;
    throw new AudioStoreError(code, { cause: new Error(answer.message) });
  } finally {
    thread.terminate();
  }
};
