/** Edit operations as applied by both phone and server. Loads no schemas, so that the app can import it at startup. */
export * from './edits.ts';
export * from './limits.ts';
export * from './reducer.ts';
export * from './registers.ts';
