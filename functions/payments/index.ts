import { handlePaymentWebhook } from '../../shared/domain/payment/index.ts';
import { takeReport } from '../../shared/domain/transfer/index.ts';
import { withSealing } from '../../shared/platform/environment/sealing-environment.ts';
import { machineClock } from '../../shared/platform/time/clock.ts';
import { serve } from '../../shared/platform/http/serve.ts';
import { paymentEnvironment } from '../../shared/platform/environment/payment-environment.ts';
import { paymentsRoutes } from './routes.ts';
import { vnpayAnswer } from './vnpay-answer.ts';

export const payments = serve(paymentsRoutes, {
  handlePaymentWebhook: async (ctx, { params, raw }) => {
    await handlePaymentWebhook(ctx, { ...params, method: 'POST', raw });
    return { received: true as const };
  },
  takeBankReport: async (ctx, { params, raw }) => {
    await takeReport(ctx, { provider: params.reporter, team_id: params.team_id, raw }, machineClock);
    return { success: true as const };
  },
  handlePaymentIpn: (ctx, { params, raw }) =>
    vnpayAnswer(ctx.log, () => handlePaymentWebhook(ctx, { ...params, method: 'GET', raw })),
});

/** The Lambda handler of the gateways' webhooks. */
export const handler = payments(withSealing(paymentEnvironment));
