import { describe, expect, it } from 'vitest';
import type { NewCheckout, PaymentProvider } from './port.ts';
import { PaymentFailure } from './port.ts';

export interface PaymentUnderTest {
  readonly provider: PaymentProvider;
  /** Pays a checkout. Returns the payment and the new subscription, if any. */
  pay(checkoutRef: string): Promise<{ paymentRef: string; subscriptionRef: string | null }>;
}

/** Registers the tests that every payment adapter must pass. */
export function paymentContract(name: string, start: () => Promise<PaymentUnderTest>): void {
  const newCheckout = (overrides: Partial<NewCheckout> = {}): NewCheckout => ({
    orderId: crypto.randomUUID(),
    email: 'ada@example.com',
    name: 'Linnet, 120 minutes',
    language: 'en',
    price: { amount: 299, currency: 'USD' },
    months: 0,
    origin: 'http://localhost:8080',
    returnPath: '/pages/purchaseRecord',
    ...overrides,
  });

  describe(`${name} as a payment provider`, () => {
    it('opens one checkout per order, with a separate URL', async () => {
      const { provider } = await start();
      const checkout = newCheckout();
      const opened = await provider.openCheckout(checkout);
      expect(URL.canParse(opened.url)).toBe(true);
      expect(await provider.openCheckout(checkout)).toEqual(opened);
      const otherCheckout = await provider.openCheckout(newCheckout());
      expect(otherCheckout.ref).not.toBe(opened.ref);
      expect(otherCheckout.url).not.toBe(opened.url);
      expect(await provider.fetchCheckout(opened.ref)).toEqual({
        kind: 'checkout',
        orderId: checkout.orderId,
        state: 'open',
      });
    });

    it('closes a checkout idempotently', async () => {
      const { provider } = await start();
      const { ref } = await provider.openCheckout(newCheckout());
      await provider.closeCheckout(ref);
      await provider.closeCheckout(ref);
    });

    it('ignores a request to close a paid checkout', async () => {
      const { provider, pay } = await start();
      const { ref } = await provider.openCheckout(newCheckout());
      await pay(ref);
      await provider.closeCheckout(ref);
    });

    it('refunds a payment idempotently', async () => {
      const { provider, pay } = await start();
      const { ref } = await provider.openCheckout(newCheckout());
      const { paymentRef } = await pay(ref);
      await provider.refund(paymentRef);
      await provider.refund(paymentRef);
    });

    it('cancels and ends a subscription idempotently', async () => {
      const { provider, pay } = await start();
      const { ref } = await provider.openCheckout(newCheckout({ months: 1 }));
      const { subscriptionRef } = await pay(ref);
      if (subscriptionRef === null) throw new Error('no subscription began');
      await provider.cancelRenewal(subscriptionRef);
      await provider.cancelRenewal(subscriptionRef);
      await provider.endSubscription(subscriptionRef);
      await provider.endSubscription(subscriptionRef);
      await provider.cancelRenewal(subscriptionRef);
    });

    it('returns the same renewals each time they are fetched', async () => {
      const { provider, pay } = await start();
      const { ref } = await provider.openCheckout(newCheckout({ months: 1 }));
      const { subscriptionRef } = await pay(ref);
      if (subscriptionRef === null) throw new Error('no subscription began');
      const storedSubscription = {
        ref: subscriptionRef,
        status: 'active',
        startedAt: new Date('2026-01-31T00:00:00Z'),
        periodEnd: new Date('2026-02-28T00:00:00Z'),
        months: 1,
        price: { amount: 999, currency: 'USD' },
      } as const;
      const renewals = async () =>
        (await provider.fetchSubscription(storedSubscription)).flatMap((fact) =>
          fact.kind === 'renewal' ? [fact.ref] : [],
        );
      const first = await renewals();
      expect(new Set(first).size).toBe(first.length);
      expect(await renewals()).toEqual(first);
    });
  });
}

/** Expects the failure that occurs if the provider is unreachable. */
export async function expectUnavailable(operation: Promise<unknown>): Promise<void> {
  await expect(operation).rejects.toBeInstanceOf(PaymentFailure);
  await expect(operation).rejects.toMatchObject({ code: 'unavailable' });
}
