import {
  notificationOf,
  openBank,
  type PaymentBank,
  sandboxSecret,
} from '../../infra/local/payments/index.ts';
import type { Clock } from '../../shared/platform/clock.ts';
import type { PaymentGateway } from '../../shared/platform/payment/index.ts';
import { createSandbox } from '../../shared/platform/payment/sandbox.ts';

/** The sandbox gateway in this process: its ledger, how often it was asked what, and faults on its wire. */
export interface TestGateway {
  bank: PaymentBank;
  gateway: PaymentGateway;
  /** Paths of calls, in their order. */
  asked: string[];
  /** Payments whose page or charge was opened. */
  opened: number[];
  /** Lets a call be lost: before the gateway hears of it, or after it has done it. Undefined: it goes through. */
  fault: ((path: string, body: object) => 'before' | 'after' | undefined) | undefined;
  /** Runs before a call reaches the gateway. */
  meanwhile: ((path: string) => Promise<void>) | undefined;
  notificationOf: typeof notificationOf;
}

export const testGateway = (clock: Clock): TestGateway => {
  const bank = openBank({ clock });
  bank.openAt('http://127.0.0.1:4000');
  const wire: TestGateway = {
    bank,
    asked: [],
    opened: [],
    fault: undefined,
    meanwhile: undefined,
    notificationOf,
    gateway: createSandbox({
      secret: sandboxSecret,
      ask: async (path, body) => {
        wire.asked.push(path);
        await wire.meanwhile?.(path);
        const fault = wire.fault?.(path, body);
        if (fault === 'before') throw new Error('connection refused');
        const answer = bank.answer(path, JSON.parse(JSON.stringify(body)));
        if (path === '/sessions' || path === '/charges')
          wire.opened.push((body as { payment_id: number }).payment_id);
        if (fault === 'after') throw new Error('the answer was lost');
        return answer;
      },
    }),
  };
  return wire;
};
