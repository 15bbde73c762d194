/** Tests an emulated Pocket over Web Bluetooth: pairing, transfer, reconnecting after the link is lost, and transcription. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { decodeOggToPcm } from '@linnet/audio/convert';
import { SAMPLE_RATE } from '@linnet/audio/format';
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { waveHeader } from '@linnet/audio/wave';
import { EmulatedPocket } from '@linnet/pocket/testing';
import { chromium, expect, test } from '@playwright/test';
import {
  bluetoothLaunchOptions,
  chooseFirstDevice,
  EmulatedBluez,
  emulatedPeripheral,
} from '../bluez/index.ts';
import { encodeAsPocket } from '../support/audio-kinds.ts';
import { expectNoViolations } from '../support/axe.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { Stack } from '../support/stack.ts';

const SCENE = join(import.meta.dirname, '../../apps/virtual-recorder/scenes/microphone.ogg');
const KEY = 'AbCdEfGh12345678';

/** Returns spoken English in a Pocket's audio format. */
async function spokenFile(): Promise<Uint8Array<ArrayBuffer>> {
  const opus = await loadOpus(readOpusWasm());
  const samples = decodeOggToPcm(await readFile(SCENE), opus).slice(0, SAMPLE_RATE * 12);
  const head = waveHeader(samples.length, SAMPLE_RATE);
  return encodeAsPocket(Buffer.concat([head, new Uint8Array(samples.buffer)]));
}

test('reads a Pocket over Web Bluetooth, transcribes its recordings, and reconnects after the link is lost', async () => {
  const file = await spokenFile();
  let isCut = false;
  let isSeen = false;
  // After the link is lost, the transfer continues slowly until the page has shown it.
  const pace = () => delay(isCut && !isSeen ? 1000 : 5);
  const pocket = new EmulatedPocket({ sessionKey: KEY, pace });
  pocket.addRecording('20260328001919', file);

  const stack = await Stack.start();
  const bluez = await EmulatedBluez.start({ peripheral: emulatedPeripheral(pocket) });
  const browser = await chromium.launch(bluetoothLaunchOptions(bluez));
  try {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    await chooseFirstDevice(page);
    const app = new LinnetApp(page, stack);
    await app.signUp('finch@example.org');
    await app.open('/pages/deviceConnect');
    await page.getByTestId('way-web-bluetooth').click();
    await page.getByTestId('found-recorder').click();
    await expect(page.getByTestId('bind-done')).toBeVisible({ timeout: 60_000 });
    await page.getByTestId('bind-to-recorder').click();

    const section = page.getByTestId('pocket');
    await expect(section).toHaveAttribute('data-status', 'key_needed');
    await page.getByTestId('pocket-key').fill('too-short');
    await page.getByTestId('pocket-enter-key').click();
    await expect(section.getByTestId('error')).toContainText('16 characters');
    await page.getByTestId('pocket-key').fill('wrong-key-123456');
    await page.getByTestId('pocket-enter-key').click();
    await expect(section.getByTestId('error')).toContainText('accept', { timeout: 60_000 });
    await expectNoViolations(page);
    await page.getByTestId('pocket-key').fill(KEY);
    let pieces = 0;
    pocket.beforeAudio = () => {
      pieces += 1;
      if (pieces !== 60) return;
      isCut = true;
      bluez.drop();
    };
    await page.getByTestId('pocket-enter-key').click();
    await expect(section).toHaveAttribute('data-status', 'connected', { timeout: 60_000 });
    await expect(page.getByTestId('pocket-battery')).toContainText('58');
    await expect(page.getByTestId('pocket-space')).toContainText('%');

    // The link breaks during the transfer, and the app reconnects without a tap. The file is read from the start.
    await expect.poll(() => isCut, { timeout: 60_000 }).toBe(true);
    await expect(page.getByTestId('pocket-transfer')).toBeVisible({ timeout: 90_000 });
    await expectNoViolations(page);
    isSeen = true;
    await app.open('/pages/files');
    await expect(app.rows('done')).toHaveCount(1, { timeout: 240_000 });
    expect(pocket.requested.length).toBeGreaterThan(1);
    await expect(app.rows()).toHaveCount(1);

    // The stored file is identical to the recorder's.
    const id = (await app.rows().first().getAttribute('data-record-id')) as string;
    const stored = await app.readStoredFile(id, 'original');
    expect(Buffer.from(stored).equals(Buffer.from(file))).toBe(true);
    await app.openRecording(id);
    await expect(page.getByTestId('paragraph').first()).not.toBeEmpty();
  } finally {
    await browser.close();
    await bluez.stop();
    await stack.stop();
  }
});
