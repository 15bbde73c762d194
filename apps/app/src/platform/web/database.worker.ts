import { serveSqlite } from '@linnet/local-db/sqlite-wasm-worker';

serveSqlite(globalThis as unknown as Parameters<typeof serveSqlite>[0]);

// The first number, date and plural of a process cost the browser a moment that a slow phone notices: it
// looks through the languages it knows. Here that falls into the wait for SQLite's code, and the page, which
// is of the same process, writes its first ones at once.
new Intl.NumberFormat(navigator.language).format(0);
new Intl.DateTimeFormat(navigator.language).format();
new Intl.PluralRules(navigator.language).select(0);
