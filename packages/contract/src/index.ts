export * from './calls.ts';
export * from './codes.ts';
export * from './languages.ts';
export * from './limits.ts';
export * from './routes.ts';
export { envelope } from './schemas/common.ts';
export * from './schemas/firmware.ts';
export * from './statuses.ts';
export * from './structures.ts';
