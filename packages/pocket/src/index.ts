export { PocketError, type PocketErrorCode } from './errors.ts';
export { isSessionKey, pocketProfile } from './layout.ts';
export type { PocketFile } from './messages.ts';
export {
  isPocket,
  openPocketSession,
  type PocketSession,
  type PocketStatus,
  type PocketTiming,
} from './session.ts';
