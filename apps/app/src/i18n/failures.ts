/** Translates failure codes to texts. */

import type { CallFailure } from '@linnet/contract/client';
import type { CodeName } from '@linnet/contract/codes';
import { codeName } from '@linnet/contract/codes';
import i18next, { type TFunction } from 'i18next';
import type { ExportFailure } from '../ports/exports.ts';
import type { FirmwareFailure } from '../ports/firmware.ts';
import type { RecorderFailure } from '../ports/recorder.ts';
import { joinSentences } from './joined.ts';
import type { InterfaceLanguage } from './languages.ts';
import type en from './locales/en/index.ts';

/** The text shown for a failure. A `sticky` text comes from the server and stays until dismissed. */
export type FailureText = {
  readonly message: string;
  /** The suggested action, unless the sentence includes it. */
  readonly advice: string | null;
  /** Shown in the small print. */
  readonly code: string;
  readonly sticky: boolean;
};

/** Joins a failure and its suggested action to one line. */
export function formatFailure({
  message,
  advice,
}: Pick<FailureText, 'message' | 'advice'>): string {
  return joinSentences([message, advice ?? ''], i18next.language);
}

/** The language of the server's own messages. */
const serverLanguage: InterfaceLanguage = 'en';

/** Codes whose server message has details: a field, a limit, a setting. */
const serverSaysMore: ReadonlySet<CodeName> = new Set([
  'badRequest',
  'tooLarge',
  'tooManyRequests',
  'languageUnavailable',
  'typeNotAccepted',
]);

/**
 * Describes a failed call by its code, or else by the server's message, or else as a network failure. In English, a
 * more detailed server message takes precedence; server messages are not translated.
 */
export function describeFailure(t: TFunction, failure: CallFailure): FailureText {
  if (failure.kind !== 'server') {
    const code = failure.kind === 'http' ? `http ${failure.status}` : failure.kind;
    return { message: t('server.network'), advice: null, code, sticky: false };
  }
  const code = String(failure.code);
  const name = codeName(failure.code);
  const saysMore = name && serverSaysMore.has(name) && i18next.language === serverLanguage;
  if (name && !(saysMore && failure.msg)) {
    return { message: t(`server.${name}`), advice: null, code, sticky: false };
  }
  return failure.msg
    ? { message: failure.msg, advice: null, code, sticky: true }
    : { message: t('server.network'), advice: null, code, sticky: false };
}

/** The specification's device recording errors by number (section 8). */
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

/** The texts of microphone failures. */
const microphoneWords = {
  unsupported: 'microphone_unsupported',
  insecure_context: 'microphone_insecure',
  permission_denied: 'microphone_denied',
  not_found: 'microphone_missing',
  busy: 'microphone_busy',
  disconnected: 'microphone_lost',
  storage_full: 'microphone_full',
  io_failed: 'microphone_failed',
} as const;

/** The specification's download errors by number (section 8): not saved, not provided, no network. */
export const downloadCodes = { 1: 'storage_full', 2: 'refused', 3: 'offline' } as const;

/** Error code of a failed export: the specification's number if there is one. */
export function exportCode(code: ExportFailure['code']): string {
  const number = Object.entries(downloadCodes).find(([, known]) => known === code)?.[0];
  return number ? `download ${number}` : `export ${code}`;
}

type DeviceWord = keyof (typeof en)['device'];

function isDeviceWord(code: string): code is DeviceWord {
  return i18next.exists(`device.${code}.what`);
}

function deviceFailure(t: TFunction, word: DeviceWord, code: string): FailureText {
  return {
    message: t(`device.${word}.what`),
    advice: t(`device.${word}.todo`),
    code,
    sticky: false,
  };
}

/** Describes a failed operation on the recorder. */
export function describeRecorderFailure(t: TFunction, failure: RecorderFailure): FailureText {
  switch (failure.kind) {
    case 'server':
      return describeFailure(t, failure.failure);
    case 'not-connected':
      return deviceFailure(t, 'not_connected', 'not_connected');
    case 'recording': {
      const known: Readonly<Record<number, DeviceWord>> = recordingCodes;
      return deviceFailure(t, known[failure.code] ?? 'result_unknown', `recorder ${failure.code}`);
    }
    case 'microphone':
      return deviceFailure(t, microphoneWords[failure.code], `microphone ${failure.code}`);
    case 'device':
      return deviceFailure(t, isDeviceWord(failure.code) ? failure.code : 'unknown', failure.code);
  }
}

/** Describes a failed firmware update; `code` is the specification's if there is one. */
export function describeFirmwareFailure(t: TFunction, failure: FirmwareFailure): FailureText {
  switch (failure.kind) {
    case 'refused':
      return firmwareFailure(t, failure.code, `firmware ${failure.number}`);
    case 'server':
      return firmwareFailure(t, 'fetch', describeFailure(t, failure.failure).code);
    case 'damaged':
    case 'unchanged':
      return firmwareFailure(t, failure.kind, failure.kind);
    case 'recorder': {
      const { failure: reason } = failure;
      return reason.kind === 'device' && reason.code === 'link_lost'
        ? firmwareFailure(t, 'link_lost', 'link_lost')
        : describeRecorderFailure(t, reason);
    }
  }
}

/** As {@link describeFirmwareFailure}, for obstacles detected before the transfer. */
export function firmwareFailure(
  t: TFunction,
  word: keyof (typeof en)['firmware'],
  code: string,
): FailureText {
  return {
    message: t(`firmware.${word}.what`),
    advice: t(`firmware.${word}.todo`),
    code,
    sticky: false,
  };
}
