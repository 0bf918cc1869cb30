import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { startIdentityProvider } from '../../infra/local/identity/index.ts';
import { listenOnLoopback } from '../../infra/local/loopback.ts';
import { machineClock } from '../../shared/platform/time/clock.ts';
import {
  isSignedByVnpay,
  vnpayHash,
  vnpaySeal,
  vnpayText,
} from '../../shared/platform/payment/vnpay-signature.ts';
import { tls } from './emulator.ts';

type Fields = Record<string, string>;

export const applications = {
  hosts: { client_id: 'rehearsal-hosts', client_secret: 'secret of the host application' },
  guests: { client_id: 'rehearsal-guests', client_secret: 'secret of the guest application' },
  service: { client_id: 'rehearsal-service', client_secret: 'secret of the service' },
};
export const audience = 'https://api.rehearsal.example.com';
export const terminal = { tmnCode: 'REHEARS1', hashSecret: 'secret of the terminal' };

/** A terminal of VNPay: a page that is paid at once, `querydr` and `refund`, all signed as VNPay signs. */
const startTerminal = async () => {
  const refunds: number[] = [];
  const payments = new Map<string, Fields>();
  const answer = ({ vnp_SecureHash, ...fields }: Fields): Fields => {
    if (vnp_SecureHash !== vnpaySeal(terminal.hashSecret, Object.values(fields)))
      return { vnp_ResponseCode: '97' };
    const payment = payments.get(fields['vnp_TxnRef'] ?? '');
    if (!payment) return { vnp_ResponseCode: '91' };
    if (fields['vnp_Command'] === 'refund') refunds.push(Number(fields['vnp_Amount']) / 100);
    const { vnp_Amount = '', vnp_TransactionNo = '' } = payment;
    const state = { vnp_TransactionStatus: '00', vnp_TransactionType: '01' };
    return { vnp_ResponseCode: '00', ...state, vnp_Amount, vnp_TransactionNo };
  };
  const server = createServer(tls, (request, response) => {
    void text(request).then((body) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer(JSON.parse(body) as Fields)));
    });
  });
  const { port, stop } = await listenOnLoopback(server, 0);
  return {
    url: `https://127.0.0.1:${port}`,
    refunds,
    stop,
    /** Pays at the address of a page, and returns the path of the report that VNPay then calls (IPN). */
    pay: (address: string): string => {
      const page = Object.fromEntries(new URL(address).searchParams);
      if (!isSignedByVnpay(terminal.hashSecret, page)) throw new Error(`${address} has a wrong signature.`);
      const { vnp_TxnRef = '', vnp_Amount = '' } = page;
      const paid = { vnp_TmnCode: terminal.tmnCode, vnp_Amount, vnp_TxnRef, vnp_TransactionNo: '14000001' };
      payments.set(vnp_TxnRef, paid);
      const signed = vnpayText({ ...paid, vnp_ResponseCode: '00', vnp_TransactionStatus: '00' });
      return `/api/v1/payments/webhook/vnpay?${signed}&vnp_SecureHash=${vnpayHash(terminal.hashSecret, signed)}`;
    },
  };
};

export type Neighbours = Awaited<ReturnType<typeof startNeighbours>>;

/** Starts what a stage reaches beside AWS: an identity provider with Auth0's API, and a payment gateway. */
export const startNeighbours = async () => {
  const [identity, payments] = await Promise.all([
    startIdentityProvider({
      ...{ port: 0, clock: machineClock, tls, audience },
      clients: Object.values(applications),
      sendMail: () => undefined,
    }),
    startTerminal(),
  ]);
  const stop = async (): Promise<void> => {
    await identity.stop();
    await payments.stop();
  };
  return { identity, payments, stop };
};
