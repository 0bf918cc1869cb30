import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { RawRequest } from '../../platform/http/route.ts';
import { BadSignature, type NotificationOutcome } from '../../platform/payment/index.ts';
import { settlePayment } from './settle-payment.ts';
import { reconcileSoon } from './look-after-payment.ts';

/**
 * A call of a gateway's webhook (D47). NOT_FOUND for a gateway that is not ours; UNAUTHORIZED when the signature is not the
 * gateway's, before anything is read. What is owed back by it goes back at once when the gateway answers, else with the schedule.
 */
export const handlePaymentWebhook = async (
  ctx: Context,
  { provider, method, raw }: { provider: string; method: 'GET' | 'POST'; raw: RawRequest },
): Promise<NotificationOutcome> => {
  const gateway = ctx.payments();
  if (provider !== gateway.provider || method !== gateway.notifiesBy)
    throw new ServiceError('NOT_FOUND', 'There is no such payment gateway here.');
  const told = await signed(() => gateway.readNotification(raw, ctx.clock.now()));
  if (!told) return 'unknown';
  const heard = await settlePayment(ctx, told);
  if (told.outcome.state === 'paid') await reconcileSoon(ctx, told.payment_id);
  return heard;
};

const signed = async <Told>(read: () => Promise<Told>): Promise<Told> => {
  try {
    return await read();
  } catch (error) {
    if (error instanceof BadSignature) throw new ServiceError('UNAUTHORIZED', error.message);
    throw error;
  }
};
