import { fixedSecret } from '../../../../shared/platform/secrets/index.ts';
import { createVnpay } from '../../../../shared/platform/payment/vnpay.ts';
import {
  isSignedByVnpay,
  vnpayHash,
  vnpaySeal,
  vnpayText,
} from '../../../../shared/platform/payment/vnpay-signature.ts';
import type { PaymentGateway } from '../../../../shared/platform/payment/index.ts';
import type { Bank, Charge, Network, Report, SimulatedGateway } from '../bank.ts';

const settings = {
  tmnCode: 'NIGHTL01',
  hashSecret: 'the secret of the simulated terminal',
  payUrl: 'https://pay.vnpay.example.com/vpcpay.html',
  apiUrl: 'https://api.vnpay.example.com/transaction',
  returnUrl: 'https://stay.example.com/paid',
};

type Fields = Record<string, string>;

/** A time of VNPay, `yyyyMMddHHmmss` in Vietnam, in epoch milliseconds. */
const epochOf = (time: string): number =>
  Date.parse(time.replace(/^(....)(..)(..)(..)(..)(..)$/, '$1-$2-$3T$4:$5:$6+07:00'));

/** A payment as VNPay knows it beside the ledger. */
interface Opened {
  /** `vnp_CreateDate` of the page: a query has to name it. */
  createdAt: string;
  /** 01: the payment, 02: a full refund, 03: a partial one. */
  lastType: string;
}

/** VNPay: signed addresses of pages, IPN calls, `querydr` and `refund`. It closes a page at its end only, and takes no tokens. */
export class VnpayGateway implements SimulatedGateway {
  readonly takesTokens = false;
  readonly #bank: Bank;
  readonly #opened = new Map<string, Opened>();
  /** Refunds that were carried out, by request id. */
  readonly #refunds = new Set<string>();

  constructor(bank: Bank) {
    this.#bank = bank;
  }

  client(network: Network): PaymentGateway {
    return createVnpay({
      ...settings,
      secrets: fixedSecret({ vnpay_hash_secret: settings.hashSecret }),
      ask: (_, body) => network((body as Fields)['vnp_Command'] ?? '', () => this.#answer(body as Fields)),
    });
  }

  /** VNPay knows a payment from the first visit of its page. */
  visit(url: string): Charge | undefined {
    const page = Object.fromEntries(new URL(url).searchParams);
    if (!isSignedByVnpay(settings.hashSecret, page)) {
      this.#bank.problems.push(`the address of a page has a wrong signature: ${url}`);
      return undefined;
    }
    const { vnp_TxnRef: reference = '', vnp_CreateDate: createdAt = '' } = page;
    if (!this.#opened.has(reference)) this.#opened.set(reference, { createdAt, lastType: '01' });
    const charge = this.#bank.open({
      payment_id: Number(reference.split('-')[0]),
      reference,
      kind: 'page',
      amount: Number(page['vnp_Amount']) / 100,
      currency: 'VND',
      ends_at: epochOf(page['vnp_ExpireDate'] ?? ''),
      transaction_id: String(14_000_000 + this.#opened.size),
    });
    return charge.amount === Number(page['vnp_Amount']) / 100 ? charge : undefined;
  }

  decline(charge: Charge): void {
    this.#bank.turn(charge, 'declined');
  }

  reports({ state, reference, amount, transaction_id }: Charge): (() => Report)[] {
    if (state !== 'paid' && state !== 'declined') return [];
    const text = vnpayText({
      vnp_TmnCode: settings.tmnCode,
      vnp_Amount: amount * 100,
      vnp_ResponseCode: state === 'paid' ? '00' : '24',
      vnp_TransactionStatus: state === 'paid' ? '00' : '02',
      vnp_TransactionNo: transaction_id,
      vnp_TxnRef: reference,
    });
    const url = `/api/v1/payments/webhook/vnpay?${text}&vnp_SecureHash=${vnpayHash(settings.hashSecret, text)}`;
    return [() => ({ method: 'GET', url, headers: {}, body: '' })];
  }

  /** It calls again unless the payment was confirmed, now or before. */
  isTaken({ status, body }: { status: number; body: string }): boolean {
    return status === 200 && ['00', '02'].includes((JSON.parse(body) as { RspCode: string }).RspCode);
  }

  #answer({ vnp_SecureHash, ...fields }: Fields): Fields {
    if (vnp_SecureHash !== vnpaySeal(settings.hashSecret, Object.values(fields)))
      return { vnp_ResponseCode: '97' };
    if (this.#bank.weather.happens('VNPay answers 99', 0.01)) return { vnp_ResponseCode: '99' };
    const charge = this.#bank.find(fields['vnp_TxnRef'] ?? '');
    const opened = this.#opened.get(fields['vnp_TxnRef'] ?? '');
    // Without the date of its page a payment is not found.
    if (!charge || !opened || opened.createdAt !== fields['vnp_TransactionDate'])
      return { vnp_ResponseCode: '91' };
    return fields['vnp_Command'] === 'refund'
      ? this.#refund(fields, charge, opened)
      : this.#query(charge, opened);
  }

  #query(charge: Charge, { lastType }: Opened): Fields {
    this.#bank.asked(charge);
    const isWaiting = charge.state === 'processing' || this.#bank.isOpen(charge);
    return {
      vnp_ResponseCode: '00',
      vnp_TransactionStatus: charge.state === 'paid' ? '00' : isWaiting ? '01' : '02',
      vnp_TransactionType: lastType,
      vnp_TransactionNo: charge.transaction_id,
      vnp_Amount: String(charge.amount * 100),
    };
  }

  /** It takes each request id once, and does not say what became of the first. */
  #refund(fields: Fields, charge: Charge, opened: Opened): Fields {
    const { vnp_RequestId: request = '', vnp_TransactionType: type = '' } = fields;
    if (this.#refunds.has(request)) return { vnp_ResponseCode: '94' };
    const amount = Number(fields['vnp_Amount']) / 100;
    const isWhole = type === '02';
    if (fields['vnp_TransactionNo'] !== charge.transaction_id || isWhole !== (amount === charge.amount))
      this.#bank.problems.push(`${charge.reference}: a refund of type ${type} over ${amount}`);
    this.#bank.refund(charge, request, amount);
    this.#refunds.add(request);
    opened.lastType = type;
    return { vnp_ResponseCode: '00' };
  }
}
