/** Somebody on the air between phone and recorder, who sees every frame and passes on what they like. */
import { encodeFrame, type Frame, FrameDecoder } from '@linnet/device/codec';
import type { Transport } from '@linnet/device/transport';

/** What becomes of a frame: the frames that arrive in its place. */
export type Meddling = (frame: Frame) => readonly Frame[];

export interface Meddler {
  toRecorder: Meddling;
  toPhone: Meddling;
}

/** All frames that passed, in both directions, as they were sent. */
export function between(link: Transport, meddler: Meddler, heard: Frame[] = []): Transport {
  const [outward, inward] = [new FrameDecoder(), new FrameDecoder()];
  const pass = (decoder: FrameDecoder, bytes: Uint8Array, meddle: Meddling) =>
    decoder.push(bytes).flatMap((frame) => {
      heard.push(frame);
      return meddle(frame).map(encodeFrame);
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
        for (const frame of pass(inward, bytes, meddler.toPhone)) listener(frame);
      }),
    write: async (bytes, options) => {
      for (const frame of pass(outward, bytes, meddler.toRecorder)) {
        await link.write(frame, options);
      }
    },
  };
}
