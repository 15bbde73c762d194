import type { Money } from '../../currency.ts';

/** Taking money as the modules see it. Every adapter passes `contract-suite.ts`. */
export interface PaymentProvider {
  /** Stable name, the value of BILLING that selects it. */
  readonly id: 'sandbox' | 'stripe';
  /**
   * Opens a checkout for an order; asked again for the same order, the same one.
   * @throws PaymentFailure
   */
  openCheckout(checkout: NewCheckout): Promise<{ readonly ref: string; readonly url: string }>;
  /**
   * The state of a checkout; null for one that belongs to none of our orders.
   * @throws PaymentFailure
   */
  lookAtCheckout(ref: string): Promise<CheckoutFact | null>;
  /**
   * The state of a subscription: every paid renewal, then its status.
   * @throws PaymentFailure
   */
  lookAtSubscription(subscription: KnownSubscription): Promise<readonly PaymentFact[]>;
  /**
   * Takes no more money through a checkout. One that was paid stays so: look at it.
   * @throws PaymentFailure
   */
  closeCheckout(ref: string): Promise<void>;
  /**
   * Lets a subscription run out; one that is over already is fine.
   * @throws PaymentFailure
   */
  cancelRenewal(subscriptionRef: string): Promise<void>;
  /**
   * Ends a subscription now; one that is over already is fine.
   * @throws PaymentFailure
   */
  endSubscription(subscriptionRef: string): Promise<void>;
  /**
   * Gives the whole of a payment back, once however often it is asked.
   * @throws PaymentFailure
   */
  refund(paymentRef: string): Promise<void>;
}

export interface NewCheckout {
  readonly orderId: string;
  readonly email: string;
  /** Its name in the checkout. */
  readonly name: string;
  readonly price: Money;
  /** Renews itself after so many months; 0 for what is bought once. */
  readonly months: number;
  /** The address of this server, as the caller reaches it. */
  readonly origin: string;
  /** Where in the app it returns to. */
  readonly returnPath: string;
}

/** A subscription as stored by this server. */
export interface KnownSubscription {
  readonly ref: string;
  readonly status: 'active' | 'past_due' | 'canceled';
  /** Periods are counted from here. */
  readonly startedAt: Date;
  readonly periodEnd: Date;
  /** Of a period. */
  readonly months: number;
  /** Price of the last period. */
  readonly price: Money;
}

/**
 * A fact from the payment service. Facts may arrive in any order and any number of times: they describe states, not
 * changes.
 */
export type PaymentFact = CheckoutFact | RenewalFact | SubscriptionFact | RefundFact;

export type CheckoutFact = {
  readonly kind: 'checkout';
  readonly orderId: string;
} & (
  | {
      /** open: can still be paid. processing: was gone through, and the money is on its way. */
      readonly state: 'open' | 'processing' | 'failed' | 'canceled' | 'expired';
    }
  | {
      readonly state: 'paid';
      readonly paidAt: Date;
      readonly paymentRef: string;
      /** For what renews itself. */
      readonly subscription?: { readonly ref: string; readonly periodEnd?: Date };
    }
);

/** A period after the first one was paid. */
export interface RenewalFact {
  readonly kind: 'renewal';
  readonly subscriptionRef: string;
  /** Of this renewal; the same each time it is told. */
  readonly ref: string;
  readonly paymentRef: string;
  readonly paidAt: Date;
  readonly price: Money;
}

export interface SubscriptionFact {
  readonly kind: 'subscription';
  readonly ref: string;
  /** past_due: a renewal failed and is tried again. canceled: runs out. */
  readonly status: 'active' | 'past_due' | 'canceled' | 'ended';
  /** When the next payment is due; what is known already stays if absent. */
  readonly periodEnd?: Date;
  /** When the service was asked: an older answer does not undo a newer one. */
  readonly askedAt: Date;
}

/** The whole of a payment was given back. */
export interface RefundFact {
  readonly kind: 'refund';
  readonly paymentRef: string;
}

export type PaymentFailureCode =
  /** The service does not answer, or not now; trying again soon may help. */
  | 'unavailable'
  /** The service will not do this, however often it is asked. */
  | 'refused';

export class PaymentFailure extends Error {
  override readonly name = 'PaymentFailure';
  readonly code: PaymentFailureCode;
  constructor(code: PaymentFailureCode, detail: string, cause?: unknown) {
    super(`payment ${code}: ${detail}`, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
