/** A link that rewrites unencrypted frames and bytes between phone and recorder, to simulate other recorders. */
import { encodeFrame, type Frame, FrameDecoder } from '@linnet/device/codec';
import type { Transport } from '@linnet/device/transport';

export interface Rewriter {
  /** Returns the bytes that the phone receives in place of a frame. */
  readonly toPhone?: (frame: Frame, encoded: Uint8Array) => readonly Uint8Array[];
  /** Returns the bytes that the recorder receives in place of a write, or null for none. */
  readonly toRecorder?: (bytes: Uint8Array) => Uint8Array | null;
  /** Maximum size of a notification, in bytes. */
  readonly maxNotificationBytes?: number;
}

/** Size of the virtual recorder's notifications, in bytes. */
const NOTIFICATION_BYTES = 244;

export function rewriteLink(link: Transport, rewriter: Rewriter): Transport {
  const { toPhone, toRecorder, maxNotificationBytes = NOTIFICATION_BYTES } = rewriter;
  const decoder = new FrameDecoder();
  return {
    kind: link.kind,
    deviceId: link.deviceId,
    name: link.name,
    maxWriteSize: link.maxWriteSize,
    onClosed: (listener) => link.onClosed(listener),
    close: () => link.close(),
    onBytes: (listener) =>
      link.onBytes((bytes) => {
        if (!toPhone) return listener(bytes);
        for (const frame of decoder.push(bytes)) {
          for (const part of toPhone(frame, encodeFrame(frame))) {
            for (let offset = 0; offset < part.length; offset += maxNotificationBytes) {
              listener(part.slice(offset, offset + maxNotificationBytes));
            }
          }
        }
      }),
    write: async (bytes, options) => {
      const rewritten = toRecorder ? toRecorder(bytes) : bytes;
      if (rewritten) await link.write(rewritten, options);
    },
  };
}
