import type { TFunction } from 'i18next';

/** Returns the name of a speaker in a transcript: the user's, or else one for the label in the interface language. */
export function speakerName(
  t: TFunction,
  label: string,
  names: Readonly<Record<string, string>>,
): string {
  const name = names[label];
  if (name !== undefined) return name;
  // The server's labels for the two sides of a recorded call.
  if (label === 'me') return t('detail.callMe');
  if (label === 'others') return t('detail.callOthers');
  return t('detail.speaker', { label });
}
