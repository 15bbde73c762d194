/** Bringing new firmware to a recorder: announced, sent in paced packets, finished. */
import type { Clock } from '../clock.ts';
import { OTA_BYTES_PER_SECOND, OTA_PACKET_SIZE, type ResponseOf } from '../codec/index.ts';
import { DeviceError, FirmwareError } from '../errors.ts';
import type { Link } from './link.ts';
import { BIND_CONFIRM_MS, BIND_GRACE_MS, OTA_ROUNDS } from './timing.ts';
import type { FirmwareImage, UpdateOptions } from './types.ts';

/** The most that is shown before the recorder confirmed by its report after the restart. */
const MOST_PERCENT = 99;

/**
 * Resolves when the recorder is about to restart with the image; it tells of that on the next link.
 * @throws {FirmwareError} as the recorder says why it does not take it
 * @throws {DeviceError} `battery_low`, `link_lost`, `aborted`, `timeout`
 */
export async function updateFirmware(
  link: Link,
  clock: Clock,
  image: FirmwareImage,
  options: UpdateOptions = {},
): Promise<void> {
  const { bytes, crc16, version, signature } = image;
  let sequence = 0;
  const announced = { fileSize: bytes.length, crc16, version, signature };
  const started = await link.request('otaStart', announced, (given) => {
    sequence = given;
  });
  mustBeOk(started.status);
  let { nextOffset } = started;
  for (let round = 1; ; round++) {
    await sendFrom(nextOffset);
    // The last moment in which the recorder keeps what it has.
    if (options.signal?.aborted) throw new DeviceError('aborted', { cause: options.signal.reason });
    const answered = answerOf(link, clock);
    try {
      const finished = await link.request('otaFinish', {});
      const isMissing = finished.status === 'ota_failed' && finished.nextOffset < bytes.length;
      if (isMissing && round < OTA_ROUNDS) {
        ({ nextOffset } = finished);
        continue;
      }
      mustBeOk(finished.status);
      if (finished.isWaiting) mustBeOk(await answered.promise);
      return;
    } finally {
      answered.stop();
    }
  }

  /** Sends what is due by the clock: a page in the background wakes seldom, and then sends more. */
  async function sendFrom(first: number): Promise<void> {
    const { signal, onProgress } = options;
    const begun = clock.now();
    for (let offset = first; offset < bytes.length; ) {
      const due = first + ((clock.now() - begun) * OTA_BYTES_PER_SECOND) / 1000;
      while (offset <= due && offset < bytes.length) {
        if (signal?.aborted) throw new DeviceError('aborted', { cause: signal.reason });
        const data = bytes.subarray(offset, offset + OTA_PACKET_SIZE);
        await link.send('otaData', { offset, data }, sequence);
        offset += data.length;
      }
      onProgress?.(Math.min(MOST_PERCENT, Math.floor((100 * offset) / bytes.length)));
      const wait = ((offset - first) * 1000) / OTA_BYTES_PER_SECOND - (clock.now() - begun);
      if (wait > 0) await new Promise<void>((resolve) => clock.after(wait, resolve));
    }
  }
}

function mustBeOk(status: ResponseOf<'otaFinish'>['status']): void {
  if (status !== 'ok') throw new FirmwareError(status);
}

/** What the owner decides on the recorder: it says no in a report, and restarts for yes. */
function answerOf(link: Link, clock: Clock) {
  const answer = Promise.withResolvers<ResponseOf<'otaFinish'>['status']>();
  // Awaited only if the owner is asked; until then a failure must not go unhandled.
  answer.promise.catch(() => undefined);
  const stops = [
    link.onReport((report) => {
      if (report.name === 'firmwareChanged') answer.resolve(report.value.status);
    }),
    link.onClosed(() => answer.resolve('ok')),
    clock.after(BIND_CONFIRM_MS + BIND_GRACE_MS, () => answer.reject(new DeviceError('timeout'))),
  ];
  return {
    promise: answer.promise,
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}
