import type { CallData } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { Outcome } from './store.ts';

/** The voices that the server uses to recognize speakers. Only the server stores them, so calls need a connection. */
export type VoicesService = {
  list(): Promise<Outcome<CallData<'voice/list'>, CallFailure>>;
  /** Renames the speaker in all recordings with this voice. */
  rename(name: string, to: string): Promise<Outcome<null, CallFailure>>;
  /** Deletes the voice. Recordings keep the name. */
  forget(name: string): Promise<Outcome<null, CallFailure>>;
  /** Creates a JSON file with all stored data about voices. */
  export(): Promise<Outcome<File, CallFailure>>;
};
