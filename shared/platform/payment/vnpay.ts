import { createHash } from 'node:crypto';
import * as z from 'zod';
import { money, toNumber } from '../money.ts';
import type { RawRequest } from '../http/route.ts';
import type { Secret } from '../secrets/index.ts';
import { once } from '../once.ts';
import { hourMs } from '../time/time.ts';
import {
  BadSignature,
  type Due,
  type DueRefund,
  type DueSession,
  GatewayRefused,
  GatewayUnavailable,
  type OpenedPayment,
  type PaymentGateway,
  type PaymentNotification,
  RefundOutcomeUnknown,
  type FinalOutcome,
} from './payment-gateway.ts';
import { postJson } from './post-json.ts';
import { isSignedByVnpay, vnpayHash, vnpaySeal, vnpayText } from './vnpay-signature.ts';

/** VNPay's secret in Secrets Manager. */
export const VnpaySecrets = once(() => z.object({ vnpay_hash_secret: z.string().min(1) }));

export interface VnpaySettings {
  /** The merchant's terminal. */
  tmnCode: string;
  secrets: Pick<Secret<z.infer<ReturnType<typeof VnpaySecrets>>>, 'read'>;
  /** The address of the payment page. */
  payUrl: string;
  /** The address of `querydr` and `refund`. */
  apiUrl: string;
  /** Where the browser returns to; never proof of payment. */
  returnUrl: string;
  ask?: (url: string, body: object) => Promise<unknown>;
}

const version = '2.1.0';
const serverIp = '127.0.0.1';

/** VNPay's amounts are in hundredths, for the dong too. */
const hundredths = (amount: number): string => money(amount).times(100).toFixed(0);

/** yyyyMMddHHmmss in Vietnam, which has no daylight saving. */
const vnpayTime = (epochMs: number): string =>
  new Date(epochMs + 7 * hourMs).toISOString().replace(/[-T:]/g, '').slice(0, 14);

const referenceOf = (payment_id: number, attempt: number): string => `${payment_id}-${attempt}`;

/** Returns the payment id of a reference; undefined if the service did not make it. */
const paymentIdIn = (reference: string): number | undefined => {
  const [, id] = /^([1-9]\d{0,15})-[1-9]\d{0,5}$/.exec(reference) ?? [];
  return id === undefined ? undefined : Number(id);
};

const Replied = once(() =>
  z.looseObject({
    vnp_ResponseCode: z.string(),
    vnp_TransactionStatus: z.string().optional(),
    vnp_TransactionType: z.coerce.string().optional(),
    vnp_TransactionNo: z.coerce.string().optional(),
    vnp_Amount: z.coerce.string().optional(),
    vnp_Message: z.string().optional(),
  }),
);

const paid = (transaction_id: string, amount: string): FinalOutcome => ({
  state: 'paid',
  transaction_id,
  amount: toNumber(money(amount).div(100)),
  currency: 'VND',
});
type Reply = z.infer<ReturnType<typeof Replied>>;

const hashSecret = async ({ secrets }: VnpaySettings): Promise<string> =>
  (await secrets.read()).vnpay_hash_secret;

/** Calls VNPay's API; every call is signed over its values in order. */
const askApi = async (
  settings: VnpaySettings,
  command: 'querydr' | 'refund',
  request: string,
  values: Record<string, string>,
): Promise<Reply> => {
  const fields = {
    vnp_RequestId: requestId(request),
    vnp_Version: version,
    vnp_Command: command,
    vnp_TmnCode: settings.tmnCode,
    ...values,
  };
  const vnp_SecureHash = vnpaySeal(await hashSecret(settings), Object.values(fields));
  try {
    return Replied().parse(await (settings.ask ?? postJson)(settings.apiUrl, { ...fields, vnp_SecureHash }));
  } catch (error) {
    throw new GatewayUnavailable(`vnpay ${command}`, error);
  }
};

const queried = (
  settings: VnpaySettings,
  opened: Pick<OpenedPayment, 'payment_id' | 'reference' | 'opened_at' | 'now'>,
): Promise<Reply> =>
  askApi(settings, 'querydr', `${opened.reference} ${opened.now}`, {
    vnp_TxnRef: opened.reference,
    vnp_TransactionDate: vnpayTime(opened.opened_at),
    vnp_CreateDate: vnpayTime(opened.now),
    vnp_IpAddr: serverIp,
    vnp_OrderInfo: orderInfo(opened),
  });

const query = async (settings: VnpaySettings, opened: OpenedPayment): Promise<FinalOutcome> => {
  const reply = await queried(settings, opened);
  const { vnp_ResponseCode: code, vnp_TransactionStatus: status } = reply;
  if (code === '00' && status === '00') return paid(reply.vnp_TransactionNo ?? '', reply.vnp_Amount ?? '0');
  if (code === '00' && status === failed) return unpaid(`VNPay: ${status}`, true);
  // 91: the customer has not opened the page yet.
  if (code === '00' || code === '91') return unpaid('not paid yet', false);
  throw new GatewayUnavailable(`vnpay querydr answered ${code}`);
};

