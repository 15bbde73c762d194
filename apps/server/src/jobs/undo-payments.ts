import type { Payment } from '../providers/payment/index.ts';
import { PaymentFailure } from '../providers/payment/port.ts';
import type { JobHandler } from './jobs.ts';

/**
 * The job "undo-payments": tells the payment service what a transaction decided. Each step may be
 * repeated; while the service does not answer, the job is run again.
 */
export function undoPaymentsJob(payment: Payment): JobHandler<'undo-payments'> {
  return async ({ provider, checkouts = [], subscriptions = [], payments = [] }) => {
    if (payment?.id !== provider) {
      throw new PaymentFailure('unavailable', `BILLING is not ${provider}, which took the money`);
    }
    for (const ref of checkouts) await payment.closeCheckout(ref);
    for (const ref of subscriptions) await payment.endSubscription(ref);
    for (const ref of payments) await payment.refund(ref);
  };
}
