/** Tests firmware updates through the protocol, including rejected images and interrupted updates. */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadOpus, type OpusModule } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { crc16 } from '@linnet/device/codec';
import {
  DeviceError,
  FirmwareError,
  type FirmwareImage,
  openRecorderSession,
  type RecorderEvent,
  type RecorderSession,
} from '@linnet/device/session';
import type { Transport } from '@linnet/device/transport';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Firmware, isOlder, MAX_IMAGE_BYTES } from './flash/firmware.ts';
import { Flash } from './flash/flash.ts';
import { PacedClock } from './paced-clock.ts';
import { Recorder } from './recorder.ts';
import { connectInMemory } from './testing/memory-radio.ts';
import { createPhoneClock } from './testing/phone-clock.ts';
import { until } from './testing/wait.ts';

const signer = generateKeyPairSync('ed25519');
const sameBytes = randomBytes(1000);
let opus: OpusModule;
let dir: string;
let recorder: Recorder;
let session: RecorderSession;
let events: RecorderEvent[];

beforeAll(async () => {
  opus = await loadOpus(readOpusWasm());
});
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'linnet-firmware-'));
  recorder = await startRecorder();
  session = await connect();
});
afterEach(async () => {
  await session.close();
  await recorder.shutDown();
  await rm(dir, { recursive: true });
});

async function startRecorder(): Promise<Recorder> {
  const flash = await Flash.open(dir);
  const firmware = await Firmware.boot(flash, signer.publicKey);
  return new Recorder(flash, firmware, new PacedClock(50), opus, []);
}

/**
 * Connects a phone whose clock runs as fast as the recorder's.
 * @param through wraps the transport
 */
async function connect(through: (link: Transport) => Transport = (link) => link) {
  events = [];
  const opened = await openRecorderSession(through(connectInMemory(recorder, 244)), {
    clock: createPhoneClock(recorder.clock),
  });
  opened.onEvent((event) => events.push(event));
  return opened;
}

type Delivery = 'pass' | 'lose';

/** Wraps a transport to tamper with the image's packets. `decide` returns the action for each packet by its number. */
function tamperWith(decide: (write: number, link: Transport) => Delivery | Promise<Delivery>) {
  let writes = 0;
  return (link: Transport): Transport => ({
    ...link,
    kind: link.kind,
    maxWriteSize: link.maxWriteSize,
    deviceId: link.deviceId,
    onBytes: (listener) => link.onBytes(listener),
    onClosed: (listener) => link.onClosed(listener),
    close: () => link.close(),
    write: async (bytes, options) => {
      // A write without response is a packet of the image.
      const fate = options.withResponse ? 'pass' : await decide(++writes, link);
      if (fate === 'pass') await link.write(bytes, options);
    },
  });
}

function image(
  version: string,
  bytes: Uint8Array = randomBytes(1000),
  model = 'LNR1',
): FirmwareImage {
  const head = Buffer.from(`Linnet firmware\n${model}\n${version}\n`);
  const signature = sign(null, Buffer.concat([head, bytes]), signer.privateKey);
  return { bytes, crc16: crc16(bytes), version, signature };
}

const code = (action: Promise<unknown>) =>
  action.then(
    () => 'none',
    (error: unknown) => {
      if (error instanceof FirmwareError) return `${error.number} ${error.code}`;
      return error instanceof DeviceError ? error.code : String(error);
    },
  );
const waitForClose = (opened: RecorderSession) =>
  new Promise((resolve) => opened.onClosed(resolve));
/** Boots the firmware from the current flash, as after a power loss. */
const boots = async () => {
  // Wait for pending writes. Once the recorder is off, nothing writes to its flash.
  await recorder.flash.saveState({});
  return (await Firmware.boot(await Flash.open(dir), signer.publicKey)).version;
};

/** Opens the next link and returns the reported firmware result. */
async function nextReport() {
  session = await connect();
  const report = await until(
    () => events.find((event) => event.type === 'firmware_changed'),
    'the firmware is reported',
  );
  return { ...report, runs: session.info.firmwareVersion };
}

