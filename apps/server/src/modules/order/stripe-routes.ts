import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { PaymentFailure } from '../../providers/payment/port.ts';
import type { StripeProvider } from '../../providers/payment/stripe/index.ts';
import { SignatureRefused } from '../../providers/payment/stripe/index.ts';
import type { Fulfilment } from './fulfilment.ts';

/** Webhook path for Stripe's events. */
const webhookPath = '/pay/stripe/webhook';

/**
 * Receives Stripe's events. Stripe retries for three days unless the response is 200, so irrelevant events are answered
 * with 200 as well.
 */
export async function stripeRoutes(
  app: FastifyInstance,
  { stripe, fulfilment }: { stripe: StripeProvider; fulfilment: Fulfilment },
) {
  // The signature covers the raw body.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer' },
    async (_: FastifyRequest, body: Buffer) => body,
  );

  // The API's error handler responds with 200 to everything.
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) request.log.error({ err: error }, 'unhandled error in Stripe event');
    return reply.code(status).send({ error: status >= 500 ? 'not now' : 'not an event' });
  });

  app.post(webhookPath, { schema: { hide: true } }, async (request, reply) => {
    const { body, headers } = request;
    const signature = headers['stripe-signature'];
    if (!Buffer.isBuffer(body) || typeof signature !== 'string') {
      return reply.code(400).send({ error: 'not a signed event' });
    }
    try {
      const { id, facts } = await stripe.readEvent(body, signature);
      await fulfilment.apply('stripe', facts, id);
      return { received: true };
    } catch (error) {
      if (error instanceof SignatureRefused) {
        request.log.warn('Stripe event rejected: invalid signature');
        return reply.code(400).send({ error: 'the signature is wrong, or too old' });
      }
      if (!(error instanceof PaymentFailure)) throw error;
      request.log.warn({ reason: error.message }, 'Stripe event postponed: Stripe unavailable');
      return reply.code(503).send({ error: 'not now' });
    }
  });
}
