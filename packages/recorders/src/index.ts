export * from './capabilities.ts';
export * from './recorder.ts';
