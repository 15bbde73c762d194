import type { CallData, Order, Plan, Subscription } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { PlanId } from '@linnet/contract/statuses';
import type { Outcome } from './store.ts';

/** Buys memberships and minutes, and reads the account's usage. */
export type MembershipService = {
  /** Fetches the available plans. Servers without billing have none. */
  plans(): Promise<Outcome<readonly Plan[], CallFailure>>;
  /** Fetches the minute balance by source. */
  balance(): Promise<Outcome<Balance, CallFailure>>;
  /**
   * Creates an order and its checkout.
   * @param returnTo the path in the app that the checkout returns to
   */
  buy(plan: PlanId, returnTo: string): Promise<Outcome<Checkout, CallFailure>>;
  /** Fetches an order's current state. */
  order(id: string): Promise<Outcome<Order, CallFailure>>;
  /** Fetches a page of orders, newest first. `page` counts from 1. */
  orders(page: number): Promise<Outcome<Page<Order>, CallFailure>>;
  /**
   * Asks the server to check open orders with the payment service.
   * @returns the orders that have been paid
   */
  restore(): Promise<Outcome<readonly Order[], CallFailure>>;
  /** Turns off auto-renewal. The paid period isn't shortened. */
  cancelRenewal(): Promise<Outcome<Subscription, CallFailure>>;
  /** Fetches the storage that the account uses on the server. */
  storage(): Promise<Outcome<CloudStorage, CallFailure>>;
  /** Fetches a page of transcriptions, newest first. `page` counts from 1. */
  consumption(page: number): Promise<Outcome<Page<Consumption>, CallFailure>>;
};

/** The bytes used, and the limit. */
export type CloudStorage = CallData<'user/storage'>;
export type Balance = CallData<'user/leftMinute'>;
/** `url` is the payment service's checkout page. */
export type Checkout = { readonly orderId: string; readonly url: string };
/** A transcription and the minutes it used. */
export type Consumption = CallData<'radio/translateHistory'>['list'][number];
/** A page of a list. `total` is the number of entries across all pages. */
export type Page<Each> = { readonly list: readonly Each[]; readonly total: number };
