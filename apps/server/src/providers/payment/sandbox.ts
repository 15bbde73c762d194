import { timingSafeEqual } from 'node:crypto';
import { addMonths, monthsBetween } from '../../calendar.ts';
import { hmac } from '../../secrets.ts';
import type { CheckoutFact, PaymentFact, PaymentProvider } from './port.ts';

/** Path of the sandbox's pages: `${sandboxPath}/<order>?s=<signature>`. */
export const sandboxPath = '/pay/sandbox';

/** The choices in the sandbox checkout. */
export const sandboxChoices = ['success', 'fail', 'cancel'] as const;
export type SandboxChoice = (typeof sandboxChoices)[number];

export interface Sandbox extends PaymentProvider {
  readonly id: 'sandbox';
  /** Verifies the signature in a checkout page's URL. */
  isSigned(orderId: string, signature: string): boolean;
  /** Converts a choice to the resulting fact. */
  choose(orderId: string, choice: SandboxChoice): CheckoutFact;
}

/**
 * Creates a provider that moves no money. Its checkout is a page on this server, and a subscription renews when it is
 * next fetched after the end of its period. The provider is stateless: all state is in the orders.
 */
export function createSandbox(key: Uint8Array, now: () => Date): Sandbox {
  const sign = (orderId: string) => hmac(key, orderId);
  return {
    id: 'sandbox',

    async openCheckout({ orderId, origin }) {
      const signature = sign(orderId).toString('base64url');
      return { ref: orderId, url: `${origin}${sandboxPath}/${orderId}?s=${signature}` };
    },

    async fetchCheckout(ref) {
      return { kind: 'checkout', orderId: ref, state: 'open' };
    },

    async fetchSubscription({ ref, status, startedAt, periodEnd, months, price }) {
      if (periodEnd > now()) return [];
      if (status === 'canceled') {
        return [{ kind: 'subscription', ref, status: 'ended', queriedAt: now() }];
      }
      const facts: PaymentFact[] = [];
      let end = periodEnd;
      while (end <= now()) {
        const renewal = `${ref}:${end.toISOString()}`;
        facts.push({
          kind: 'renewal',
          subscriptionRef: ref,
          ref: renewal,
          paymentRef: renewal,
          paidAt: now(),
          price,
        });
        end = addMonths(startedAt, monthsBetween(startedAt, end) + months);
      }
      return facts;
    },

    closeCheckout: async () => undefined,
    cancelRenewal: async () => undefined,
    endSubscription: async () => undefined,
    refund: async () => undefined,

    isSigned(orderId, signature) {
      const [actualSignature, expectedSignature] = [
        Buffer.from(signature, 'base64url'),
        sign(orderId),
      ];
      return (
        actualSignature.length === expectedSignature.length &&
        timingSafeEqual(actualSignature, expectedSignature)
      );
    },

    choose(orderId, choice) {
      const base = { kind: 'checkout', orderId } as const;
      if (choice === 'fail') return { ...base, state: 'failed' };
      if (choice === 'cancel') return { ...base, state: 'canceled' };
      const subscription = { ref: orderId };
      return { ...base, state: 'paid', paidAt: now(), paymentRef: orderId, subscription };
    },
  };
}
