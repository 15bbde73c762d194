export { type Harness, sqlDatabaseContract } from './sql-database-contract.ts';
