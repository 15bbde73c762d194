import 'i18next';
import type en from './locales/en/index.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    // The app doesn't load the strings of `index.html`.
    resources: { translation: Omit<typeof en, 'document'> };
    returnNull: false;
  }
}
