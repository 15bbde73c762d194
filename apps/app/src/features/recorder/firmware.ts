import type { FirmwareDescriptor } from '@linnet/contract';
import { OTA_BYTES_PER_SECOND } from '@linnet/device/codec';
import {
  FIRMWARE_ERROR_CODES,
  FirmwareError,
  type FirmwareErrorCode,
} from '@linnet/device/session';
import type { Log } from '@linnet/sync';
import { comesBefore } from '../../firmware-versions.ts';
import type {
  FirmwareFailure,
  FirmwareService,
  FirmwareUpdate,
  OfferedFirmware,
  Outcome,
  PublishedFirmware,
} from '../../services.ts';
import { writable } from '../../stores.ts';
import type { Connection } from './connection.ts';
import { attempt, notConnected } from './failures.ts';
import { fetchDescriptor, fetchImage } from './published-firmware.ts';
import type { RecorderLink } from './recorder-link.ts';

/** From here on nothing is left to send: an owner who is to confirm an older version is asked now. */
const SENT_PERCENT = 99;

export type Firmware = {
  readonly service: FirmwareService;
  /** Another account or recorder: what was under way is called off, and nothing of it stays. */
  forget(): void;
};

/** Looks for firmware on the server, brings it to the recorder, and hears from it what became of it. */
export function createFirmware({ link, log }: { link: RecorderLink; log: Log }): Firmware {
  const offered = writable<OfferedFirmware>({ status: 'unknown' });
  const update = writable<FirmwareUpdate>({ status: 'idle' });
  /** What the offer says in full. */
  let descriptor: FirmwareDescriptor | null = null;
  let abort = new AbortController();
  /** The link over which the last update went, and the recorder's word on an update that was taken in. */
  let sentOver: Connection | null = null;
  let heard: object | null = null;

  async function look(): Promise<void> {
    const connection = link.current();
    if (!connection || isUnderWay(update.get())) return;
    const { projectCode } = connection.session.info;
    if (offered.get().status !== 'found' || descriptor?.project_code !== projectCode) {
      offered.set({ status: 'looking' });
    }
    const found = await fetchDescriptor(projectCode);
    if (!found.ok) {
      offered.set({ status: 'failed', failure: found.failure });
      return;
    }
    descriptor = found.data;
    offered.set(
      descriptor ? { status: 'found', firmware: published(descriptor) } : { status: 'none' },
    );
  }

  async function start(): Promise<void> {
    if (isUnderWay(update.get()) || !descriptor) return;
    const wanted = descriptor;
    const connection = link.current();
    if (!connection) return fail({ kind: 'recorder', failure: notConnected.failure }, 0);
    abort = new AbortController();
    const { signal } = abort;
    const firmware = published(wanted);
    update.set({ status: 'fetching', firmware });
    const image = await fetchImage(wanted, signal);
    if (signal.aborted) return;
    if (!image.ok) return fail(image.failure, 0);
    sentOver = connection;
    const isOlder = comesBefore(wanted.version, connection.session.info.firmwareVersion);
    let percent = 0;
    const onProgress = (sent: number) => {
      if (signal.aborted) return;
      percent = sent;
      const isAsked = isOlder && sent >= SENT_PERCENT;
      const secondsLeft = Math.ceil((1 - sent / 100) * firmware.seconds);
      update.set(
        isAsked
          ? { status: 'asking', firmware }
          : { status: 'sending', firmware, percent, secondsLeft },
      );
    };
    onProgress(0);
    log('firmware.begun', { version: wanted.version, bytes: wanted.size });
    const taken = await attemptUpdate(() =>
      connection.session.updateFirmware(image.data, { signal, onProgress }),
    );
    if (signal.aborted) return;
    if (!taken.ok) return fail(taken.failure, percent);
    update.set({ status: 'restarting', firmware });
    listen();
  }

  function fail(failure: FirmwareFailure, percent: number): void {
    log('firmware.failed', { kind: failure.kind, percent });
    update.set({ status: 'failed', percent, failure });
  }

  /** Takes in the recorder's word on an update; one that came back without a word is believed by its version. */
  function listen(): void {
    if (link.state.get().status === 'none') forget();
    const connection = link.current();
    if (!connection) return;
    const { updated, info } = connection.view.get();
    const now = update.get();
    const isNews = updated !== null && updated !== heard;
    heard = updated;
    // While it is sent, the answer to that has the last word.
    if (isUnderWay(now) && now.status !== 'restarting') return;
    if (isNews) conclude(updated.status, updated.version);
    else if (now.status === 'restarting' && connection !== sentOver) {
      if (info.firmwareVersion === now.firmware.version) conclude('ok', info.firmwareVersion);
      else fail({ kind: 'unchanged' }, SENT_PERCENT);
    }
  }

  function conclude(status: 'ok' | FirmwareErrorCode, version: string): void {
    if (status !== 'ok') {
      fail(refused(status), SENT_PERCENT);
      return;
    }
    log('firmware.done', { version });
    update.set({ status: 'done', version });
  }

  link.state.subscribe(listen);

  function forget(): void {
    abort.abort();
    descriptor = null;
    offered.set({ status: 'unknown' });
    update.set({ status: 'idle' });
  }

  function cancel(): void {
    abort.abort();
    if (['fetching', 'sending'].includes(update.get().status)) update.set({ status: 'idle' });
  }

  return {
    service: {
      offered,
      update,
      look,
      start,
      cancel,
      dismiss: () => {
        if (!isUnderWay(update.get())) update.set({ status: 'idle' });
      },
    },
    forget,
  };
}

function isUnderWay({ status }: FirmwareUpdate): boolean {
  return ['fetching', 'sending', 'asking', 'restarting'].includes(status);
}

function published({ version, notes, size, published_at }: FirmwareDescriptor): PublishedFirmware {
  return { version, notes, size, publishedAt: published_at, seconds: size / OTA_BYTES_PER_SECOND };
}

/** As {@link attempt}, for what a recorder says of new firmware, too. */
async function attemptUpdate(run: () => Promise<void>): Promise<Outcome<null, FirmwareFailure>> {
  try {
    const tried = await attempt(run);
    if (tried.ok) return { ok: true, data: null };
    return { ok: false, failure: { kind: 'recorder', failure: tried.failure } };
  } catch (error) {
    if (error instanceof FirmwareError) return { ok: false, failure: refused(error.code) };
    throw error;
  }
}

function refused(code: FirmwareErrorCode): FirmwareFailure {
  return { kind: 'refused', code, number: FIRMWARE_ERROR_CODES.indexOf(code) + 1 };
}
