import { serveSqlite } from '@linnet/local-db/sqlite-wasm-worker';

serveSqlite(globalThis as unknown as Parameters<typeof serveSqlite>[0]);

// Loads the locale data of the process, which the page shares, while SQLite loads. The first formatted number,
// date and plural take noticeable time on a slow phone.
new Intl.NumberFormat(navigator.language).format(0);
new Intl.DateTimeFormat(navigator.language).format();
new Intl.PluralRules(navigator.language).select(0);
