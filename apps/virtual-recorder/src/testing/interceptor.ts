/** An interceptor between phone and recorder that can observe, replace and drop frames. */
import { encodeFrame, type Frame, FrameDecoder } from '@linnet/device/codec';
import type { Transport } from '@linnet/device/transport';

/** Returns the frames to deliver in place of `frame`. */
export type Interception = (frame: Frame) => readonly Frame[];

export interface Interceptor {
  toRecorder: Interception;
  toPhone: Interception;
}

/**
 * Intercepts all frames of a link.
 * @param observed collects the frames as sent, in both directions
 */
export function intercept(
  link: Transport,
  interceptor: Interceptor,
  observed: Frame[] = [],
): Transport {
  const [outward, inward] = [new FrameDecoder(), new FrameDecoder()];
  const interceptFrames = (decoder: FrameDecoder, bytes: Uint8Array, replace: Interception) =>
    decoder.push(bytes).flatMap((frame) => {
      observed.push(frame);
      return replace(frame).map(encodeFrame);
    });
  return {
    kind: link.kind,
    deviceId: link.deviceId,
    name: link.name,
    maxWriteSize: link.maxWriteSize,
    onClosed: (listener) => link.onClosed(listener),
    close: () => link.close(),
    onBytes: (listener) =>
      link.onBytes((bytes) => {
        for (const frame of interceptFrames(inward, bytes, interceptor.toPhone)) listener(frame);
      }),
    write: async (bytes, options) => {
      for (const frame of interceptFrames(outward, bytes, interceptor.toRecorder)) {
        await link.write(frame, options);
      }
    },
  };
}
