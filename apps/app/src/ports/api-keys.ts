import type { ApiKey, CallBody, CallData } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { Outcome } from './store.ts';

/** The account's API keys. Only the server stores them, so calls need a connection. */
export type ApiKeysService = {
  list(): Promise<Outcome<readonly ApiKey[], CallFailure>>;
  /** Creates a key, which can't be read again. */
  create(
    request: CallBody<'user/createKey'>,
  ): Promise<Outcome<CallData<'user/createKey'>, CallFailure>>;
  revoke(id: string): Promise<Outcome<null, CallFailure>>;
};
