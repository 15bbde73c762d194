import type { Config } from '../../config/index.ts';
import type { Keys } from '../../secrets.ts';
import type { Sandbox } from './sandbox.ts';
import { createSandbox } from './sandbox.ts';
import type { StripeProvider } from './stripe/index.ts';
import { createStripe } from './stripe/index.ts';

/** The payment provider; null if billing is off. */
export type Payment = Sandbox | StripeProvider | null;

/** Selects the payment provider that BILLING names. */
export function selectPayment(
  config: Config,
  keys: Pick<Keys, 'checkout'>,
  now: () => Date,
): Payment {
  switch (config.BILLING) {
    case 'off':
      return null;
    case 'sandbox':
      return createSandbox(keys.checkout, now);
    case 'stripe': {
      const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = config;
      // readConfig has already required both.
      if (!secretKey || !webhookSecret) throw new RangeError('the secrets of Stripe are missing');
      return createStripe({ secretKey, webhookSecret, url: config.STRIPE_URL, now });
    }
  }
}
