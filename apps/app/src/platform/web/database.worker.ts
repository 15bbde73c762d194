import { serveSqlite } from '@linnet/local-db/sqlite-wasm-worker';

serveSqlite(globalThis as unknown as Parameters<typeof serveSqlite>[0]);

// Warms up the process's locale data. The first formatted number, date and plural take noticeable time on a
// slow phone; here they overlap with loading SQLite, and the page, which shares the process, formats at once.
new Intl.NumberFormat(navigator.language).format(0);
new Intl.DateTimeFormat(navigator.language).format();
new Intl.PluralRules(navigator.language).select(0);
