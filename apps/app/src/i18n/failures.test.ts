import { type CodeName, catalog, codes } from '@linnet/contract/codes';
import { FIRMWARE_ERROR_CODES } from '@linnet/device/session';
import i18next, { type TFunction } from 'i18next';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  describeFailure,
  describeFirmwareFailure,
  describeRecorderFailure,
  downloadCodes,
  exportCode,
  recordingCodes,
} from './failures.ts';
import { interfaceLanguages } from './languages.ts';
import en from './locales/en/index.ts';

const files = import.meta.glob<object>('./locales/*/*.json', { import: 'default', eager: true });
const inEnglish: TFunction = i18next.getFixedT('en');

beforeAll(async () => {
  await i18next.init({
    lng: 'en',
    resources: { en: { translation: en } },
    fallbackLng: false,
    interpolation: { escapeValue: false },
  });
  for (const [path, words] of Object.entries(files)) {
    const [, , language = ''] = path.split('/');
    i18next.addResourceBundle(language, 'translation', words, true, true);
  }
});

/** The specification's messages for its codes, as this app words them. */
const serverSentences: Partial<Record<CodeName, string>> = {
  wrongCode: 'That code is wrong or has expired. Request a new one.',
  wrongCredentials: 'Wrong email or password',
  wrongOldPassword: 'Your old password is wrong',
  deviceNotRegistered:
    'This recorder isn’t registered with your server. Send its serial number to your server’s admin.',
  deviceBoundElsewhere:
    'This recorder is paired with another account. Its owner needs to unpair it first.',
  proofRefused: 'Couldn’t verify this recorder’s identity. Pair it again.',
  tokenInvalid: 'Please sign in again. Your recordings are safe on this device.',
  audioTooShort: 'The audio is too short to transcribe',
  notUploaded: 'Please upload the file to the server first',
  noStorageLocation: 'At least one must be chosen',
};
const recordingSentences: Readonly<Record<number, string>> = {
  [-1]: 'Bluetooth isn’t working properly',
  1: 'The recorder is full',
  2: 'The recorder is plugged in as a USB drive',
  3: 'The recorder has a hardware problem',
  4: 'The recorder is busy',
  5: 'The recorder is in Wi-Fi mode and can’t record',
  6: 'The recording has stopped',
  7: 'The recorder is waiting to be paired',
};
const firmwareSentences = [
  'The recorder rejected this firmware',
  'The recorder kept its current version',
  'The recorder couldn’t save the firmware',
  'The firmware is too large for this recorder',
  'Too many update attempts',
  'The recorder is plugged in as a USB drive',
  'The recorder is recording',
  'The recorder doesn’t have enough storage for the firmware',
  'The firmware didn’t transfer completely',
];
const downloadSentences: Readonly<Record<number, string>> = {
  1: 'Not enough storage for the file',
  2: 'The server didn’t provide the audio of “Heron”',
  3: 'The audio of “Heron” is in the cloud, but we can’t reach the server',
};

const server = (code: number, msg = '') => ({ kind: 'server', code, msg }) as const;
const numbers = Object.keys(recordingCodes).map(Number);

it.each(Object.entries(serverSentences))('describes server code %s as: %s', (name, words) => {
  expect(describeFailure(inEnglish, server(codes[name as CodeName])).message).toBe(words);
});

it.each(Object.entries(recordingSentences))('describes recording code %s as: %s', (code, words) => {
  const failureText = describeRecorderFailure(inEnglish, { kind: 'recording', code: Number(code) });
  expect([failureText.message, failureText.code]).toEqual([words, `recorder ${code}`]);
});

it.each(firmwareSentences.map((words, index) => [index + 1, words] as const))(
  'describes firmware code %d as: %s',
  (number, words) => {
    const code = FIRMWARE_ERROR_CODES[number - 1];
    if (!code) throw new Error(`no code ${number}`);
    const failureText = describeFirmwareFailure(inEnglish, { kind: 'refused', code, number });
    expect([failureText.message, failureText.code]).toEqual([words, `firmware ${number}`]);
  },
);

it('does not send owners to buttons that the recorder may not have', () => {
  for (const [code, { todo }] of Object.entries(en.device)) {
    expect(todo, code).not.toMatch(/\btop\b|\bright\b|WiFi button/);
  }
});

