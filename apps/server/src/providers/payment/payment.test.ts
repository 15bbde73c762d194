import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FakeStripe } from '../../../test/stripe.ts';
import { startStripe, stripeSecrets } from '../../../test/stripe.ts';
import { countDecimals } from '../../currency.ts';
import { expectUnavailable, paymentContract } from './contract-suite.ts';
import type { NewCheckout } from './port.ts';
import { createSandbox } from './sandbox.ts';
import { fromStripe, toStripe } from './stripe/amounts.ts';
import { createStripe } from './stripe/index.ts';

let fakeStripe: FakeStripe;
beforeAll(async () => {
  fakeStripe = await startStripe();
});
afterAll(() => fakeStripe.close());
beforeEach(() => {
  fakeStripe.failWith = null;
});

const now = () => new Date();
const stripe = (secretKey: string = stripeSecrets.STRIPE_SECRET_KEY) =>
  createStripe({
    secretKey,
    webhookSecret: stripeSecrets.STRIPE_WEBHOOK_SECRET,
    url: fakeStripe.url,
    now,
  });

paymentContract('the sandbox', async () => ({
  provider: createSandbox(new Uint8Array(32), now),
  pay: async (ref) => ({ paymentRef: ref, subscriptionRef: ref }),
}));

paymentContract('Stripe', async () => ({
  provider: stripe(),
  async pay(ref) {
    fakeStripe.pay(ref);
    const paymentRef = fakeStripe.getPayment(ref);
    return { paymentRef, subscriptionRef: fakeStripe.sessions.get(ref)?.subscription ?? null };
  },
}));

describe('Stripe', () => {
  const checkout: NewCheckout = {
    orderId: crypto.randomUUID(),
    email: 'ada@example.com',
    name: 'Linnet VIP, annual',
    language: 'en',
    price: { amount: 9999, currency: 'USD' },
    months: 12,
    origin: 'https://linnet.example',
    returnPath: '/pages/me',
  };

  it('receives the plan, the customer, the price and the return URLs', async () => {
    const { ref } = await stripe().openCheckout(checkout);
    expect(fakeStripe.sessions.get(ref)?.fields).toEqual({
      locale: 'en',
      mode: 'subscription',
      client_reference_id: checkout.orderId,
      customer_email: 'ada@example.com',
      'metadata[order]': checkout.orderId,
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': 'usd',
      'line_items[0][price_data][unit_amount]': '9999',
      'line_items[0][price_data][product_data][name]': 'Linnet VIP, annual',
      'line_items[0][price_data][recurring][interval]': 'month',
      'line_items[0][price_data][recurring][interval_count]': '12',
      'subscription_data[metadata][order]': checkout.orderId,
      success_url: `https://linnet.example/pages/me?order=${checkout.orderId}&status=success`,
      cancel_url: `https://linnet.example/pages/me?order=${checkout.orderId}&status=cancel`,
    });
    const oneTimeCheckout = { ...checkout, orderId: crypto.randomUUID(), months: 0 };
    const { ref: otherRef } = await stripe().openCheckout(oneTimeCheckout);
    const fields = fakeStripe.sessions.get(otherRef)?.fields ?? {};
    expect(fields.mode).toBe('payment');
    expect(fields['payment_intent_data[metadata][order]']).toBe(oneTimeCheckout.orderId);
    expect(Object.keys(fields).join()).not.toContain('recurring');
  });

  it.each([429, 500, 503])('is unavailable if it responds with %i', async (status) => {
    fakeStripe.failWith = status;
    await expectUnavailable(stripe().openCheckout(checkout));
    await expectUnavailable(stripe().cancelRenewal('sub_x'));
    await expectUnavailable(stripe().fetchCheckout('cs_x'));
  });

  it('is unavailable if it rejects the key or cannot be reached, without leaking the key', async () => {
    const rejected = stripe('sk_test_wrong_key').openCheckout(checkout);
    await expectUnavailable(rejected);
    await expect(rejected).rejects.not.toThrow(/sk_test_wrong_key/);
    const unreachable = createStripe({
      secretKey: 'sk_x',
      webhookSecret: 'whsec_x',
      url: 'http://127.0.0.1:9',
      now,
    });
    await expectUnavailable(unreachable.refund('pi_x'));
  });

  it('rejects invalid amounts and unknown checkouts', async () => {
    const belowMinimum = {
      ...checkout,
      orderId: crypto.randomUUID(),
      price: { amount: 1, currency: 'USD' },
    };
    await expect(stripe().openCheckout(belowMinimum)).rejects.toMatchObject({ code: 'refused' });
    await expect(stripe().fetchCheckout('cs_unknown')).rejects.toMatchObject({ code: 'refused' });
  });
});

describe('Stripe amounts', () => {
  it.each([
    // Amounts in the currency's smallest unit, and in Stripe's unit (docs.stripe.com/currencies).
    ['USD', 999, 999],
    ['JPY', 500, 500],
    ['KWD', 5120, 5120],
    ['ISK', 5, 500],
    ['HUF', 10, 1000],
    ['UGX', 5, 500],
  ])('in %s: %i is %i', (currency, amount, unitAmount) => {
    expect(toStripe({ amount, currency })).toEqual({
      unit_amount: unitAmount,
      currency: currency.toLowerCase(),
    });
    expect(fromStripe(unitAmount, currency.toLowerCase())).toEqual({ amount, currency });
  });

  it('survive a round trip in every currency whose smallest unit Stripe supports', () => {
    const currencies = Intl.supportedValuesOf('currency').filter((code) => {
      const { unit_amount: thousand } = toStripe({ amount: 1000, currency: code });
      return thousand >= 1000;
    });
    expect(currencies.length).toBeGreaterThan(150);
    fc.assert(
      fc.property(
        fc.constantFrom(...currencies),
        fc.integer({ min: 1, max: 99_999_999 }),
        (currency, amount) => {
          const { unit_amount, currency: lower } = toStripe({ amount, currency });
          expect(Number.isInteger(unit_amount)).toBe(true);
          expect(fromStripe(unit_amount, lower)).toEqual({ amount, currency });
          expect(countDecimals(currency)).toBeLessThanOrEqual(4);
        },
      ),
    );
  });
});
