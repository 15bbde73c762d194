export {
  DATABASE_CLOSED,
  openWithReconnect,
  type SqlDatabase,
  SqlError,
  type SqlErrorCode,
  type SqlRow,
  type SqlValue,
  type Statement,
} from './database.ts';
export { databaseBytes } from './database-size.ts';
export { migrate, SCHEMA_VERSION } from './migrations.ts';
export { createStores } from './stores.ts';
export type { PickedVault, VaultStore } from './vault-store.ts';
