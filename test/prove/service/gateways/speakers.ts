import type { Bank, SimulatedGateway } from '../bank.ts';
import { SandboxGateway } from './sandbox.ts';
import { StripeGateway } from './stripe.ts';
import { VnpayGateway } from './vnpay.ts';

/** How each payment gateway speaks, each as often. */
export const speakers: readonly ((bank: Bank) => SimulatedGateway)[] = [
  (bank) => new SandboxGateway(bank),
  (bank) => new StripeGateway(bank),
  (bank) => new VnpayGateway(bank),
];
