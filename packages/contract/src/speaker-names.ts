/**
 * Default names for unnamed speakers, in the ten languages, such as "Speaker 1". Summaries use the names of the
 * summary's language. Must match the names that the app shows in transcripts.
 */
import { type Bcp47, toBcp47 } from './languages.ts';

/** The server's labels for the two sides of a recorded call. All other labels are numbers. */
export const callLabels = ['me', 'others'] as const;

type DefaultNames = { readonly [Label in (typeof callLabels)[number]]: string } & {
  readonly numbered: (label: string) => string;
};

const defaultNames: { readonly [Language in Bcp47]: DefaultNames } = {
  en: { me: 'Me', others: 'Others', numbered: (label) => `Speaker ${label}` },
  'zh-Hans': { me: '我', others: '对方', numbered: (label) => `说话人${label}` },
  ar: { me: 'أنا', others: 'الآخرون', numbered: (label) => `المتحدث ${label}` },
  ja: { me: '自分', others: '相手', numbered: (label) => `話者${label}` },
  ko: { me: '나', others: '상대방', numbered: (label) => `화자 ${label}` },
  th: { me: 'ฉัน', others: 'คนอื่น', numbered: (label) => `ผู้พูด ${label}` },
  ru: { me: 'Я', others: 'Собеседники', numbered: (label) => `Спикер ${label}` },
  es: { me: 'Yo', others: 'Los demás', numbered: (label) => `Hablante ${label}` },
  pt: { me: 'Eu', others: 'Outros', numbered: (label) => `Participante ${label}` },
  fr: { me: 'Moi', others: 'Les autres', numbered: (label) => `Intervenant ${label}` },
};

/**
 * Returns the default name of an unnamed speaker.
 * @param language a BCP 47 tag; unsupported languages fall back to English
 */
export function defaultSpeakerName(label: string, language: string): string {
  const names = defaultNames[toBcp47(language) ?? 'en'];
  return label === 'me' || label === 'others' ? names[label] : names.numbered(label);
}

/** Returns a speaker's name on a single line: the name given by the user, or the default name in a language. */
export function speakerNameIn(
  language: string,
  label: string,
  names: Readonly<Record<string, string>>,
): string {
  const name = Object.hasOwn(names, label) ? names[label] : undefined;
  return name?.replace(/\s+/gu, ' ').trim() || defaultSpeakerName(label, language);
}
