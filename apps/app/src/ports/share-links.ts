import type { CallBody, CallData, ShareLink } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { ShareResult } from './exports.ts';
import type { Outcome } from './store.ts';

/**
 * Links that let people view recordings without an account. Only the server stores them, so calls need a connection.
 */
export type ShareLinksService = {
  /**
   * Returns all links of the account, or of one recording.
   * @param recordingId the recording's ID on the server
   */
  list(recordingId?: string): Promise<Outcome<readonly ShareLink[], CallFailure>>;
  create(
    request: CallBody<'share/create'>,
  ): Promise<Outcome<CallData<'share/create'>, CallFailure>>;
  revoke(id: string): Promise<Outcome<null, CallFailure>>;
  /** Whether the platform has a share sheet for links. */
  readonly canShare: boolean;
  /** Opens the system's share sheet. Dismissing it isn't a failure. */
  share(url: string): Promise<ShareResult>;
};
