import type { JsonServer } from '../json-server.ts';
import { startJsonServer } from '../json-server.ts';
import type { Log } from '../log.ts';
import { type PaymentBank, UnknownPayment } from './bank.ts';

export { type BankPayment, openBank, type PaymentBank } from './bank.ts';
export { notificationOf } from './notify.ts';
export { sandboxSecret } from './secret.ts';

/** The sandbox gateway on a port of this machine. */
export const startPaymentBank = ({ bank, log }: { bank: PaymentBank; log: Log }): Promise<JsonServer> =>
  startJsonServer(({ path, body }) => {
    try {
      return { status: 200, body: bank.answer(path, body) };
    } catch (error) {
      if (error instanceof UnknownPayment) return { status: 404, body: { message: error.message } };
      throw error;
    }
  }, log);
