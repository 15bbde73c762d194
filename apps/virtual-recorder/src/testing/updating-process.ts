/**
 * A process with a recorder and a phone that updates the recorder's firmware. Tests kill it at any moment. The
 * arguments are the flash folder, the signature key in base64 and, optionally, the number of the file operation after
 * the last packet at which the process kills itself. The first message contains the image.
 */
import { once } from 'node:events';
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { crc16 } from '@linnet/device/codec';
import { openRecorderSession } from '@linnet/device/session';
import { Firmware, firmwareKey } from '../flash/firmware.ts';
import { Flash } from '../flash/flash.ts';
import { PacedClock } from '../paced-clock.ts';
import { Recorder } from '../recorder.ts';
import { connectInMemory } from './memory-radio.ts';
import { createPhoneClock } from './phone-clock.ts';
import { watchDisk } from './watch-disk.ts';

/** The bytes of the image and their signature, both in base64. */
export type Image = {
  readonly version: string;
  readonly bytes: string;
  readonly signature: string;
};

const [dir = '', key = '', killAt] = process.argv.slice(2);
const [image] = (await once(process, 'message')) as [Image];
const bytes = Buffer.from(image.bytes, 'base64');
const signature = Buffer.from(image.signature, 'base64');

const flash = await Flash.open(dir);
const firmware = await Firmware.boot(flash, firmwareKey(key));
// Limit the speed, so slow processing doesn't cause silence timeouts.
const clock = new PacedClock(5);
const recorder = new Recorder(flash, firmware, clock, await loadOpus(readOpusWasm()), []);
const session = await openRecorderSession(connectInMemory(recorder, 244), {
  clock: createPhoneClock(clock),
});
session.onClosed(() => process.send?.('restarts'));
let isSent = false;
let steps = 0;
await watchDisk(import.meta.filename, () => {
  if (!isSent) return;
  steps += 1;
  if (steps === Number(killAt)) process.kill(process.pid, 'SIGKILL');
});
await session.updateFirmware(
  { bytes, signature, crc16: crc16(bytes), version: image.version },
  {
    onProgress: (percent) => {
      process.send?.({ percent });
      isSent = percent >= 99;
    },
  },
);
