import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { PaymentFailure } from '../../providers/payment/port.ts';
import type { StripeProvider } from '../../providers/payment/stripe/index.ts';
import { InvalidSignature } from '../../providers/payment/stripe/index.ts';
import type { Fulfillment } from './fulfillment.ts';

/** Path of the webhook that receives events from Stripe. */
const webhookPath = '/pay/stripe/webhook';

/**
 * Receives events from Stripe. Responds with 200 even to irrelevant events, and to events whose objects Stripe doesn't
 * return to this server, because Stripe retries for three days after any other response.
 */
export async function stripeRoutes(
  app: FastifyInstance,
  { stripe, fulfillment }: { stripe: StripeProvider; fulfillment: Fulfillment },
) {
  // The signature covers the raw body, so don't parse it.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer' },
    async (_: FastifyRequest, body: Buffer) => body,
  );

  // The API's error handler can't be used here, because it always responds with status 200.
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) request.log.error({ err: error }, 'failed to process Stripe event');
    return reply
      .code(status)
      .send({ error: status >= 500 ? 'internal error, retry later' : 'invalid event' });
  });

  app.post(webhookPath, async (request, reply) => {
    const { body, headers } = request;
    const signature = headers['stripe-signature'];
    if (!Buffer.isBuffer(body) || typeof signature !== 'string') {
      return reply.code(400).send({ error: 'missing signature' });
    }
    try {
      const { id, facts } = await stripe.readEvent(body, signature);
      await fulfillment.apply('stripe', facts, id);
      return { received: true };
    } catch (error) {
      if (error instanceof InvalidSignature) {
        request.log.warn('Stripe event rejected: invalid signature');
        return reply.code(400).send({ error: 'invalid or expired signature' });
      }
      if (!(error instanceof PaymentFailure)) throw error;
      if (error.code === 'refused') {
        // The object belongs to another application, for example in test mode, so a retry would fail too.
        request.log.warn({ reason: error.message }, 'Stripe event ignored: unknown object');
        return { received: true };
      }
      request.log.warn({ reason: error.message }, 'Stripe event postponed: Stripe unavailable');
      return reply.code(503).send({ error: 'Stripe unavailable, retry later' });
    }
  });
}
