import { type FinalOutcome, GatewayUnavailable, type PaymentGateway } from './payment-gateway.ts';

/** How a gateway behaves that is not called: it declines, it is down, or a call of it throws `unreachable`. */
export type GatewayConduct = 'declines' | 'down' | { unreachable: () => Error };

/** Returns a gateway of the same rules that is never called and moves no money. */
export const rehearsedGateway = (real: PaymentGateway, conduct: GatewayConduct): PaymentGateway => {
  const call =
    <Answer>(answer: Answer) =>
    async (): Promise<Answer> => {
      if (conduct === 'down') throw new GatewayUnavailable('it is down in this sandbox scenario');
      if (conduct !== 'declines') throw conduct.unreachable();
      return answer;
    };
  const declined: FinalOutcome = { state: 'unpaid', final: true, reason: 'declined' };
  const opened = { reference: 'sandbox_scenario', url: 'https://payments.example.com' };
  return {
    provider: real.provider,
    notifiesBy: real.notifiesBy,
    refusal: (due, byToken) => real.refusal(due, byToken),
    readNotification: (request, now) => real.readNotification(request, now),
    openSession: call(opened),
    openCharge: call(opened),
    charge: call(declined),
    capture: call(declined),
    find: call(declined),
    close: call(declined),
    refund: call(undefined),
  };
};
