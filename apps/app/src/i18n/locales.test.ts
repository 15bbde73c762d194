import { catalog, codes } from '@linnet/contract/codes';
import { defaultSpeakerName } from '@linnet/contract/speaker-names';
import { DEVICE_ERROR_CODES, FIRMWARE_ERROR_CODES } from '@linnet/device/session';
import { TRANSPORT_ERROR_CODES } from '@linnet/device/transport';
import { describe, expect, it } from 'vitest';
import { recordingCodes } from './failures.ts';
import { interfaceLanguages } from './languages.ts';
import en from './locales/en/index.ts';

const files = import.meta.glob<object>('./locales/*/*.json', { import: 'default', eager: true });

/** Each language's translations, and the files that contain them. */
const locales: Record<string, object> = { en };
const fileNames = new Map<string, string[]>();
for (const [path, texts] of Object.entries(files)) {
  const [, , language = '', name = ''] = path.split('/');
  locales[language] = { ...locales[language], ...texts };
  fileNames.set(language, [...(fileNames.get(language) ?? []), name]);
}

type Words = Map<string, string>;

function flat(tree: object, path = ''): Words {
  const found: Words = new Map();
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') found.set(path + key, value);
    else for (const [inner, words] of flat(value, `${path}${key}.`)) found.set(inner, words);
  }
  return found;
}

const plural = /_(zero|one|two|few|many|other)$/;
const forms = (language: string) =>
  new Intl.PluralRules(language).resolvedOptions().pluralCategories;

/** Returns the keys without their plural suffixes. */
const stems = (words: Words) => new Set([...words.keys()].map((key) => key.replace(plural, '')));
const counted = (words: Words) =>
  new Set(
    [...words.keys()].filter((key) => plural.test(key)).map((key) => key.replace(plural, '')),
  );
const findArguments = (text: string) =>
  new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name));

const english = flat(en);

/** Names that are the same in every language, with a few exceptions. */
const names = [
  ...['Linnet', 'Linnet {{version}}', 'VIP', 'Bluetooth', 'WiFi', 'Android', 'Windows', 'Mac'],
  ...['Linux', 'XMind (.xmind)', 'Markdown', 'Word', 'PDF', 'SRT', 'WebVTT', 'JSON', 'WAV'],
  ...['Ogg Opus', 'MP3', 'Webhook', 'Webhooks'],
];
const bytes = ['{{formatted}} byte', '{{formatted}} bytes'];
/** Words spelled the same as in English. For Thai, these are words on Thai keyboards. */
const shared: Readonly<Record<string, readonly string[]>> = {
  es: ['Audio', 'Firmware', 'General', 'Normal', 'Original', ...bytes],
  fr: [
    ...[
      'Audio',
      'Cloud',
      'Sources',
      'Export',
      'Format',
      'Minutes',
      'Note',
      'note',
      'Notes',
      'Options',
      'Original',
      'Pause',
    ],
    ...[
      'Messages',
      'Notifications',
      'Position',
      'Questions',
      'Signal',
      'Test',
      'Transcription',
      'Type',
      'Zoom',
    ],
    ...['Version {{version}}', '{{formatted}} minute', '{{formatted}} minutes'],
  ],
  pt: ['Firmware', 'Normal', 'Original', 'Player', 'Total', ...bytes],
  th: ['Space'],
};

describe('interface languages', () => {
  it('have exactly one folder each', () => {
    expect(Object.keys(locales).sort()).toEqual(
      interfaceLanguages.map(({ language }) => language).sort(),
    );
  });

  it('have the same files as English', () => {
    expect(new Set([...fileNames.values()].map((names) => names.join(' '))).size).toBe(1);
  });

  describe.each(interfaceLanguages)('$language', ({ language }) => {
    const words = flat(locales[language] ?? {});

    it('has exactly the same keys as English', () => {
      expect([...stems(words)].sort()).toEqual([...stems(english)].sort());
    });

    it('has every plural form that its grammar requires', () => {
      expect(counted(words)).toEqual(counted(english));
      for (const stem of counted(words)) {
        for (const form of forms(language))
          expect(words.has(`${stem}_${form}`), `${stem}_${form}`).toBe(true);
      }
    });

    it('uses exactly the same arguments as English', () => {
      for (const [key, text] of words) {
        const stem = key.replace(plural, '');
        const expected = findArguments(english.get(key) ?? english.get(`${stem}_other`) ?? '');
        const used = findArguments(text);
        // The forms zero, one and two may spell out the number.
        if (/_(zero|one|two)$/.test(key)) used.add('formatted');
        if (/_(zero|one|two)$/.test(key)) expected.add('formatted');
        expect(used, key).toEqual(expected);
      }
    });

    if (language !== 'en') {
      it('has no untranslated English', () => {
        const allowed = [...names, ...(shared[language] ?? [])];
        const untranslated = [...words].filter(([key, text]) => {
          const original = english.get(key) ?? english.get(key.replace(plural, '_other'));
          const hasWords = /\p{L}{2}/u.test(text.replace(/\{\{\w+\}\}/g, ''));
          return hasWords && text === original && !allowed.includes(text);
        });
        expect(untranslated).toEqual([]);
      });
    }

    it('has no empty text', () => {
      for (const [key, text] of words) expect(text.trim(), key).not.toBe('');
    });
  });
});

it('Arabic transliterates Bluetooth and Wi-Fi, except for «Wi-Fi» in quotes, the name in the settings of devices', () => {
  const latin = [...flat(locales.ar ?? {})].filter(([, words]) =>
    /bluetooth|wi-?fi/i.test(words.replaceAll('«Wi-Fi»', '')),
  );
  expect(latin).toEqual([]);
  for (const key of ['wifi.steps.ios.one', 'wifi.steps.macos.one']) {
    expect(flat(locales.ar ?? {}).get(key), key).toContain('«Wi-Fi»');
  }
});

it.each(Object.entries(locales))(
  'speakers without a name have the same names in transcripts and summaries (%s)',
  (language, tree) => {
    const words = flat(tree);
    const shown = [
      words.get('detail.callMe'),
      words.get('detail.callOthers'),
      words.get('detail.speaker')?.replace('{{label}}', '2'),
    ];
    const labels = ['me', 'others', '2'];
    expect(labels.map((label) => defaultSpeakerName(label, language))).toEqual(shown);
  },
);

describe('failures', () => {
  it('have a text for every server code', () => {
    for (const name of Object.keys(catalog)) expect(english.has(`server.${name}`), name).toBe(true);
    expect(Object.keys(codes).length).toBeGreaterThan(20);
  });

  it('have a text and a suggested action for every code of the recorder and the link', () => {
    for (const code of [...DEVICE_ERROR_CODES, ...TRANSPORT_ERROR_CODES]) {
      expect(english.has(`device.${code}.what`), code).toBe(true);
      expect(english.has(`device.${code}.todo`), code).toBe(true);
    }
  });

  it('have a text and a suggested action for the firmware codes 1 to 9', () => {
    expect(FIRMWARE_ERROR_CODES).toHaveLength(9);
    for (const code of FIRMWARE_ERROR_CODES) {
      expect(english.has(`firmware.${code}.what`), code).toBe(true);
      expect(english.has(`firmware.${code}.todo`), code).toBe(true);
    }
  });

  it('cover the specification’s recording codes -1 to 7', () => {
    expect(
      Object.keys(recordingCodes)
        .map(Number)
        .sort((a, b) => a - b),
    ).toEqual([-1, 1, 2, 3, 4, 5, 6, 7]);
  });
});
