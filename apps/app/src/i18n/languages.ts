/** The languages in which the app can be shown. */

import type { InterfaceLanguage as AccountLanguage } from '@linnet/contract/interface-languages';

export {
  bestLanguage,
  type Direction,
  directionOf,
  interfaceLanguages,
} from '@linnet/contract/interface-languages';

/**
 * The pseudo-locale (`pseudo.ts`). The interface does not offer it. Developers enable it to find missing
 * translations.
 */
export const pseudoLanguage = 'en-XA';

export type InterfaceLanguage = AccountLanguage | typeof pseudoLanguage;
