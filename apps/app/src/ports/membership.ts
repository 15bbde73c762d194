import type { CallData, Order, Plan, Subscription } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { PlanId } from '@linnet/contract/statuses';
import type { Outcome } from './store.ts';

/** What a membership is bought with, and what it was used for. All of it is the server's to know. */
export type MembershipService = {
  /** What is sold here; nothing where nothing is billed. */
  plans(): Promise<Outcome<readonly Plan[], CallFailure>>;
  /** The minutes in each purse. */
  balance(): Promise<Outcome<Balance, CallFailure>>;
  /**
   * Makes an order and opens its checkout.
   * @param returnTo where the checkout leads back to, a path of the app
   */
  buy(plan: PlanId, returnTo: string): Promise<Outcome<Checkout, CallFailure>>;
  /** An order as the server has it now. */
  order(id: string): Promise<Outcome<Order, CallFailure>>;
  /** What was bought, newest first. `page` counts from 1. */
  orders(page: number): Promise<Outcome<Page<Order>, CallFailure>>;
  /** Has the payment service asked about what still waits. @returns the orders that were found paid */
  restore(): Promise<Outcome<readonly Order[], CallFailure>>;
  /** Ends the renewal; what was paid stays until it runs out. */
  cancelRenewal(): Promise<Outcome<Subscription, CallFailure>>;
  /** How much of the account's storage on the server is used. */
  storage(): Promise<Outcome<CloudStorage, CallFailure>>;
  /** What was transcribed, newest first. `page` counts from 1. */
  consumption(page: number): Promise<Outcome<Page<Consumption>, CallFailure>>;
};

/** Bytes used, and how many there may be. */
export type CloudStorage = CallData<'user/storage'>;
export type Balance = CallData<'user/leftMinute'>;
/** `url` is the page of the payment service. */
export type Checkout = { readonly orderId: string; readonly url: string };
/** One transcription, and the minutes that it took. */
export type Consumption = CallData<'radio/translateHistory'>['list'][number];
/** `total` counts all of them, those on other pages too. */
export type Page<Each> = { readonly list: readonly Each[]; readonly total: number };
