/**
 * Firmware updates. Checks which version the server offers, downloads the image, sends it to the recorder, and
 * determines the outcome after the recorder has restarted.
 */
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

/** Progress in percent once the image has been sent. A downgrade then waits for the user's confirmation. */
const SENT_PERCENT = 99;

export type Firmware = {
  readonly service: FirmwareService;
  /** Cancels the update and clears all state. Call it when the account or the recorder changes. */
  forget(): void;
};

export type FirmwareOptions = {
  /** The server's origin. */
  readonly server: string;
  readonly link: Pick<RecorderLink, 'state' | 'current' | 'connect'>;
  readonly log: Log;
  readonly onError: (error: unknown) => void;
};

type UpdateReport = NonNullable<ConnectedRecorder['updated']>;

export function createFirmware({ server, link, log, onError }: FirmwareOptions): Firmware {
  const offered = writable<OfferedFirmware>({ status: 'unknown' });
  const update = writable<FirmwareUpdate>({ status: 'idle' });
  /** The full descriptor of the firmware on offer. */
  let descriptor: FirmwareDescriptor | null = null;
  let abort = new AbortController();
  /** Incremented to invalidate pending server responses. */
  let lastCheckId = 0;
  /** The connection over which the last update was sent. */
  let sentOver: Connection | null = null;
  /** The last recorder report processed. */
  let lastReport: object | null = null;
  /** The lost connection for which a search has already started. */
  let searchedFor: Connection | null = null;

  async function check(): Promise<void> {
    const connection = link.current();
    if (!connection || isInProgress(update.get())) return;
    const { projectCode } = connection.session.info;
    if (offered.get().status !== 'found' || descriptor?.project_code !== projectCode) {
      descriptor = null;
      offered.set({ status: 'checking' });
    }
    const checkId = ++lastCheckId;
    const result = await fetchDescriptor(server, projectCode);
    // The response is outdated. If another recorder has connected, its page runs its own check.
    if (checkId !== lastCheckId || link.current() !== connection) return;
    if (!result.ok) {
      offered.set({ status: 'failed', failure: result.failure });
      return;
    }
    descriptor = result.data;
    offered.set(
      descriptor
        ? { status: 'found', firmware: toPublishedFirmware(descriptor) }
        : { status: 'none' },
    );
  }

  async function start(): Promise<void> {
    const lastUpdate = update.get();
    if (isInProgress(lastUpdate) || offered.get().status === 'unknown') return;
    const target = descriptor;
    const connection = link.current();
    const failedSn = lastUpdate.status === 'failed' ? lastUpdate.sn : null;
    if (!connection || (failedSn !== null && connection.session.info.sn !== failedSn)) {
      return fail(
        { kind: 'recorder', failure: notConnected.failure },
        { sn: failedSn, percent: 0 },
      );
    }
    const { sn, projectCode, firmwareVersion } = connection.session.info;
    // The offer is for a different model.
    if (target?.project_code !== projectCode) return check();
    abort = new AbortController();
    const { signal } = abort;
    const firmware = toPublishedFirmware(target);
    update.set({ status: 'fetching', firmware });
    const image = await fetchImage(target, signal);
    if (signal.aborted) return;
    if (!image.ok) return fail(image.failure, { sn, percent: 0 });
    sentOver = connection;
    const isDowngrade = isOlderVersion(target.version, firmwareVersion);
    let percent = 0;
    const onProgress = (sent: number) => {
      if (signal.aborted) return;
      percent = sent;
      const needsConfirmation = isDowngrade && sent >= SENT_PERCENT;
      const secondsLeft = Math.ceil((1 - sent / 100) * firmware.seconds);
      update.set(
        needsConfirmation
          ? { status: 'asking', firmware }
          : { status: 'sending', firmware, percent, secondsLeft },
      );
    };
    onProgress(0);
    log('firmware.begun', { version: target.version, bytes: target.size });
    const outcome = await attemptUpdate(() =>
      connection.runOptional('updatesFirmware', () =>
        connection.session.updateFirmware(image.data, { signal, onProgress }),
      ),
    );
    if (signal.aborted) return;
    if (!outcome.ok) return fail(outcome.failure, { sn, percent });
    update.set({ status: 'restarting', firmware, sn });
    checkOutcome();
  }

  function fail(
    failure: FirmwareFailure,
    { sn, percent }: { sn: string | null; percent: number },
  ): void {
    log('firmware.failed', { kind: failure.kind, percent });
    update.set({ status: 'failed', sn, percent, failure });
  }

  /**
   * Determines an update's outcome from the recorder's report or, if it sends none, from the version it runs after
   * restarting.
   */
  function checkOutcome(): void {
    if (link.state.get().status === 'none') forget();
    const connection = link.current();
    const state = update.get();
    if (!connection) {
      if (state.status === 'restarting') reconnect(state.sn);
      return;
    }
    const { updated, info } = connection.view.get();
    const isNewReport = updated !== null && updated !== lastReport;
    lastReport = updated;
    // While the image is being sent, `start` handles the outcome.
    if (isInProgress(state) && state.status !== 'restarting') return;
    // Another recorder is connected.
    if ('sn' in state && state.sn !== null && state.sn !== info.sn) return;
    if (isNewReport) applyReport(info.sn, updated);
    else if (state.status === 'restarting' && connection !== sentOver) {
      const { firmwareVersion: version } = info;
      if (version === state.firmware.version) applyReport(info.sn, { status: 'ok', version });
      else fail({ kind: 'unchanged' }, { sn: info.sn, percent: SENT_PERCENT });
    }
  }

  function applyReport(sn: string, { status, version }: UpdateReport): void {
    if (status !== 'ok') {
      fail(toRefusal(status), { sn, percent: SENT_PERCENT });
      return;
    }
    log('firmware.done', { version });
    update.set({ status: 'done', version });
  }

  /** Reconnects after the recorder has disconnected in order to restart. */
  function reconnect(sn: string): void {
    if (searchedFor === sentOver) return;
    searchedFor = sentOver;
    // Deferred, because the link calls its subscribers in the middle of a transition.
    queueMicrotask(() => void link.connect({ isUserInitiated: false, sn }).catch(onError));
  }

  link.state.subscribe(checkOutcome);

  function forget(): void {
    abort.abort();
    lastCheckId += 1;
    descriptor = null;
    offered.set({ status: 'unknown' });
    update.set({ status: 'idle' });
  }

  function cancel(): void {
    const state = update.get();
    // The recorder installs the image as soon as it has all of it, so it's too late to cancel.
    const isSending = state.status === 'sending' && state.percent < SENT_PERCENT;
    if (state.status !== 'fetching' && !isSending) return;
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
        const state = update.get();
        if (state.status === 'restarting' || !isInProgress(state)) update.set({ status: 'idle' });
      },
    },
    forget,
  };
}

function isInProgress({ status }: FirmwareUpdate): boolean {
  return ['fetching', 'sending', 'asking', 'restarting'].includes(status);
}

function toPublishedFirmware(descriptor: FirmwareDescriptor): PublishedFirmware {
  const { version, notes, size, published_at } = descriptor;
  return { version, notes, size, publishedAt: published_at, seconds: size / OTA_BYTES_PER_SECOND };
}

/** Like {@link attempt}, but also converts the recorder's firmware errors to failures. */
async function attemptUpdate(run: () => Promise<void>): Promise<Outcome<null, FirmwareFailure>> {
  try {
    const outcome = await attempt(run);
    if (outcome.ok) return { ok: true, data: null };
    return { ok: false, failure: { kind: 'recorder', failure: outcome.failure } };
  } catch (error) {
    if (error instanceof FirmwareError) return { ok: false, failure: toRefusal(error.code) };
    throw error;
  }
}

function toRefusal(code: FirmwareErrorCode): FirmwareFailure {
  return { kind: 'refused', code, number: FIRMWARE_ERROR_CODES.indexOf(code) + 1 };
}
