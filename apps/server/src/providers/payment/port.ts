import type { InterfaceLanguage } from '@linnet/contract/interface-languages';
import type { Money } from '../../currency.ts';

/** A payment provider, as used by the modules. Every adapter passes the tests in `contract-suite.ts`. */
export interface PaymentProvider {
  /** Stable name: the value of BILLING that selects the provider. */
  readonly id: 'sandbox' | 'stripe';
  /**
   * Opens a checkout for an order. Idempotent per order.
   * @throws PaymentFailure
   */
  openCheckout(checkout: NewCheckout): Promise<{ readonly ref: string; readonly url: string }>;
  /**
   * Returns a checkout's state, or null if it isn't for one of our orders.
   * @throws PaymentFailure
   */
  fetchCheckout(ref: string): Promise<CheckoutFact | null>;
  /**
   * Returns a subscription's state: every paid renewal, then its status.
   * @throws PaymentFailure
   */
  fetchSubscription(subscription: KnownSubscription): Promise<readonly PaymentFact[]>;
  /**
   * Closes a checkout to further payment. A paid checkout is unaffected.
   * @throws PaymentFailure
   */
  closeCheckout(ref: string): Promise<void>;
  /**
   * Cancels a subscription at the end of its period, unless it has already ended.
   * @throws PaymentFailure
   */
  cancelRenewal(subscriptionRef: string): Promise<void>;
  /**
   * Ends a subscription immediately, unless it has already ended.
   * @throws PaymentFailure
   */
  endSubscription(subscriptionRef: string): Promise<void>;
  /**
   * Refunds a payment in full. Idempotent.
   * @throws PaymentFailure
   */
  refund(paymentRef: string): Promise<void>;
}

export interface NewCheckout {
  readonly orderId: string;
  readonly email: string;
  /** Name shown in the checkout. */
  readonly name: string;
  /** Language of the checkout. */
  readonly language: InterfaceLanguage;
  readonly price: Money;
  /** Renewal interval in months, or 0 for a one-time purchase. */
  readonly months: number;
  /** This server's origin as the caller addresses it. */
  readonly origin: string;
  /** Path of the app's page that the checkout returns to. */
  readonly returnPath: string;
}

/** A subscription as stored by this server. */
export interface KnownSubscription {
  readonly ref: string;
  readonly status: 'active' | 'past_due' | 'canceled';
  /** Start of the first period. */
  readonly startedAt: Date;
  readonly periodEnd: Date;
  /** Length of a period in months. */
  readonly months: number;
  /** Price of the most recent period. */
  readonly price: Money;
}

/**
 * A fact from the payment service. Facts describe states rather than changes, so they can arrive in any order and any
 * number of times.
 */
export type PaymentFact = CheckoutFact | RenewalFact | SubscriptionFact | RefundFact;

export type CheckoutFact = {
  readonly kind: 'checkout';
  readonly orderId: string;
} & (
  | {
      /** `open`: can still be paid. `processing`: completed, but the payment is pending. */
      readonly state: 'open' | 'processing' | 'failed' | 'canceled' | 'expired';
    }
  | {
      readonly state: 'paid';
      readonly paidAt: Date;
      readonly paymentRef: string;
      /** The subscription, if the plan is recurring. */
      readonly subscription?: { readonly ref: string; readonly periodEnd?: Date };
    }
);

/** A payment for any period but the first. */
export interface RenewalFact {
  readonly kind: 'renewal';
  readonly subscriptionRef: string;
  /** Stable identifier of this renewal. */
  readonly ref: string;
  readonly paymentRef: string;
  readonly paidAt: Date;
  readonly price: Money;
}

export interface SubscriptionFact {
  readonly kind: 'subscription';
  readonly ref: string;
  /** `past_due`: a failed renewal is being retried. `canceled`: ends with the current period. */
  readonly status: 'active' | 'past_due' | 'canceled' | 'ended';
  /** Due date of the next payment. If undefined, the stored date is kept. */
  readonly periodEnd?: Date;
  /** Time of the query. An older result doesn't overwrite a newer one. */
  readonly queriedAt: Date;
}

/** A payment that was refunded in full. */
export interface RefundFact {
  readonly kind: 'refund';
  readonly paymentRef: string;
}

export type PaymentFailureCode =
  /** The service is unavailable; a retry may succeed. */
  | 'unavailable'
  /** The service permanently rejected the request. */
  | 'refused';

export class PaymentFailure extends Error {
  override readonly name = 'PaymentFailure';
  readonly code: PaymentFailureCode;
  constructor(code: PaymentFailureCode, detail: string, cause?: unknown) {
    super(`payment ${code}: ${detail}`, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
