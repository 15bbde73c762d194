import { serveSqlite } from '@linnet/local-db/sqlite-wasm-worker';

serveSqlite(globalThis as unknown as Parameters<typeof serveSqlite>[0]);

// Load the process's locale data, which the page shares, while SQLite is loading. On a slow phone, formatting the first
// number, date and plural would otherwise delay the page noticeably.
new Intl.NumberFormat(navigator.language).format(0);
new Intl.DateTimeFormat(navigator.language).format();
new Intl.PluralRules(navigator.language).select(0);
