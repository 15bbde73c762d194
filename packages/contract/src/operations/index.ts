/**
 * Applies edits in the same way on the phone and on the server. Loads no schemas, so the app can import it at startup.
 */
export * from './edits.ts';
export * from './limits.ts';
export * from './reducer.ts';
export * from './registers.ts';
