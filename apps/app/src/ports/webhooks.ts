import type { CallBody, CallData, Webhook, WebhookDelivery } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { Page } from './membership.ts';
import type { Outcome } from './store.ts';

/** The account's webhooks. Only the server stores them, so calls need a connection. */
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
  /** Returns a page of deliveries, latest first. Pages are counted from 1. */
  deliveries(id: string, page: number): Promise<Outcome<Page<WebhookDelivery>, CallFailure>>;
  /** Resends a delivery. */
  resend(deliveryId: string): Promise<Outcome<null, CallFailure>>;
};
