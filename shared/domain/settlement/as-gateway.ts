import type { Context } from '../../platform/context.ts';

/** The same context, in the name of the gateway: what the money does is nobody's act (D62b). */
export const withGatewayCaller = (ctx: Context): Context => ({
  ...ctx,
  caller: { kind: 'system', name: `payment-gateway:${ctx.payments().provider}` },
});
