export * from './cloud-sync.ts';
export * from './identity.ts';
export * from './ports.ts';
export * from './progress.ts';
export * from './record.ts';
export * from './recorder-sync.ts';
export * from './retention.ts';
