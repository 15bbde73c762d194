/** Applies edits, in code shared by the phone and the server. Loads no schemas, so the app can import it at startup. */
export * from './edits.ts';
export * from './limits.ts';
export * from './reducer.ts';
export * from './registers.ts';
