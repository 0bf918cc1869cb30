import type { Context } from '../../platform/context.ts';
import type { Outcome } from '../../platform/payment/index.ts';
import type { Payment } from './payment.entity.ts';
import { callGateway } from './payment-session.store.ts';

/**
 * Charges or authorises an announced payment by its token. A repeated call asks the gateway first, so that the same intent is
 * never charged twice. Throws PAYMENT_GATEWAY_UNAVAILABLE.
 */
export const chargeToken = async (
  ctx: Context,
  payment: Payment,
  token: string,
  { isRepeated }: { isRepeated: boolean },
): Promise<Outcome> => {
  const opened = { ...payment, now: ctx.clock.now() };
  const outcome = isRepeated ? await callGateway(() => ctx.payments().find(opened)) : undefined;
  const isOpen = outcome === undefined || (outcome.state === 'unpaid' && !outcome.final);
  return isOpen ? callGateway(() => ctx.payments().charge(opened, token)) : outcome;
};
