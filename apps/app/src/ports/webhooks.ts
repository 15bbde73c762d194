import type { CallBody, CallData, Webhook, WebhookDelivery } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { Page } from './membership.ts';
import type { Outcome } from './store.ts';

/** The account's webhooks. Only the server stores them, so that calls need a connection. */
export type WebhooksService = {
  list(): Promise<Outcome<readonly Webhook[], CallFailure>>;
  /** Registers a webhook. Its secret can't be read again. */
  create(
    request: CallBody<'webhook/create'>,
  ): Promise<Outcome<CallData<'webhook/create'>, CallFailure>>;
  remove(id: string): Promise<Outcome<null, CallFailure>>;
  /** Enables a disabled webhook. */
  enable(id: string): Promise<Outcome<null, CallFailure>>;
  /** Returns a new secret, which can't be read again. */
  rotateSecret(id: string): Promise<Outcome<string, CallFailure>>;
  /** Sends a test message. */
  test(id: string): Promise<Outcome<null, CallFailure>>;
  /** Returns a page of the messages, counted from 1, latest first. */
  deliveries(id: string, page: number): Promise<Outcome<Page<WebhookDelivery>, CallFailure>>;
  /** Sends a message again. */
  resend(deliveryId: string): Promise<Outcome<null, CallFailure>>;
};
