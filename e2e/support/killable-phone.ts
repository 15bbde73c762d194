/**
 * A phone in a separate process that can be killed at any moment. Arguments: its folder, and the address of a
 * recorder's radio. It reports the durable bytes after each chunk, and completion.
 */
import { openRecorderSession } from '@linnet/device/session';
import type { AudioStore } from '@linnet/sync';
import { openWebSocket } from '@linnet/transports/websocket';
import { openNodePhone } from './node-phone.ts';

/** Messages to the parent process. `from` is the first byte requested. */
export type PhoneNews =
  | { readonly type: 'begins'; readonly from: number }
  | { readonly type: 'durable'; readonly bytes: number }
  | { readonly type: 'making' }
  | { readonly type: 'done' };

const tell = (news: PhoneNews) => process.send?.(news);

function told(audio: AudioStore): AudioStore {
  return {
    ...audio,
    async openPackets(id, chunkBytes) {
      const file = await audio.openPackets(id, chunkBytes);
      tell({ type: 'begins', from: file.bytes });
      return {
        get bytes() {
          return file.bytes;
        },
        async append(bytes) {
          await file.append(bytes);
          tell({ type: 'durable', bytes: file.bytes });
        },
        close: () => file.close(),
      };
    },
    finish(id, onProgress) {
      tell({ type: 'making' });
      return audio.finish(id, onProgress);
    },
  };
}

const [folder = '', radio = ''] = process.argv.slice(2);
const phone = await openNodePhone(folder);
const session = await openRecorderSession(await openWebSocket(radio));
await phone.readOne(session, { through: told });
await session.close();
await phone.close();
tell({ type: 'done' });
