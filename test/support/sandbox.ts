import {
  notificationOf,
  openSandboxGateway,
  type SandboxGateway,
  sandboxSecret,
} from '../../infra/local/payments/index.ts';
import type { Clock } from '../../shared/platform/time/clock.ts';
import type { PaymentGateway } from '../../shared/platform/payment/index.ts';
import { createSandbox } from '../../shared/platform/payment/sandbox.ts';
import { besideFunctions } from './rights/as-function.ts';

/** The sandbox gateway in this process: its payments, its calls, and faults of its network. */
export interface TestGateway {
  server: SandboxGateway;
  gateway: PaymentGateway;
  /** Paths of calls, in their order. */
  asked: string[];
  /** How long the gateway would have waited, in milliseconds. */
  waits: number[];
  /** Payments whose page or charge was opened. */
  opened: number[];
  /** Makes a call fail: before the gateway receives it, or after it is done. Undefined: no fault. */
  fault: ((path: string, body: object) => 'before' | 'after' | undefined) | undefined;
  /** Runs before a call reaches the gateway. */
  meanwhile: ((path: string) => Promise<void>) | undefined;
  notificationOf: typeof notificationOf;
}

export const testGateway = (clock: Clock): TestGateway => {
  const waits: number[] = [];
  const server = openSandboxGateway({ clock, wait: async (ms) => void waits.push(ms) });
  server.openAt('http://127.0.0.1:4000');
  const wire: TestGateway = {
    server,
    asked: [],
    waits,
    opened: [],
    fault: undefined,
    meanwhile: undefined,
    notificationOf,
    gateway: createSandbox({
      secret: sandboxSecret,
      ask: async (path, body) => {
        wire.asked.push(path);
        await besideFunctions(() => wire.meanwhile?.(path));
        const fault = wire.fault?.(path, body);
        if (fault === 'before') throw new Error('connection refused');
        const answer = await server.answer(path, JSON.parse(JSON.stringify(body)));
        if (path === '/sessions' || path === '/charges')
          wire.opened.push((body as { payment_id: number }).payment_id);
        if (fault === 'after') throw new Error('the answer was lost');
        return answer;
      },
    }),
  };
  return wire;
};