describe('new firmware', () => {
  test('is installed, reported once, and survives a restart', async () => {
    const percents: number[] = [];
    const disconnected = waitForClose(session);
    await session.updateFirmware(image('1.2.0', randomBytes(20_000)), {
      onProgress: (percent) => percents.push(percent),
    });
    expect(percents.at(-1)).toBe(99);
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    await disconnected;
    expect(await nextReport()).toEqual({
      type: 'firmware_changed',
      status: 'ok',
      version: '1.2.0',
      runs: '1.2.0',
    });
    await session.close();
    session = await connect();
    await session.status();
    expect(events).toEqual([]);

    await session.close();
    await recorder.shutDown();
    recorder = await startRecorder();
    session = await connect();
    expect(session.info.firmwareVersion).toBe('1.2.0');
    const last = (await session.operations()).map(({ operation }) => operation);
    expect(last).toContain('updated');
  });

  test('is paced by the clock', async () => {
    const bytes = randomBytes(30_000);
    const startedAt = recorder.clock.elapsed();
    await session.updateFirmware(image('1.2.0', bytes));
    const seconds = (recorder.clock.elapsed() - startedAt) / 1000;
    expect(bytes.length / seconds).toBeLessThanOrEqual(10_240);
  });

  test("resumes at the recorder's offset after every lost link", async () => {
    const update = image('1.2.0');
    const packets = Math.ceil(update.bytes.length / 84);
    let sent = 0;
    for (let cut = 1; cut <= packets; cut++) {
      await session.close();
      session = await connect(
        tamperWith(async (write, link) => {
          if (write === 1) {
            sent += 1;
            return 'pass';
          }
          // A packet in transit is lost with the link.
          await until(() => recorder.firmware.nextOffset === sent * 84, 'packet');
          await link.close();
          return 'lose';
        }),
      );
      const outcome = await code(session.updateFirmware(update));
      expect(outcome).toBe(cut < packets ? 'link_lost' : 'none');
      if (cut < packets) expect(await boots()).toBe('1.0.0');
    }
    // Each packet was sent once.
    expect(sent).toBe(packets);
    expect(await boots()).toBe('1.2.0');
  });

  test.each([
    [5, 15],
    [1, 14],
  ])('is sent again from lost packet %d, then from %d', async (...losses) => {
    await session.close();
    let lostCount = 0;
    session = await connect(
      tamperWith((write) => {
        if (!losses.includes(write)) return 'pass';
        lostCount += 1;
        return 'lose';
      }),
    );
    await session.updateFirmware(image('1.2.0'));
    expect(lostCount).toBe(2);
    expect(await boots()).toBe('1.2.0');
  });

  test('is not sent again once it is complete, even if it is invalid', async () => {
    await session.close();
    let sent = 0;
    session = await connect(
      tamperWith(() => {
        sent += 1;
        return 'pass';
      }),
    );
    const wrongImage = { ...image('1.2.0'), crc16: 1 };
    expect(await code(session.updateFirmware(wrongImage))).toBe('9 ota_failed');
    expect(sent).toBe(Math.ceil(wrongImage.bytes.length / 84));
    expect(recorder.firmware.nextOffset).toBe(0);
  });

  test('starts from the beginning when the version differs', async () => {
    await session.close();
    session = await connect(
      tamperWith((write, link) => {
        if (write <= 4) return 'pass';
        void link.close();
        return 'lose';
      }),
    );
    expect(await code(session.updateFirmware(image('1.2.0')))).toBe('link_lost');
    session = await connect();
    await session.updateFirmware(image('1.3.0'));
    expect(await boots()).toBe('1.3.0');
  });

  test.each([
    [
      'a signature by a different key',
      { signature: new Uint8Array(64).fill(7) },
      '1 upgrade_failed',
    ],
    [
      'an image signed for another model',
      { signature: image('1.2.0', sameBytes, 'LNR2').signature },
      '1 upgrade_failed',
    ],
    ['a version other than the signed one', { version: '1.2.1' }, '1 upgrade_failed'],
    ['bytes other than those announced', { crc16: 1 }, '9 ota_failed'],
    ['an empty image', { bytes: new Uint8Array() }, '9 ota_failed'],
    ['an image that is too large', { bytes: new Uint8Array(MAX_IMAGE_BYTES + 1) }, '4 too_large'],
  ])('is rejected with %s', async (_, wrong, expected) => {
    const refused = session.updateFirmware({ ...image('1.2.0', sameBytes), ...wrong });
    expect(await code(refused)).toBe(expected);
    expect(await boots()).toBe('1.0.0');
    await session.updateFirmware(image('1.2.0'));
    expect(await boots()).toBe('1.2.0');
  });

  test.each([
    ['restarted', [['corner', 15_000]]],
    [
      'turned off and on',
      [
        ['corner', 3000],
        ['power', 100],
      ],
    ],
  ] as const)(
    'is rejected after five invalid images until the recorder is %s',
    async (_, presses) => {
      const wrongImage = { ...image('1.2.0'), crc16: 1 };
      for (let n = 0; n < 5; n++) {
        expect(await code(session.updateFirmware(wrongImage))).toBe('9 ota_failed');
      }
      expect(await code(session.updateFirmware(image('1.2.0')))).toBe('5 too_many_attempts');
      for (const [button, ms] of presses) await recorder.press(button, ms);
      session = await connect();
      await session.updateFirmware(image('1.2.0'));
    },
  );

  test('is rejected in USB disk mode, while recording, without storage, on a flash failure, and below 20% battery', async () => {
    recorder.faults.usbDisk = true;
    expect(await code(session.updateFirmware(image('1.2.0')))).toBe('6 usb_disk_mode');
    recorder.faults.usbDisk = false;
    await recorder.start({ mode: 'normal', scene: 'note' }, 'button');
    expect(await code(session.updateFirmware(image('1.2.0')))).toBe('7 recording');
    await recorder.stop();
    recorder.faults.storageBytes = recorder.sessions.storage.used + 999;
    expect(await code(session.updateFirmware(image('1.2.0')))).toBe('8 no_space');
    recorder.faults.storageBytes += 1;
    recorder.faults.updateRefusal = 'flash_failed';
    expect(await code(session.updateFirmware(image('1.2.0')))).toBe('3 flash_failed');
    expect(await boots()).toBe('1.0.0');
    recorder.faults.updateRefusal = undefined;

    await session.close();
    await recorder.shutDown();
    await (await Flash.open(dir)).saveState({ batteryLevel: 19 });
    recorder = await startRecorder();
    session = await connect();
    expect(await code(session.updateFirmware(image('1.2.0')))).toBe('battery_low');
    recorder.faults.charging = true;
    await session.updateFirmware(image('1.2.0'));
  });

  // At 99%, the complete image has been sent, but its installation hasn't been requested.
  test.each([11, 99])(
    'is unchanged if the phone aborts the transfer at %i%%',
    async (abortPercent) => {
      const stop = new AbortController();
      const updating = session.updateFirmware(image('1.2.0', randomBytes(50_000)), {
        signal: stop.signal,
        onProgress: (percent) => percent >= abortPercent && stop.abort(),
      });
      expect(await code(updating)).toBe('aborted');
      expect(await boots()).toBe('1.0.0');
      expect((await session.status()).recording.state).toBe('idle');
    },
  );
});

