import { PACKET_SAMPLES, SAMPLE_RATE } from '@linnet/audio/format';
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import type { RunningRecorder } from '@linnet/virtual-recorder/start';

const PACKETS_PER_MINUTE = (60 * SAMPLE_RATE) / PACKET_SAMPLES;

/** Encodes one minute of a rising and falling chirp with the recorder's settings. */
async function encodeOneMinute(): Promise<Uint8Array[]> {
  const encoder = (await loadOpus(readOpusWasm())).createEncoder();
  const samples = new Int16Array(PACKET_SAMPLES);
  const packets = Array.from({ length: PACKETS_PER_MINUTE }, (_, packet) => {
    for (let n = 0; n < PACKET_SAMPLES; n++) {
      const t = (packet * PACKET_SAMPLES + n) / SAMPLE_RATE;
      samples[n] = 8000 * Math.sin(2 * Math.PI * (200 + 3 * t) * t) * Math.sin(t);
    }
    return encoder.encode(samples);
  });
  encoder.free();
  return packets;
}

/** Adds a long session to a recorder, made of one repeated minute. */
export async function addLongSession({ recorder }: RunningRecorder, minutes: number) {
  const packets = await encodeOneMinute();
  const metadata = {
    startTime: 1_700_000_000,
    mode: 'normal',
    scene: 'meeting',
    owner: null,
  } as const;
  const { record, writer } = await recorder.flash.createSession(metadata, () => {});
  for (let minute = 0; minute < minutes; minute++) {
    writer.append(packets);
    await writer.flushed();
  }
  const closed = await writer.finish();
  await recorder.flash.closeSession(record.sessionId, closed);
  return { sessionId: record.sessionId, bytes: closed.fileSize, sha256: closed.sha256 };
}
