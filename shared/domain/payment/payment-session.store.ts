import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { invalid, ServiceError } from '../../platform/errors.ts';
import {
  type Due,
  type DueCharge,
  type DueHold,
  GatewayRefused,
  GatewayUnavailable,
  type PaymentGateway,
} from '../../platform/payment/index.ts';
import type { Payment } from './payment.entity.ts';

/** The field by which a request asks for a payment; '': it is paid as the booking is, and no field says so. */
type PaymentField = 'payment_method' | 'payment_gateway_token' | 'method' | '';

/** Throws VALIDATION_ERROR for a payment that the gateway does not accept, before anything is written. */
const requirePayable = (
  gateway: PaymentGateway,
  due: DueHold,
  byToken: boolean,
  path: PaymentField,
): void => {
  if (due.amount <= 0) throw invalid({ path, message: 'no online payment is possible: nothing is due' });
  const refusal = gateway.refusal(due, byToken);
  if (refusal !== undefined)
    throw invalid({ path: byToken ? 'payment_gateway_token' : path, message: refusal });
};

/** Throws VALIDATION_ERROR if the payment could not be made later on the gateway's page. */
export const requirePayableLater = (ctx: Context, due: Due, path: PaymentField = 'payment_method'): void =>
  requirePayable(ctx.payments(), due, false, path);

/** Opens a payment on the gateway's page until the window ends. Writes nothing. */
export const openSession = async (
  ctx: Context,
  due: DueHold,
  endsAt: number,
  path: PaymentField = 'payment_method',
): Promise<Payment> => {
  const gateway = ctx.payments();
  requirePayable(gateway, due, false, path);
  const now = ctx.clock.now();
  const opened = await callGateway(
    () => gateway.openSession({ ...due, attempt: 1, ends_at: endsAt, now }),
    path,
  );
  // VNPay finds a payment by the second at which its page was made.
  return { ...newPayment(ctx, gateway, due, endsAt), ...opened, opened_at: now, state: 'OPEN' };
};

/** Announces a charge or an authorisation by token to the gateway. Charges and writes nothing. */
export const openCharge = async (
  ctx: Context,
  due: DueCharge,
  endsAt: number,
  path: PaymentField = 'payment_method',
): Promise<Payment> => {
  const gateway = ctx.payments();
  requirePayable(gateway, due, true, path);
  const { reference } = await callGateway(() => gateway.openCharge(due), path);
  const { captured_later, shares_token } = due;
  return {
    ...newPayment(ctx, gateway, due, endsAt),
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
  endsAt: number,
): Omit<Payment, 'state' | 'reference'> => ({
  payment_id,
  provider,
  amount,
  currency,
  url: null,
  attempt: 1,
  opened_at: clock.now(),
  ends_at: endsAt,
  transaction_id: null,
  refunded: 0,
  version: 1,
  created_at: instantText(clock.now()),
  updated_at: instantText(clock.now()),
});

/** Calls the gateway for a waiting caller: throws PAYMENT_GATEWAY_UNAVAILABLE, or VALIDATION_ERROR if it refuses. */
export const callGateway = async <Answer>(
  call: () => Promise<Answer>,
  path: PaymentField = 'payment_method',
): Promise<Answer> => {
  try {
    return await call();
  } catch (error) {
    if (error instanceof GatewayRefused) throw invalid({ path, message: error.message });
    if (error instanceof GatewayUnavailable)
      throw new ServiceError('PAYMENT_GATEWAY_UNAVAILABLE', undefined, {}, { cause: error });
    throw error;
  }
};
