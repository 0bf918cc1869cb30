import type { Dependencies } from './context.ts';
import { environment } from './environment.ts';
import { gatewayFrom } from './payment/gateway-from.ts';
import type { PaymentGateway } from './payment/index.ts';

let gateway: PaymentGateway | undefined;

/** The dependencies of a function that takes payments: those of every function, and the gateway. */
export const payingEnvironment = (): Dependencies => ({
  ...environment(),
  payments: () => (gateway ??= gatewayFrom(process.env)),
});
