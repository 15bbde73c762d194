/** Translates failure codes into messages. */

import type { CallFailure } from '@linnet/contract/client';
import { codeName } from '@linnet/contract/codes';
import i18next, { type TFunction } from 'i18next';
import type { ExportFailure } from '../ports/exports.ts';
import type { FirmwareFailure } from '../ports/firmware.ts';
import type { RecorderFailure } from '../ports/recorder.ts';
import { joinSentences } from './joined.ts';
import type en from './locales/en/index.ts';

/** The message shown for a failure. A `sticky` message comes from the server and stays until dismissed. */
export type FailureText = {
  readonly message: string;
  /** The suggested action, or null if the message includes it. */
  readonly advice: string | null;
  /** The error code, shown in small print. */
  readonly code: string;
  readonly sticky: boolean;
};

/** Joins a failure's message and suggested action into one line. */
export function formatFailure({
  message,
  advice,
}: Pick<FailureText, 'message' | 'advice'>): string {
  return joinSentences([message, advice ?? ''], i18next.language);
}

/**
 * Describes a failed call by its code, or by the server's message if the code is unknown. Without either, HTTP statuses
 * from 500 up mean an unavailable server, and everything else a network failure. Server messages for known codes are
 * never shown: they are in English, and may name fields or limits that only matter to developers.
 */
export function describeFailure(t: TFunction, failure: CallFailure): FailureText {
  if (failure.kind !== 'server') {
    const code = failure.kind === 'http' ? `http ${failure.status}` : failure.kind;
    const isServerDown = failure.kind === 'http' && failure.status >= 500;
    const message = t(isServerDown ? 'server.unavailable' : 'server.network');
    return { message, advice: null, code, sticky: false };
  }
  const code = String(failure.code);
  const name = codeName(failure.code);
  if (name) {
    return { message: t(`server.${name}`), advice: null, code, sticky: false };
  }
  return failure.msg
    ? { message: failure.msg, advice: null, code, sticky: true }
    : { message: t('server.network'), advice: null, code, sticky: false };
}

/** On-device recording errors, keyed by their number in section 8 of the specification. */
export const recordingCodes = {
  [-1]: 'bluetooth_abnormal',
  1: 'space_full',
  2: 'usb_disk_mode',
  3: 'hardware_abnormal',
  4: 'busy',
  5: 'wifi_mode',
  6: 'recording_stopped',
  7: 'waiting_for_bind',
} as const;

/** Messages for microphone failures. */
const microphoneKeys = {
  unsupported: 'microphone_unsupported',
  insecure_context: 'microphone_insecure',
  permission_denied: 'microphone_denied',
  not_found: 'microphone_missing',
  busy: 'microphone_busy',
  disconnected: 'microphone_lost',
  sharing_canceled: 'sharing_canceled',
  no_shared_audio: 'no_shared_audio',
  storage_full: 'microphone_full',
  io_failed: 'microphone_failed',
} as const;

/** Download errors, keyed by their number in section 8 of the specification: not saved, not provided, no network. */
export const downloadCodes = { 1: 'storage_full', 2: 'refused', 3: 'offline' } as const;

/** Returns a failed export's error code, which is the specification's number if the failure has one. */
export function exportCode(code: ExportFailure['code']): string {
  const number = Object.entries(downloadCodes).find(([, known]) => known === code)?.[0];
  return number ? `download ${number}` : `export ${code}`;
}

type DeviceKey = keyof (typeof en)['device'];

function isDeviceKey(code: string): code is DeviceKey {
  return i18next.exists(`device.${code}.what`);
}

function deviceFailureText(t: TFunction, key: DeviceKey, code: string): FailureText {
  return {
    message: t(`device.${key}.what`),
    advice: t(`device.${key}.todo`),
    code,
    sticky: false,
  };
}

/** Describes a failed recorder operation. */
export function describeRecorderFailure(t: TFunction, failure: RecorderFailure): FailureText {
  switch (failure.kind) {
    case 'server':
      return describeFailure(t, failure.failure);
    case 'not-connected':
      return deviceFailureText(t, 'not_connected', 'not_connected');
    case 'recording': {
      const known: Readonly<Record<number, DeviceKey>> = recordingCodes;
      return deviceFailureText(
        t,
        known[failure.code] ?? 'result_unknown',
        `recorder ${failure.code}`,
      );
    }
    case 'microphone':
      return deviceFailureText(t, microphoneKeys[failure.code], `microphone ${failure.code}`);
    case 'device':
      return deviceFailureText(
        t,
        isDeviceKey(failure.code) ? failure.code : 'unknown',
        failure.code,
      );
  }
}

/** Describes a failed firmware update. `code` is the specification's number if the failure has one. */
export function describeFirmwareFailure(t: TFunction, failure: FirmwareFailure): FailureText {
  switch (failure.kind) {
    case 'refused':
      return firmwareFailureText(t, failure.code, `firmware ${failure.number}`);
    case 'server':
      return firmwareFailureText(t, 'fetch', describeFailure(t, failure.failure).code);
    case 'damaged':
    case 'unchanged':
      return firmwareFailureText(t, failure.kind, failure.kind);
    case 'recorder': {
      const { failure: reason } = failure;
      return reason.kind === 'device' && reason.code === 'link_lost'
        ? firmwareFailureText(t, 'link_lost', 'link_lost')
        : describeRecorderFailure(t, reason);
    }
  }
}

/** Describes a problem with a firmware update that was detected before the transfer. */
export function firmwareFailureText(
  t: TFunction,
  key: keyof (typeof en)['firmware'],
  code: string,
): FailureText {
  return {
    message: t(`firmware.${key}.what`),
    advice: t(`firmware.${key}.todo`),
    code,
    sticky: false,
  };
}
