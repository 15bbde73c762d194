import type { Config } from '../../config/index.ts';
import type { Keys } from '../../secrets.ts';
import type { Sandbox } from './sandbox.ts';
import { createSandbox } from './sandbox.ts';
import type { StripeProvider } from './stripe/index.ts';

/** The payment provider, or null if billing is off. */
export type Payment = Sandbox | StripeProvider | null;

/** Selects the payment provider named in BILLING and loads its library. */
export async function selectPayment(
  config: Config,
  keys: Pick<Keys, 'checkout'>,
  now: () => Date,
): Promise<Payment> {
  switch (config.BILLING) {
    case 'off':
      return null;
    case 'sandbox':
      return createSandbox(keys.checkout, now);
    case 'stripe': {
      const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = config;
      // Only for the compiler, because readConfig already requires both.
      if (!secretKey || !webhookSecret) throw new RangeError('the Stripe secrets are missing');
      const { createStripe } = await import('./stripe/index.ts');
      return createStripe({ secretKey, webhookSecret, url: config.STRIPE_URL, now });
    }
  }
}
