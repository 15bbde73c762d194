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

/** Progress when the image is sent completely. A downgrade then waits for the user's confirmation. */
const SENT_PERCENT = 99;

export type Firmware = {
  readonly service: FirmwareService;
  /** Cancels and clears all state when the account or the recorder changes. */
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
  /** The connection over which the last update was sent. */
  let sentOver: Connection | null = null;
  /** The last processed report of the recorder. */
  let lastReport: object | null = null;
  /** The connection whose recorder was searched for after it was lost. */
  let searchedFor: Connection | null = null;

  async function check(): Promise<void> {
    const connection = link.current();
    if (!connection || isInProgress(update.get())) return;
    const { projectCode } = connection.session.info;
    if (offered.get().status !== 'found' || descriptor?.project_code !== projectCode) {
      descriptor = null;
      offered.set({ status: 'looking' });
    }
    const checkId = ++checks;
    const found = await fetchDescriptor(server, projectCode);
    // Another recorder has connected; its page checks again.
    if (checkId !== checks || link.current() !== connection) return;
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
    if (isInProgress(last) || offered.get().status === 'unknown') return;
    const target = descriptor;
    const connection = link.current();
    const failedSn = last.status === 'failed' ? last.sn : null;
    if (!connection || (failedSn !== null && connection.session.info.sn !== failedSn)) {
      return fail(
        { kind: 'recorder', failure: notConnected.failure },
        { sn: failedSn, percent: 0 },
      );
    }
    const { sn, projectCode, firmwareVersion } = connection.session.info;
    // Checks again if the offer is for another model.
    if (target?.project_code !== projectCode) return check();
    abort = new AbortController();
    const { signal } = abort;
    const firmware = published(target);
    update.set({ status: 'fetching', firmware });
    const image = await fetchImage(target, signal);
    if (signal.aborted) return;
    if (!image.ok) return fail(image.failure, { sn, percent: 0 });
    sentOver = connection;
    const isOlder = isOlderVersion(target.version, firmwareVersion);
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
    log('firmware.begun', { version: target.version, bytes: target.size });
    const result = await attemptUpdate(() =>
      connection.session.updateFirmware(image.data, { signal, onProgress }),
    );
    if (signal.aborted) return;
    if (!result.ok) return fail(result.failure, { sn, percent });
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
   * Processes the recorder's report on an update. Without a report, the version of the restarted recorder determines
   * the outcome.
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
    const isNewReport = updated !== null && updated !== lastReport;
    lastReport = updated;
    // While sending, the response to the transfer takes precedence.
    if (isInProgress(now) && now.status !== 'restarting') return;
    // Reports and versions of other recorders are irrelevant to this update.
    if ('sn' in now && now.sn !== null && now.sn !== info.sn) return;
    if (isNewReport) conclude(info.sn, updated);
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

  /** Reconnects to the restarting recorder after its disconnection. */
  function search(sn: string): void {
    if (searchedFor === sentOver) return;
    searchedFor = sentOver;
    // Deferred, because the link notifies listeners during a transition.
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
    // The recorder installs a completely sent image.
    const isSending = now.status === 'sending' && now.percent < SENT_PERCENT;
    if (now.status !== 'fetching' && !isSending) return;
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
        if (now.status === 'restarting' || !isInProgress(now)) update.set({ status: 'idle' });
      },
    },
    forget,
  };
}

function isInProgress({ status }: FirmwareUpdate): boolean {
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
