/** Edit operations as phone and server both apply them. Loads no schema, so the app may import it at start. */
export * from './edits.ts';
export * from './limits.ts';
export * from './reducer.ts';
export * from './registers.ts';
