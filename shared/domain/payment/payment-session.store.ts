import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { invalid, ServiceError } from '../../platform/errors.ts';
import {
  type Due,
  type DueCharge,
  GatewayRefused,
  GatewayUnavailable,
  type PaymentGateway,
} from '../../platform/payment/index.ts';
import type { Payment } from './payment.store.ts';

/** Refuses what the gateway does not take, before anything is done: VALIDATION_ERROR at the field that says so. */
const requirePayable = (gateway: PaymentGateway, due: Due, byToken: boolean): void => {
  if (due.amount <= 0)
    throw invalid({ path: 'payment_method', message: 'nothing is to be paid online: the total is 0' });
  const refusal = gateway.refusal(due, byToken);
  if (refusal !== undefined)
    throw invalid({ path: byToken ? 'payment_gateway_token' : 'payment_method', message: refusal });
};

/** Refuses what cannot be paid on the gateway's page, where it is to be paid later. */
export const requirePayableLater = (ctx: Context, due: Due): void =>
  requirePayable(ctx.payments(), due, false);

/** A payment to be made on the gateway's page until the window ends; nothing is written here yet. */
export const openSession = async (ctx: Context, due: Due, ends_at: number): Promise<Payment> => {
  const gateway = ctx.payments();
  requirePayable(gateway, due, false);
  const now = ctx.clock.now();
  const opened = await callGateway(() => gateway.openSession({ ...due, attempt: 1, ends_at, now }));
  return { ...newPayment(ctx, gateway, due, ends_at), ...opened, state: 'OPEN' };
};

/** A charge or an authorisation by token that is announced to the gateway; nothing is charged or written here yet. */
export const openCharge = async (ctx: Context, due: DueCharge, ends_at: number): Promise<Payment> => {
  const gateway = ctx.payments();
  requirePayable(gateway, due, true);
  const { reference } = await callGateway(() => gateway.openCharge(due));
  const { captured_later, shares_token } = due;
  return {
    ...newPayment(ctx, gateway, due, ends_at),
    ...(captured_later ? { captured_later } : {}),
    ...(shares_token ? { shares_token } : {}),
    reference,
    state: 'CHARGING',
  };
};

const newPayment = (
  { clock }: Context,
  { provider }: PaymentGateway,
  { payment_id, amount, currency }: Due,
  ends_at: number,
): Omit<Payment, 'state' | 'reference'> => ({
  payment_id,
  provider,
  amount,
  currency,
  url: null,
  attempt: 1,
  opened_at: clock.now(),
  ends_at,
  transaction_id: null,
  refunded: 0,
  version: 1,
  created_at: instantText(clock.now()),
  updated_at: instantText(clock.now()),
});

/** A call of the gateway, for somebody who waits for its answer: PAYMENT_GATEWAY_UNAVAILABLE, or what it refuses. */
export const callGateway = async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await call();
  } catch (error) {
    if (error instanceof GatewayRefused) throw invalid({ path: 'payment_method', message: error.message });
    if (error instanceof GatewayUnavailable)
      throw new ServiceError('PAYMENT_GATEWAY_UNAVAILABLE', undefined, {}, { cause: error });
    throw error;
  }
};
