export * from './base64.ts';
export * from './coalesced.ts';
export * from './emitter.ts';
export * from './hex.ts';
export * from './lazy.ts';
export * from './local-time.ts';
export * from './mutex.ts';
export * from './store.ts';
