/** The app's languages. */

import type { InterfaceLanguage as AccountLanguage } from '@linnet/contract/interface-languages';

export {
  bestLanguage,
  type Direction,
  getDirection,
  interfaceLanguages,
} from '@linnet/contract/interface-languages';

/**
 * The pseudo-locale (`pseudo.ts`). The interface doesn't offer it; developers enable it to find missing translations.
 */
export const pseudoLanguage = 'en-XA';

export type InterfaceLanguage = AccountLanguage | typeof pseudoLanguage;

/**
 * Returns the path of the web app's manifest in the given language. The build generates the manifests
 * (`scripts/document.ts`).
 */
export function manifestPath(language: InterfaceLanguage): string {
  return language === 'en' || language === pseudoLanguage
    ? '/manifest.webmanifest'
    : `/manifest.${language}.webmanifest`;
}
