import type { Dependencies } from '../context.ts';
import { environment } from './environment.ts';
import { once } from '../once.ts';
import { gatewayFrom } from '../payment/gateway-from.ts';

const payments = once(() => gatewayFrom(process.env));

/** Returns the dependencies of a function that takes payments: those of every function, and the gateway. */
export const paymentEnvironment = (): Dependencies => ({ ...environment(), payments });
