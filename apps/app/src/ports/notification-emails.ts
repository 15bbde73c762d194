import type { CallFailure } from '@linnet/contract/client';
import type { NotificationEvent } from '@linnet/contract/notifications';
import type { Outcome } from './store.ts';

/** The events that the account receives emails about, or that the server can't send email. */
export type NotificationEmails =
  | { readonly status: 'unavailable' }
  | {
      readonly status: 'available';
      readonly email: string;
      readonly events: readonly NotificationEvent[];
    };

type Result = Promise<Outcome<NotificationEmails, CallFailure>>;

/** Mails of events, for all devices of the account. Calls need a connection. */
export type NotificationEmailsService = {
  get(): Result;
  /** Replaces the events. */
  set(events: readonly NotificationEvent[]): Result;
};
