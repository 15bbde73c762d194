/**
 * A phone in a separate process that can be killed at any moment. Arguments: its folder, and the address of a
 * recorder's radio. It reports the durable bytes after each chunk, and completion.
 */
import { openRecorderSession } from '@linnet/device/session';
import type { AudioStore } from '@linnet/sync';
import { openWebSocket } from '@linnet/transports/websocket';
import { openNodePhone } from './node-phone.ts';

/** Messages to the parent process. `from` is the first byte requested. */
export type PhoneMessage =
  | { readonly type: 'begins'; readonly from: number }
  | { readonly type: 'durable'; readonly bytes: number }
  | { readonly type: 'making' }
  | { readonly type: 'done' };

const report = (message: PhoneMessage) => process.send?.(message);

function withReporting(audio: AudioStore): AudioStore {
  return {
    ...audio,
    async openPackets(id, chunkBytes) {
      const file = await audio.openPackets(id, chunkBytes);
      report({ type: 'begins', from: file.bytes });
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
      report({ type: 'making' });
      return audio.finish(id, onProgress);
    },
  };
}

const [folder = '', radio = ''] = process.argv.slice(2);
const phone = await openNodePhone(folder);
const session = await openRecorderSession(await openWebSocket(radio));
await phone.readOne(session, { wrapAudioStore: withReporting });
await session.close();
await phone.close();
report({ type: 'done' });