const refund = async (settings: VnpaySettings, due: DueRefund): Promise<void> => {
  const reply = await askApi(settings, 'refund', `${due.payment_id} ${due.refund_id}`, {
    vnp_TransactionType: due.amount === due.paid ? '02' : '03',
    vnp_TxnRef: due.reference,
    vnp_Amount: hundredths(due.amount),
    vnp_TransactionNo: due.transaction_id,
    vnp_TransactionDate: vnpayTime(due.opened_at),
    vnp_CreateBy: 'nightlatch',
    vnp_CreateDate: vnpayTime(due.now),
    vnp_IpAddr: serverIp,
    vnp_OrderInfo: orderInfo(due),
  });
  const { vnp_ResponseCode: code, vnp_Message: message = '' } = reply;
  if (code === '00') return;
  // 94: a repeated request; it does not say what happened to the first.
  if (code !== '94') throw new GatewayRefused(`VNPay refused a refund: ${code} ${message}`);
  judgeRefund(due, await queried(settings, due));
};

/** States of an accepted refund: 00 done, 05 processing, 06 at the bank. */
const takenStates = ['00', '05', '06'];
const rejected = '09';

/**
 * Interprets `querydr` after a repeated refund request. VNPay identifies refunds by payment only, so with several partial
 * refunds it is unknown which one it reports.
 */
const judgeRefund = ({ amount, paid: whole, is_only }: DueRefund, reply: Reply): void => {
  const { vnp_ResponseCode: code, vnp_TransactionType: type, vnp_TransactionStatus: status } = reply;
  const said = `VNPay querydr: code ${code}, type ${type ?? 'none'}, status ${status ?? 'none'}`;
  if (code !== '00') throw new GatewayUnavailable(said);
  // No refund exists yet: it will be retried.
  if (type === '01') throw new GatewayUnavailable(said);
  // 01 is the payment, 02 a full refund, 03 a partial one.
  const isOurs = is_only && type === (amount === whole ? '02' : '03');
  if (isOurs && takenStates.includes(status ?? '')) return;
  if (isOurs && status === rejected) throw new GatewayRefused(`VNPay rejected a refund. ${said}`);
  throw new RefundOutcomeUnknown(said);
};

/** Returns the address of the payment page with the signed payment. No call is made. */
const payAddress = async (settings: VnpaySettings, reference: string, due: DueSession): Promise<string> => {
  const text = vnpayText({
    vnp_Version: version,
    vnp_Command: 'pay',
    vnp_TmnCode: settings.tmnCode,
    vnp_Amount: hundredths(due.amount),
    vnp_CurrCode: 'VND',
    vnp_TxnRef: reference,
    vnp_OrderInfo: orderInfo(due),
    vnp_OrderType: 'other',
    vnp_Locale: 'vn',
    vnp_ReturnUrl: settings.returnUrl,
    vnp_IpAddr: serverIp,
    vnp_CreateDate: vnpayTime(due.now),
    vnp_ExpireDate: vnpayTime(due.ends_at),
  });
  return `${settings.payUrl}?${text}&vnp_SecureHash=${vnpayHash(await hashSecret(settings), text)}`;
};

const readIpn = async (
  settings: VnpaySettings,
  report: RawRequest['query'],
): Promise<PaymentNotification | undefined> => {
  if (!isSignedByVnpay(await hashSecret(settings), report)) throw new BadSignature();
  const reference = report['vnp_TxnRef'] ?? '';
  const payment_id = paymentIdIn(reference);
  if (payment_id === undefined) return undefined;
  return { payment_id, reference, outcome: reportedOutcome(report) };
};

const failed = '02';
/** The bank has taken the money, and VNPay suspects fraud. */
const suspected = '07';

/** What is not paid and has not failed either (reversed, suspected, not completed) is asked about until VNPay has decided. */
const reportedOutcome = (report: RawRequest['query']): FinalOutcome => {
  const { vnp_ResponseCode: code = '', vnp_TransactionStatus: status } = report;
  if (code === '00' && (status ?? '00') === '00')
    return paid(report['vnp_TransactionNo'] ?? '', report['vnp_Amount'] ?? '0');
  return unpaid(`VNPay: ${code}`, status === failed && code !== suspected);
};

const noTokens = async (): Promise<never> => {
  throw new GatewayRefused('VNPay takes no tokens');
};

/**
 * Returns the VNPay gateway (D47): the customer pays on its page, in VND only; tokens are not accepted. IPN and `querydr` are
 * authoritative; the browser's return is not.
 */
export const createVnpay = (settings: VnpaySettings): PaymentGateway => ({
  provider: 'vnpay',
  notifiesBy: 'GET',
  refusal: ({ currency, captured_later }, byToken) => {
    if (currency !== 'VND') return 'VNPay takes VND alone';
    if (captured_later && !byToken) return 'VNPay authorises nothing without taking it';
    return byToken ? 'VNPay takes no payment_gateway_token; leave it out and use the payment_url' : undefined;
  },
  openSession: async (due) => {
    const reference = referenceOf(due.payment_id, due.attempt);
    return { reference, url: await payAddress(settings, reference, due) };
  },
  openCharge: noTokens,
  charge: noTokens,
  capture: noTokens,
  find: (opened) => query(settings, opened),
  // VNPay closes its page at vnp_ExpireDate.
  close: (opened) => query(settings, opened),
  refund: (due) => refund(settings, due),
  readNotification: (request) => readIpn(settings, request.query),
});

const unpaid = (reason: string, final: boolean): FinalOutcome => ({ state: 'unpaid', final, reason });

const orderInfo = ({ payment_id }: Pick<Due, 'payment_id'>): string => `Nightlatch ${payment_id}`;

/** Returns a deterministic request id of at most 32 characters. */
const requestId = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);
