/** Transfers a two-hour recording over a link that breaks for half an hour. */
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demuxOgg } from '@linnet/audio/ogg';
import { CHUNK_SIZE } from '@linnet/device/codec';
import { DeviceError, openRecorderSession } from '@linnet/device/session';
import { readConfig } from '@linnet/virtual-recorder/config';
import { type RunningRecorder, startRecorder } from '@linnet/virtual-recorder/start';
import { openMemoryLink } from '@linnet/virtual-recorder/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openNodePhone } from '../support/node-phone.ts';
import { waitUntil } from '../support/wait-until.ts';

const MINUTE_MS = 60_000;
const MINUTES = 120;
/** When the link breaks, and how long the phone then stays out of range, in minutes. */
const BREAK_MINUTE = 30;
const OUTAGE_MINUTES = 30;
/** The recorder's speed as a multiple of real time, while it is connected and while it is out of range. */
const [SPEED, OUTAGE_SPEED] = [240, 1000];
const PACKET_SIZE = 160;
const BYTES_PER_MINUTE = 60 * 50 * PACKET_SIZE;
/**
 * First byte of an Opus packet with one 20 ms wideband CELT frame. For this type, any bits are valid audio (RFC 6716).
 */
const TABLE_OF_CONTENTS = 23 << 3;
/** Maximum number of bytes per call of `crypto.getRandomValues`. */
const QUOTA_BYTES = 65_536;

let dir: string;
let running: RunningRecorder;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'linnet-two-hours-'));
  // Load only the scene played to the microphone, so that the recorder starts without sessions.
  const config = readConfig({ RECORDER_PORT: '0', RECORDER_CONFIRM: 'auto', DATA_DIR: dir });
  const scene = { name: config.scene, title: '', mode: 'normal', scene: 'meeting' } as const;
  running = await startRecorder(config, undefined, [
    { ...scene, samples: new Int16Array(), packets: randomPackets() },
  ]);
  running.recorder.clock.speed = SPEED;
});
afterAll(async () => {
  await running.stop();
  await rm(dir, { recursive: true });
});

/**
 * Creates packets of random bytes as already encoded audio, because this tests the link rather than the encoder. No two
 * chunks are equal, so a gap would be noticed.
 */
function randomPackets(): Uint8Array[] {
  const bytes = new Uint8Array((MINUTES + 1) * BYTES_PER_MINUTE);
  for (let at = 0; at < bytes.length; at += QUOTA_BYTES) {
    crypto.getRandomValues(bytes.subarray(at, at + QUOTA_BYTES));
  }
  return Array.from({ length: bytes.length / PACKET_SIZE }, (_, index) => {
    const packet = bytes.subarray(index * PACKET_SIZE, (index + 1) * PACKET_SIZE);
    packet[0] = TABLE_OF_CONTENTS;
    return packet;
  });
}

it('transfers the complete recording after half an hour out of range', {
  timeout: 900_000,
}, async () => {
  const { recorder } = running;
  const folder = await mkdtemp(join(dir, 'phone-'));
  const phone = await openNodePhone(folder);
  let refused = 0;

  /** Connects, retrying until it succeeds. */
  async function connect() {
    for (;;) {
      if (!recorder.acceptsConnections) {
        refused += 1;
        // Like the app, retry as soon as the recorder is in range.
        await waitUntil(
          'the recorder accepts connections',
          () => recorder.acceptsConnections,
          600_000,
        );
      }
      const link = openMemoryLink(recorder, 244);
      // The phone's timeouts run in real time, so a busy machine may trigger one.
      const session = await openRecorderSession(link.transport).catch(ignoreLostLink);
      if (session) return { link, session };
    }
  }

  /** Returns the number of bytes received so far. */
  const receivedBytes = async () => {
    const name = (await readdir(folder)).find((each) => each.endsWith('.packets'));
    return name === undefined ? 0 : (await stat(join(folder, name))).size;
  };
  const elapsed = () => recorder.recording?.elapsedMs ?? 0;
  let connection = await connect();
  await connection.session.bind();
  const started = await connection.session.startRecording({ mode: 'normal', scene: 'meeting' });
  let syncing = phone.syncOneSession(connection.session);
  await waitUntil('half an hour has passed', () => elapsed() >= BREAK_MINUTE * MINUTE_MS, 600_000);
  recorder.faults.refuseConnect = true;
  const outage = { from: elapsed(), to: 0 };
  connection.link.drop();
  expect(await syncing).toBe('linkLost');
  const bytesAtBreak = await receivedBytes();
  recorder.clock.speed = OUTAGE_SPEED;
  const reconnecting = connect();
  await waitUntil(
    'an hour has passed',
    () => elapsed() >= (BREAK_MINUTE + OUTAGE_MINUTES) * MINUTE_MS,
    600_000,
  );
  outage.to = elapsed();
  // Otherwise the phone wouldn't follow the recording again.
  expect(outage.to).toBeLessThan(MINUTES * MINUTE_MS);
  expect(await receivedBytes()).toBe(bytesAtBreak);
  recorder.clock.speed = SPEED;
  recorder.faults.refuseConnect = false;
  connection = await reconnecting;
  syncing = phone.syncOneSession(connection.session);
  await waitUntil('two hours have passed', () => elapsed() >= MINUTES * MINUTE_MS, 600_000);
  await recorder.press('power', 2000);
  expect(await syncing).toBe('stored');
  await connection.session.close();

  const record = recorder.flash.session(started.sessionId);
  const size = record?.closed?.fileSize ?? 0;
  expect(size).toBeGreaterThanOrEqual(MINUTES * BYTES_PER_MINUTE);
  const recorderPackets = await recorder.flash.read(started.sessionId, 0, size);
  const name = (await readdir(folder)).find((each) => each.endsWith('.ogg')) ?? expect.fail('none');
  const phonePackets = Buffer.concat(demuxOgg(await readFile(join(folder, name))).packets);
  expect(phonePackets.equals(recorderPackets)).toBe(true);
  // On a busy machine, the recording may outlast the scene, so compare only the first two hours.
  const chunks = Array.from({ length: (MINUTES * BYTES_PER_MINUTE) / CHUNK_SIZE }, (_, index) =>
    phonePackets.toString('latin1', index * CHUNK_SIZE, (index + 1) * CHUNK_SIZE),
  );
  expect(new Set(chunks).size).toBe(chunks.length);
  expect(bytesAtBreak).toBeGreaterThan(0);
  expect(bytesAtBreak).toBeLessThanOrEqual(outage.from * 8);
  await phone.close();
  const minutes = (ms: number) => Math.round(ms / MINUTE_MS);
  console.info(
    JSON.stringify({
      minutes: size / BYTES_PER_MINUTE,
      lostAtMinute: minutes(outage.from),
      restoredAtMinute: minutes(outage.to),
      refused,
      lostBytes: 0,
    }),
  );
});

function ignoreLostLink(error: unknown): null {
  if (error instanceof DeviceError && ['link_lost', 'timeout'].includes(error.code)) return null;
  throw error;
}