it.each(Object.entries(downloadCodes))('names the file for download code %s', (number, code) => {
  expect(inEnglish(`export.failed.${code}.what`, { title: 'Heron' })).toBe(
    downloadSentences[Number(number)],
  );
  expect(exportCode(code)).toBe(`download ${number}`);
});

it('describes other failures as a network failure or an unavailable server, and shows the server’s message for unknown codes', () => {
  const network = 'Can’t reach the server. Check your network and try again.';
  for (const failure of [
    { kind: 'network', cause: null },
    { kind: 'timeout' },
    { kind: 'malformed' },
    { kind: 'http', status: 404 },
    server(987_654),
  ] as const) {
    expect(describeFailure(inEnglish, failure)).toMatchObject({ message: network, sticky: false });
  }
  expect(describeFailure(inEnglish, { kind: 'http', status: 502 }).message).toBe(
    'The server is temporarily unavailable. Nothing was lost. Try again later.',
  );
  const failureText = describeFailure(inEnglish, server(987_654, 'The cellar is flooded.'));
  expect(failureText).toEqual({
    message: 'The cellar is flooded.',
    advice: null,
    code: '987654',
    sticky: true,
  });
});

describe.each(interfaceLanguages.map(({ language }) => language))('in %s', (language) => {
  const t = i18next.getFixedT(language);
  beforeAll(async () => {
    await i18next.changeLanguage(language);
    return () => i18next.changeLanguage('en');
  });

  /** Returns the messages of every failure in the catalog. */
  function walk(): Map<string, string> {
    const words = new Map<string, string>();
    for (const name of Object.keys(catalog) as CodeName[]) {
      words.set(name, describeFailure(t, server(codes[name])).message);
    }
    words.set('network', describeFailure(t, { kind: 'timeout' }).message);
    for (const code of numbers) {
      const { message, advice } = describeRecorderFailure(t, { kind: 'recording', code });
      words.set(`recorder ${code}`, message).set(`recorder ${code} todo`, advice ?? '');
    }
    FIRMWARE_ERROR_CODES.forEach((code, index) => {
      const failureText = describeFirmwareFailure(t, { kind: 'refused', code, number: index + 1 });
      words
        .set(failureText.code, failureText.message)
        .set(`${failureText.code} todo`, failureText.advice ?? '');
    });
    for (const code of Object.values(downloadCodes)) {
      words.set(exportCode(code), t(`export.failed.${code}.what`, { title: 'Heron' }));
      words.set(`${exportCode(code)} todo`, t(`export.failed.${code}.means`));
    }
    return words;
  }

  it('has a text for every code and never shows a key', () => {
    const words = walk();
    expect(words.size).toBe(Object.keys(catalog).length + 1 + 2 * (8 + 9 + 3));
    for (const [code, text] of words) {
      expect(text.trim(), code).not.toBe('');
      expect(text, code).not.toMatch(/^[\w]+\.[\w.]+$/);
      expect(text, code).not.toContain('{{');
    }
  });

  it('distinguishes the codes of each kind', () => {
    const words = walk();
    const kinds = ['recorder', 'firmware', 'download'];
    for (const kind of kinds) {
      const wordsOfKind = [...words].filter(
        ([code]) => code.startsWith(`${kind} `) && !code.endsWith('todo'),
      );
      expect(new Set(wordsOfKind.map(([, text]) => text)).size, kind).toBe(wordsOfKind.length);
    }
  });

  it('uses only texts in this language', () => {
    if (language === 'en')
      expect(t('server.network')).toBe('Can’t reach the server. Check your network and try again.');
    const english = new Map<string, string>();
    for (const name of Object.keys(catalog) as CodeName[]) {
      english.set(name, describeFailure(inEnglish, server(codes[name])).message);
    }
    for (const [code, text] of walk()) {
      if (language !== 'en') expect(text, code).not.toBe(english.get(code));
    }
    const serverMessage = 'Too many attempts. Try again in 7 min.';
    for (const name of Object.keys(catalog) as CodeName[]) {
      const { message } = describeFailure(t, server(codes[name], serverMessage));
      expect(message, name).toBe(t(`server.${name}`));
    }
  });
});
