import type { CallData, Order, Plan, Subscription } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { PlanId } from '@linnet/contract/statuses';
import type { Outcome } from './store.ts';

/** Purchases and usage reported by the server. */
export type MembershipService = {
  /** The plans on offer; empty on servers without billing. */
  plans(): Promise<Outcome<readonly Plan[], CallFailure>>;
  /** The minutes by source. */
  balance(): Promise<Outcome<Balance, CallFailure>>;
  /**
   * Creates an order and opens its checkout.
   * @param returnTo path of the app to which the checkout returns
   */
  buy(plan: PlanId, returnTo: string): Promise<Outcome<Checkout, CallFailure>>;
  /** The current state of an order. */
  order(id: string): Promise<Outcome<Order, CallFailure>>;
  /** Orders, newest first. `page` counts from 1. */
  orders(page: number): Promise<Outcome<Page<Order>, CallFailure>>;
  /** Has the server check open orders with the payment service. @returns the orders now paid */
  restore(): Promise<Outcome<readonly Order[], CallFailure>>;
  /** Turns off renewal; the paid period stays. */
  cancelRenewal(): Promise<Outcome<Subscription, CallFailure>>;
  /** Usage of the account's storage on the server. */
  storage(): Promise<Outcome<CloudStorage, CallFailure>>;
  /** Transcriptions, newest first. `page` counts from 1. */
  consumption(page: number): Promise<Outcome<Page<Consumption>, CallFailure>>;
};

/** Bytes used, and the limit. */
export type CloudStorage = CallData<'user/storage'>;
export type Balance = CallData<'user/leftMinute'>;
/** `url` is the payment service's page. */
export type Checkout = { readonly orderId: string; readonly url: string };
/** A transcription and the minutes it used. */
export type Consumption = CallData<'radio/translateHistory'>['list'][number];
/** `total` counts the entries of all pages. */
export type Page<Each> = { readonly list: readonly Each[]; readonly total: number };
