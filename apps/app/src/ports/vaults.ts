import type { CallBody, CallData, Vault } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { VaultFailureCode, VaultKind } from '@linnet/contract/vaults';
import type { Outcome } from './store.ts';

/** The account's folders with Markdown files. Only the server stores them, so calls need a connection. */
export type VaultsService = {
  list(): Promise<Outcome<readonly Vault[], CallFailure>>;
  /** Tests a WebDAV folder, and connects it if the test succeeds. */
  connect(
    request: CallBody<'vault/connect'>,
  ): Promise<Outcome<CallData<'vault/connect'>, CallFailure>>;
  /** Returns why the folder can't be used, or null. */
  test(kind: VaultKind): Promise<Outcome<VaultFailureCode | null, CallFailure>>;
  /** @param template null for the default */
  setTemplate(kind: VaultKind, template: string | null): Promise<Outcome<null, CallFailure>>;
  stop(kind: VaultKind): Promise<Outcome<null, CallFailure>>;
  /** Turns a folder back on, or retries after a failure. */
  resume(kind: VaultKind): Promise<Outcome<null, CallFailure>>;
  /** Disconnects the WebDAV folder and deletes its password. */
  disconnect(): Promise<Outcome<null, CallFailure>>;
};