describe('older firmware', () => {
  beforeEach(async () => {
    const disconnected = waitForClose(session);
    await session.updateFirmware(image('2.0.0'));
    await disconnected;
    await nextReport();
  });

  test('is installed once the user confirms it on the recorder', async () => {
    const updating = code(session.updateFirmware(image('1.9.0')));
    await until(() => recorder.firmware.nextOffset === 1000, 'image');
    await until(() => recorder.update.isPending, 'a confirmation is pending');
    const disconnected = waitForClose(session);
    await recorder.shortPress();
    expect(await updating).toBe('none');
    await disconnected;
    expect(await nextReport()).toMatchObject({ status: 'ok', runs: '1.9.0' });
  });

  test("cannot be replaced by another phone's image before the confirmation", async () => {
    const updating = code(session.updateFirmware(image('1.9.0')));
    await until(() => recorder.update.isPending, 'a confirmation is pending');
    const other = await connect();
    const unsigned = { ...image('9.9.9'), signature: new Uint8Array(64) };
    expect(await code(other.updateFirmware(unsigned))).toBe('busy');
    expect(await recorder.update.finish()).toEqual({ ok: false, result: 'busy' });
    const disconnected = waitForClose(session);
    await recorder.shortPress();
    expect(await updating).toBe('none');
    await disconnected;
    expect(await nextReport()).toMatchObject({ status: 'ok', runs: '1.9.0' });
  });

  test('is verified again on confirmation', async () => {
    const updating = code(session.updateFirmware(image('1.9.0', sameBytes)));
    await until(() => recorder.update.isPending, 'a confirmation is pending');
    await writeFile(join(dir, 'firmware.incoming'), sameBytes.toReversed());
    await recorder.shortPress();
    expect(await updating).toBe('9 ota_failed');
    expect(await boots()).toBe('2.0.0');
  });

  test.each([
    ['restarted', ['corner', 15_000]],
    ['turned off', ['corner', 3000]],
  ] as const)('is canceled when the recorder is %s', async (_, [button, ms]) => {
    const updating = code(session.updateFirmware(image('1.9.0')));
    await until(() => recorder.update.isPending, 'a confirmation is pending');
    await recorder.press(button, ms);
    await updating;
    expect(recorder.update.isPending).toBe(false);
    await recorder.press('power', 100);
    expect(await boots()).toBe('2.0.0');
  });

  test('is discarded after a minute without confirmation', async () => {
    expect(await code(session.updateFirmware(image('1.9.0')))).toBe('2 version_mismatch');
    expect(await boots()).toBe('2.0.0');
  });
});

describe('a damaged image on the flash', () => {
  test('is replaced by the factory firmware', async () => {
    await session.updateFirmware(image('1.2.0'));
    const { slot } = recorder.flash.state.firmware;
    const path = join(dir, `firmware.${slot}`);
    const bytes = await readFile(path);
    bytes[500] = (bytes[500] ?? 0) ^ 1;
    await writeFile(path, bytes);
    expect(await boots()).toBe('1.0.0');
  });
});

test.each([
  ['1.2.0', '1.10.0', true],
  ['1.10.0', '1.2.0', false],
  ['1.2', '1.2.0', false],
  ['1.2', '1.2.1', true],
])('isOlder for %s and %s returns %s', (a, b, expected) => {
  expect(isOlder(a, b)).toBe(expected);
});
