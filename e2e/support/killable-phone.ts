/**
 * A phone in a separate process that a test can kill at any time. It syncs one session and reports its progress to the
 * parent process. Arguments: the phone's folder, and the address of the recorder's radio.
 */
import { openRecorderSession } from '@linnet/device/session';
import type { AudioStore } from '@linnet/sync';
import { openWebSocket } from '@linnet/transports/websocket';
import { openNodePhone } from './node-phone.ts';

/** A message to the parent process. */
export type PhoneMessage =
  /** The transfer has started at this byte offset. */
  | { readonly type: 'started'; readonly offset: number }
  /** This many bytes have been written to disk. */
  | { readonly type: 'durable'; readonly bytes: number }
  | { readonly type: 'converting' }
  | { readonly type: 'done' };

const report = (message: PhoneMessage) => process.send?.(message);

/** Wraps an audio store so that it reports its progress to the parent process. */
function withReporting(audio: AudioStore): AudioStore {
  return {
    ...audio,
    async openPackets(id, chunkBytes) {
      const file = await audio.openPackets(id, chunkBytes);
      report({ type: 'started', offset: file.bytes });
      return {
        get bytes() {
          return file.bytes;
        },
        async append(bytes) {
          await file.append(bytes);
          report({ type: 'durable', bytes: file.bytes });
        },
        close: () => file.close(),
      };
    },
    finish(id, onProgress) {
      report({ type: 'converting' });
      return audio.finish(id, onProgress);
    },
  };
}

const [folder = '', radio = ''] = process.argv.slice(2);
const phone = await openNodePhone(folder);
const session = await openRecorderSession(await openWebSocket(radio));
await phone.syncOneSessionOrFail(session, { wrapAudioStore: withReporting });
await session.close();
await phone.close();
report({ type: 'done' });
