import { GatewayRefused, type PaymentGateway } from './payment-gateway.ts';

const refuse = async (): Promise<never> => {
  throw new GatewayRefused('no payment gateway is set up');
};

/** The gateway of a deployment without online payment: ONLINE_GATEWAY is refused at once. */
export const noGateway: PaymentGateway = {
  provider: 'none',
  notifiesBy: 'POST',
  refusal: () => 'online payment is not set up here',
  openSession: refuse,
  openCharge: refuse,
  charge: refuse,
  capture: refuse,
  find: refuse,
  close: refuse,
  refund: refuse,
  readNotification: refuse,
};
