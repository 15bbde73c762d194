/** Clauses about firmware updates. They send images that no recorder may install. */
import { crc16, RESULTS, type RequestOf, type ResponseOf } from '../../codec/index.ts';
import type { Bench } from '../bench.ts';
import type { Clause } from '../clause.ts';
import { describeResponse, type Probe } from '../probe.ts';
import { Broken, expectEqual, expectThat, NotOffered, NotTested } from '../verdict.ts';

type Announcement = RequestOf<'otaStart'>;

/** Number of image bytes in a packet (PROTOCOL.md, section 4). */
const PACKET_BYTES = 84;
const PACKETS = 3;
const SIGNATURE_BYTES = 64;
/** A version newer than any that a recorder has. */
const VERSION = '99.0.0';
/** Larger than the flash of any recorder, in bytes. */
const TOO_LARGE_SIZE = 0xffffffff;

/** Announces an image with its CRC-16, and without a valid signature. */
export function createAnnouncement(image: Uint8Array): Announcement {
  return {
    fileSize: image.length,
    crc16: crc16(image),
    version: VERSION,
    signature: new Uint8Array(SIGNATURE_BYTES),
  };
}

/** Announces an image. @throws {Broken | NotOffered | NotTested} */
export async function announce(
  probe: Probe,
  request: Announcement,
): Promise<ResponseOf<'otaStart'> & { readonly sequence: number }> {
  const sequence = probe.nextSequence();
  await probe.write(probe.encode('otaStart', request, sequence));
  const response = await probe.responseTo('otaStart', sequence);
  if (response.kind === 'ok') return { sequence, ...response.value };
  const received = `otaStart is answered with ${describeResponse(response)}`;
  if (response.kind === 'refused') {
    if (response.result === RESULTS.command_unknown) throw new NotOffered(received);
    const isBusy = response.result === RESULTS.busy;
    if (isBusy || response.result === RESULTS.battery_low) throw new NotTested(received);
  }
  throw new Broken('a status in the response to otaStart', describeResponse(response));
}

/** Announces an image that the recorder must be ready to receive. @throws {Broken | NotOffered | NotTested} */
async function beginTransfer(probe: Probe, request: Announcement) {
  const announcement = await announce(probe, request);
  if (announcement.status === 'ok') return announcement;
  throw new NotTested(`otaStart is answered with status ${announcement.status}`);
}

/** Creates a random image, so that it differs from the image of an interrupted check. */
function createImage(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(PACKETS * PACKET_BYTES));
}

function getPacket(image: Uint8Array, index: number): readonly [number, Uint8Array] {
  const offset = index * PACKET_BYTES;
  return [offset, image.slice(offset, offset + PACKET_BYTES)];
}

/** Sends a complete image that must be rejected, and checks that it's discarded. @throws {Broken} */
async function expectRejected(
  bench: Bench,
  change: (announcement: Announcement) => Announcement,
  expected: ResponseOf<'otaFinish'>['status'],
): Promise<void> {
  if (!bench.options.sendsInvalidFirmware) throw new NotTested('skipped without --firmware');
  const probe = await bench.getIdleLink();
  const image = createImage();
  const request = change(createAnnouncement(image));
  const { sequence } = await beginTransfer(probe, request);
  for (let index = 0; index < PACKETS; index++) {
    await probe.sendImage(...getPacket(image, index), sequence);
  }
  const { status, nextOffset } = await probe.succeed('otaFinish', {});
  expectEqual('status from otaFinish', status, expected);
  expectEqual('nextOffset from otaFinish', nextOffset, image.length);
  const secondTransfer = await beginTransfer(probe, request);
  expectEqual(
    'nextOffset from otaStart, once the image is discarded',
    secondTransfer.nextOffset,
    0,
  );
}

export const firmwareClauses: readonly Clause[] = [
  {
    id: 'firmware.too-large',
    section: 'otastart--0x50',
    title: 'refuses an image that is larger than its flash (status too_large or no_space)',
    requires: 'optional',
    async check(bench) {
      const probe = await bench.getIdleLink();
      const request = { ...createAnnouncement(new Uint8Array(1)), fileSize: TOO_LARGE_SIZE };
      const { status } = await announce(probe, request);
      if (status === 'too_many_attempts' || status === 'usb_disk_mode') {
        throw new NotTested(`otaStart is answered with status ${status}`);
      }
      const isRefused = status === 'too_large' || status === 'no_space';
      expectThat(isRefused, 'status too_large or no_space from otaStart', status);
    },
  },
  {
    id: 'firmware.order',
    section: '3-a-conversation',
    title: "accepts an image's bytes in order, and asks for the first missing byte",
    requires: 'optional',
    async check(bench) {
      const probe = await bench.getIdleLink();
      const image = createImage();
      const request = createAnnouncement(image);
      const { sequence, nextOffset: first } = await beginTransfer(probe, request);
      expectEqual('nextOffset from otaStart for a new image', first, 0);
      await probe.sendImage(...getPacket(image, 0), sequence);
      await probe.sendImage(...getPacket(image, 2), sequence);
      const { status, isWaiting, nextOffset } = await probe.succeed('otaFinish', {});
      bench.announced = { request, nextOffset };
      expectEqual('status from otaFinish without the second packet', status, 'ota_failed');
      expectEqual('isWaiting from otaFinish', isWaiting, false);
      expectEqual('nextOffset from otaFinish', nextOffset, PACKET_BYTES);
    },
  },
  {
    id: 'firmware.resume',
    section: '3-a-conversation',
    title: 'resumes the same image on a new link, and starts a different image from its beginning',
    requires: 'optional',
    async check(bench) {
      const { announced } = bench;
      if (!announced) throw new NotTested('no image could be announced');
      const { request, nextOffset } = announced;
      await bench.close();
      const probe = await bench.getIdleLink();
      const resumed = await beginTransfer(probe, request);
      expectEqual('nextOffset from otaStart for the same image', resumed.nextOffset, nextOffset);
      const other = await beginTransfer(probe, createAnnouncement(createImage()));
      expectEqual('nextOffset from otaStart for a different image', other.nextOffset, 0);
    },
  },
  {
    id: 'firmware.damaged',
    section: 'otafinish--0x52',
    title: 'discards a complete image with a different CRC (status ota_failed)',
    requires: 'optional',
    check: (bench) =>
      expectRejected(
        bench,
        (announcement) => ({ ...announcement, crc16: announcement.crc16 ^ 1 }),
        'ota_failed',
      ),
  },
  {
    id: 'firmware.unsigned',
    section: 'otafinish--0x52',
    title: 'discards a complete image without a valid signature (status upgrade_failed)',
    requires: 'optional',
    check: (bench) => expectRejected(bench, (announcement) => announcement, 'upgrade_failed'),
  },
];
