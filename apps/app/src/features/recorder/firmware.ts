import { writable } from '@linnet/base';
import type { FirmwareDescriptor } from '@linnet/contract';
import { OTA_BYTES_PER_SECOND } from '@linnet/device/codec';
import {
  FIRMWARE_ERROR_CODES,
  FirmwareError,
  type FirmwareErrorCode,
} from '@linnet/device/session';
import type { Log } from '@linnet/sync';
import { isOlderVersion } from '../../firmware-versions.ts';
import type {
  FirmwareFailure,
  FirmwareService,
  FirmwareUpdate,
  OfferedFirmware,
  PublishedFirmware,
} from '../../ports/firmware.ts';
import type { ConnectedRecorder } from '../../ports/recorder.ts';
import type { Outcome } from '../../ports/store.ts';
import type { Connection } from './connection.ts';
import { attempt, notConnected } from './failures.ts';
import { fetchDescriptor, fetchImage } from './published-firmware.ts';
import type { RecorderLink } from './recorder-link.ts';

/** At this point nothing is left to send; a downgrade now asks the user for confirmation. */
const SENT_PERCENT = 99;

export type Firmware = {
  readonly service: FirmwareService;
  /** Cancels and clears everything when the account or the recorder changes. */
  forget(): void;
};

export type FirmwareOptions = {
  /** The server's origin. */
  readonly server: string;
  readonly link: Pick<RecorderLink, 'state' | 'current' | 'connect'>;
  readonly log: Log;
  readonly onError: (error: unknown) => void;
};

type Updated = NonNullable<ConnectedRecorder['updated']>;

/** Checks for firmware on the server, sends it to the recorder, and tracks the outcome. */
export function createFirmware({ server, link, log, onError }: FirmwareOptions): Firmware {
  const offered = writable<OfferedFirmware>({ status: 'unknown' });
  const update = writable<FirmwareUpdate>({ status: 'idle' });
  /** The full descriptor of the offered firmware. */
  let descriptor: FirmwareDescriptor | null = null;
  let abort = new AbortController();
  /** Incremented to invalidate pending answers of the server. */
  let checks = 0;
  /** The connection of the last update, and the last report of the recorder that was processed. */
  let sentOver: Connection | null = null;
  let heard: object | null = null;
  /** The connection whose recorder was searched for after it was lost. */
  let searchedFor: Connection | null = null;

  async function check(): Promise<void> {
    const connection = link.current();
    if (!connection || isUnderWay(update.get())) return;
    const { projectCode } = connection.session.info;
    if (offered.get().status !== 'found' || descriptor?.project_code !== projectCode) {
      descriptor = null;
      offered.set({ status: 'looking' });
    }
    const asked = ++checks;
    const found = await fetchDescriptor(server, projectCode);
    // Another recorder is connected now; its page checks again.
    if (asked !== checks || link.current() !== connection) return;
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
    const last = update.get();
    if (isUnderWay(last) || offered.get().status === 'unknown') return;
    const wanted = descriptor;
    const connection = link.current();
    const begun = last.status === 'failed' ? last.sn : null;
    if (!connection || (begun !== null && connection.session.info.sn !== begun)) {
      return fail({ kind: 'recorder', failure: notConnected.failure }, { sn: begun, percent: 0 });
    }
    const { sn, projectCode, firmwareVersion } = connection.session.info;
    // The offer is for another model.
    if (wanted?.project_code !== projectCode) return check();
    abort = new AbortController();
    const { signal } = abort;
    const firmware = published(wanted);
    update.set({ status: 'fetching', firmware });
    const image = await fetchImage(wanted, signal);
    if (signal.aborted) return;
    if (!image.ok) return fail(image.failure, { sn, percent: 0 });
    sentOver = connection;
    const isOlder = isOlderVersion(wanted.version, firmwareVersion);
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
    if (!taken.ok) return fail(taken.failure, { sn, percent });
    update.set({ status: 'restarting', firmware, sn });
    listen();
  }

  function fail(
    failure: FirmwareFailure,
    { sn, percent }: { sn: string | null; percent: number },
  ): void {
    log('firmware.failed', { kind: failure.kind, percent });
    update.set({ status: 'failed', sn, percent, failure });
  }

  /**
   * Processes the recorder's report on an update. A recorder that returns without a report is judged by its
   * version.
   */
  function listen(): void {
    if (link.state.get().status === 'none') forget();
    const connection = link.current();
    const now = update.get();
    if (!connection) {
      if (now.status === 'restarting') search(now.sn);
      return;
    }
    const { updated, info } = connection.view.get();
    const isNews = updated !== null && updated !== heard;
    heard = updated;
    // While sending, the response to that takes precedence.
    if (isUnderWay(now) && now.status !== 'restarting') return;
    // Reports and versions of other recorders are irrelevant to this update.
    if ('sn' in now && now.sn !== null && now.sn !== info.sn) return;
    if (isNews) conclude(info.sn, updated);
    else if (now.status === 'restarting' && connection !== sentOver) {
      const { firmwareVersion: version } = info;
      if (version === now.firmware.version) conclude(info.sn, { status: 'ok', version });
      else fail({ kind: 'unchanged' }, { sn: info.sn, percent: SENT_PERCENT });
    }
  }

  function conclude(sn: string, { status, version }: Updated): void {
    if (status !== 'ok') {
      fail(refused(status), { sn, percent: SENT_PERCENT });
      return;
    }
    log('firmware.done', { version });
    update.set({ status: 'done', version });
  }

  /** Has the link search for the restarting recorder once it has disconnected, ignoring others in range. */
  function search(sn: string): void {
    if (searchedFor === sentOver) return;
    searchedFor = sentOver;
    // The link notifies listeners in the middle of a transition.
    queueMicrotask(() => void link.connect({ byTap: false, sn }).catch(onError));
  }

  link.state.subscribe(listen);

  function forget(): void {
    abort.abort();
    checks += 1;
    descriptor = null;
    offered.set({ status: 'unknown' });
    update.set({ status: 'idle' });
  }

  function cancel(): void {
    const now = update.get();
    // Once everything is sent, the recorder installs it.
    const isOpen = now.status === 'sending' && now.percent < SENT_PERCENT;
    if (now.status !== 'fetching' && !isOpen) return;
    abort.abort();
    update.set({ status: 'idle' });
  }

  return {
    service: {
      offered,
      update,
      check,
      start,
      cancel,
      dismiss: () => {
        const now = update.get();
        if (now.status === 'restarting' || !isUnderWay(now)) update.set({ status: 'idle' });
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

/** As {@link attempt}, including the recorder's firmware errors. */
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
