import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { StripeStandIn } from '../../../test/stripe.ts';
import { startStripe, stripeSecrets } from '../../../test/stripe.ts';
import { decimalsOf } from '../../currency.ts';
import { expectUnavailable, paymentContract } from './contract-suite.ts';
import type { NewCheckout } from './port.ts';
import { createSandbox } from './sandbox.ts';
import { fromStripe, toStripe } from './stripe/amounts.ts';
import { createStripe } from './stripe/index.ts';

let standIn: StripeStandIn;
beforeAll(async () => {
  standIn = await startStripe();
});
afterAll(() => standIn.close());
beforeEach(() => {
  standIn.failWith = null;
});

const now = () => new Date();
const stripe = (secretKey: string = stripeSecrets.STRIPE_SECRET_KEY) =>
  createStripe({
    secretKey,
    webhookSecret: stripeSecrets.STRIPE_WEBHOOK_SECRET,
    url: standIn.url,
    now,
  });

paymentContract('the sandbox', async () => ({
  provider: createSandbox(new Uint8Array(32), now),
  pay: async (ref) => ({ paymentRef: ref, subscriptionRef: ref }),
}));

paymentContract('Stripe', async () => ({
  provider: stripe(),
  async pay(ref) {
    standIn.pay(ref);
    const paymentRef = standIn.paymentOf(ref);
    return { paymentRef, subscriptionRef: standIn.sessions.get(ref)?.subscription ?? null };
  },
}));

describe('Stripe', () => {
  const checkout: NewCheckout = {
    orderId: crypto.randomUUID(),
    email: 'ada@example.com',
    name: 'Linnet VIP, annual',
    price: { amount: 9999, currency: 'USD' },
    months: 12,
    origin: 'https://linnet.example',
    returnPath: '/pages/me',
  };

  it('is told what is bought, by whom, for how much, and where to go on', async () => {
    const { ref } = await stripe().openCheckout(checkout);
    expect(standIn.sessions.get(ref)?.fields).toEqual({
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
    const once = { ...checkout, orderId: crypto.randomUUID(), months: 0 };
    const { ref: other } = await stripe().openCheckout(once);
    const fields = standIn.sessions.get(other)?.fields ?? {};
    expect(fields.mode).toBe('payment');
    expect(fields['payment_intent_data[metadata][order]']).toBe(once.orderId);
    expect(Object.keys(fields).join()).not.toContain('recurring');
  });

  it.each([429, 500, 503])('that answers %i is unavailable', async (status) => {
    standIn.failWith = status;
    await expectUnavailable(stripe().openCheckout(checkout));
    await expectUnavailable(stripe().cancelRenewal('sub_x'));
    await expectUnavailable(stripe().fetchCheckout('cs_x'));
  });

  it('that does not take the key, or cannot be reached, is unavailable, and the key stays secret', async () => {
    const wrong = stripe('sk_test_wrong_key').openCheckout(checkout);
    await expectUnavailable(wrong);
    await expect(wrong).rejects.not.toThrow(/sk_test_wrong_key/);
    const nowhere = createStripe({
      secretKey: 'sk_x',
      webhookSecret: 'whsec_x',
      url: 'http://127.0.0.1:9',
      now,
    });
    await expectUnavailable(nowhere.refund('pi_x'));
  });

  it('that will not do it says so', async () => {
    const tiny = {
      ...checkout,
      orderId: crypto.randomUUID(),
      price: { amount: 1, currency: 'USD' },
    };
    await expect(stripe().openCheckout(tiny)).rejects.toMatchObject({ code: 'refused' });
    await expect(stripe().fetchCheckout('cs_unknown')).rejects.toMatchObject({ code: 'refused' });
  });
});

describe('amounts of Stripe', () => {
  it.each([
    // As written, and as Stripe counts (docs.stripe.com/currencies).
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

  it('come back as they were, in every currency that Stripe counts as finely as it is written', () => {
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
          expect(decimalsOf(currency)).toBeLessThanOrEqual(4);
        },
      ),
    );
  });
});
