import type { Payment } from '../providers/payment/index.ts';
import { PaymentFailure } from '../providers/payment/port.ts';
import type { JobHandler } from './jobs.ts';

/**
 * Creates the "undo-payments" job. After a transaction has decided on cancellations and refunds, the job carries them
 * out at the payment service. The steps are independent and idempotent, and the job is retried until all of them
 * succeed.
 */
export function undoPaymentsJob(payment: Payment): JobHandler<'undo-payments'> {
  return async ({ provider, checkouts = [], subscriptions = [], payments = [] }) => {
    if (payment?.id !== provider) {
      throw new PaymentFailure(
        'unavailable',
        `BILLING is not ${provider}, which received the payment`,
      );
    }
    const steps = [
      ...subscriptions.map((ref) => () => payment.endSubscription(ref)),
      ...payments.map((ref) => () => payment.refund(ref)),
      ...checkouts.map((ref) => () => payment.closeCheckout(ref)),
    ];
    const failures: unknown[] = [];
    for (const step of steps) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) {
      throw new AggregateError(failures, `${failures.length} of ${steps.length} steps failed`);
    }
  };
}
