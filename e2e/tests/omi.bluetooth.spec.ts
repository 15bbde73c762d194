/**
 * Tests an emulated Omi over Web Bluetooth: pairing, recording, reconnecting after the link is lost, and transferring
 * stored audio.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { decodeOggToPcm } from '@linnet/audio/convert';
import { PACKET_MS } from '@linnet/audio/format';
import { demuxOgg } from '@linnet/audio/ogg';
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { EmulatedOmi } from '@linnet/omi/testing';
import { chromium, expect, test } from '@playwright/test';
import {
  bluetoothLaunchOptions,
  chooseFirstDevice,
  EmulatedBluez,
  emulatedPeripheral,
} from '../bluez/index.ts';
import { expectNoViolations } from '../support/axe.ts';
import { encodeAsRecorder } from '../support/encode-as-recorder.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { Stack } from '../support/stack.ts';

/** The button event for a tap. */
const TAP = 1;
const SCENE = join(import.meta.dirname, '../../apps/virtual-recorder/scenes/microphone.ogg');

/** Returns Opus packets of spoken English. */
async function spokenPackets(): Promise<readonly Uint8Array[]> {
  const opus = await loadOpus(readOpusWasm());
  return demuxOgg(await encodeAsRecorder(decodeOggToPcm(await readFile(SCENE), opus))).packets;
}

test('records with an Omi over Web Bluetooth, transcribes it, and reconnects after the link is lost', async () => {
  const packets = await spokenPackets();
  const omi = new EmulatedOmi({ firstNumber: 65_000 });
  let next = 0;
  /** The packets captured since the list was last cleared. Packets lost in transit are null. */
  const captured: (Buffer | null)[] = [];
  /** Plays speech to the Omi in real time. */
  async function speak(seconds: number): Promise<void> {
    const start = performance.now();
    for (let count = 0; count < (seconds * 1000) / PACKET_MS; count += 1) {
      const packet = packets[next++ % packets.length] as Uint8Array;
      omi.capture(packet);
      captured.push(omi.sent.at(-1)?.isLost ? null : Buffer.from(packet));
      const wait = start + count * PACKET_MS - performance.now();
      if (wait > 0) await delay(wait);
    }
  }
  // While disconnected, the Omi stores the audio.
  for (const packet of packets.slice(0, 600)) omi.capture(packet);

  const stack = await Stack.start();
  const bluez = await EmulatedBluez.start({ peripheral: emulatedPeripheral(omi) });
  const browser = await chromium.launch(bluetoothLaunchOptions(bluez));
  try {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    await chooseFirstDevice(page);
    const app = new LinnetApp(page, stack);
    await app.signUp('heron@example.org');
    await app.open('/pages/deviceConnect');
    await page.getByTestId('way-web-bluetooth').click();
    await page.getByTestId('found-recorder').click();
    await expect(page.getByTestId('bind-done')).toBeVisible({ timeout: 60_000 });
    await page.getByTestId('bind-to-files').click();

    // The stored audio is transferred bit for bit and transcribed. It also stays on the Omi.
    await expect(app.rows('done')).toHaveCount(1, { timeout: 240_000 });
    expect(omi.storedBlocks).toBeGreaterThan(0);
    const stored = (await app.rows().first().getAttribute('data-record-id')) as string;
    const storedPackets = demuxOgg(await app.readStoredFile(stored, 'ogg')).packets;
    expect(Buffer.concat(storedPackets).equals(Buffer.concat(packets.slice(0, 600)))).toBe(true);

    await app.openAndLoad('/pages/myDevice');
    await expect(page.getByTestId('omi')).toHaveAttribute('data-status', 'connected', {
      timeout: 60_000,
    });
    await expect(page.getByTestId('omi-battery')).toContainText('87');
    // The Omi reports its battery level every few seconds.
    await expect(async () => {
      omi.setBattery(86);
      await expect(page.getByTestId('omi-battery')).toContainText('86', { timeout: 1000 });
    }).toPass();
    await expectNoViolations(page);

    // A live recording with lost packets.
    await app.open('/pages/files');
    await expect(app.recordButton('idle')).toBeVisible({ timeout: 60_000 });
    await app.startRecording();
    await expect.poll(() => omi.isStreaming).toBe(true);
    captured.length = 0;
    await speak(2);
    let count = 0;
    omi.dropsNotification = () => count++ % 40 === 7;
    await speak(8);
    omi.dropsNotification = () => false;
    await speak(1);
    const lostInTransit = captured.filter((packet) => packet === null).length;
    expect(lostInTransit).toBe(10);
    await expect(page.getByTestId('lost-audio')).toHaveAttribute(
      'data-ms',
      String(lostInTransit * PACKET_MS),
    );
    const before = captured.slice();

    // The link breaks, and the app reconnects without a tap.
    bluez.drop();
    await expect(page.getByRole('status').filter({ hasText: 'out of range' })).toBeVisible();
    await expect.poll(() => omi.isStreaming, { timeout: 90_000 }).toBe(true);
    captured.length = 0;
    await speak(15);
    omi.press(TAP);
    await app.stopRecording();

    const newest = app.rows().first();
    await expect(newest).toHaveAttribute('data-state', 'done', { timeout: 240_000 });
    const id = (await newest.getAttribute('data-record-id')) as string;
    expect(id).not.toBe(stored);
    const isSilence = (packet: Uint8Array) =>
      packet[3] === 0xff && packet[4] === 0xfe && packet.subarray(5).every((byte) => byte === 0);
    const live = demuxOgg(await app.readStoredFile(id, 'ogg')).packets.map((packet) =>
      isSilence(packet) ? null : Buffer.from(packet),
    );
    // Only the lost packets are silent, before and after the link was lost.
    expect(live.slice(0, before.length)).toEqual(before);
    const afterLoss = live.slice(before.length);
    const silentCount = afterLoss.findIndex((packet) => packet !== null);
    expect(silentCount).toBeGreaterThan(0);
    expect(afterLoss.slice(silentCount)).toEqual(captured);

    await app.openRecording(id);
    await expect(page.getByTestId('paragraph').first()).not.toBeEmpty();
    await page.getByTestId('tab-markers').click();
    await expect(page.getByTestId('marker').first()).toContainText('Lost audio');
    await expect(page.getByTestId('marker').last()).not.toContainText('Lost audio');
  } finally {
    await browser.close();
    await bluez.stop();
    await stack.stop();
  }
});
