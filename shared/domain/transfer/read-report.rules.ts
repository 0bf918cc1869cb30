import { createHmac, timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import * as z from 'zod';
import { invalid, ServiceError } from '../../platform/errors.ts';
import { headerOf } from '../../platform/http/header.ts';
import type { RawRequest } from '../../platform/http/route.ts';
import { fitsMinorUnit, isPayable, money } from '../../platform/money.ts';
import { instantText } from '../../platform/time/clock.ts';
import { isLocalDateTime, minuteMs, toInstant } from '../../platform/time/time.ts';
import { BankReport, type ReportProvider } from './bank-transfer.schema.ts';

/** Money that has come to an account. */
export type BankReport = z.infer<typeof BankReport>;

/** Reports are made now: an old one that is sent again is refused. */
const toleranceMs = 5 * minuteMs;

/** SePay signs `<seconds>.<body>` (developer.sepay.vn, "How to authenticate SePay webhooks"). */
const isOfSePay = (secret: string, request: RawRequest, now: number): boolean => {
  const timestamp = headerOf(request, 'X-SePay-Timestamp') ?? '';
  const given = Buffer.from(headerOf(request, 'X-SePay-Signature') ?? '');
  const hash = createHmac('sha256', secret).update(`${timestamp}.${request.body}`).digest('hex');
  const expected = Buffer.from(`sha256=${hash}`);
  const isNow = Math.abs(now - Number(timestamp) * 1000) <= toleranceMs;
  return isNow && given.length === expected.length && timingSafeEqual(given, expected);
};

const isStandard = (secret: string, request: RawRequest): boolean => {
  const signed = Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
      name,
      headerOf(request, name) ?? '',
    ]),
  );
  try {
    new Webhook(secret).verify(request.body, signed);
    return true;
  } catch {
    return false;
  }
};

const SePayReport = z.object({
  id: z.number(),
  transactionDate: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/, { abort: true })
    .refine((text) => isLocalDateTime(text.replace(' ', 'T')), 'must be a real date and time'),
  accountNumber: z.string(),
  content: z.string().nullish(),
  description: z.string().nullish(),
  transferType: z.enum(['in', 'out']),
  transferAmount: z.number().positive(),
  referenceCode: z.string().nullish(),
});

/** Its times are those of Viet Nam. */
const ofSePay = (given: unknown): BankReport | undefined => {
  const { id, transactionDate, accountNumber, content, description, ...report } = parsed(SePayReport, given);
  if (report.transferType === 'out') return undefined;
  return exact('transferAmount', {
    id: report.referenceCode || `sepay ${id}`,
    account_number: accountNumber,
    amount: report.transferAmount,
    currency: 'VND',
    text: content || description || '',
    received_at: instantText(toInstant(transactionDate.replace(' ', 'T'), 'Asia/Ho_Chi_Minh')),
  });
};

const parsed = <Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> => {
  const { success, data, error } = schema.safeParse(given);
  if (success) return data;
  throw invalid(...error.issues.map(({ path, message }) => ({ path: path.join('.'), message })));
};

/** Returns a report with its time in UTC, by which the list of a team is in order. Throws VALIDATION_ERROR for an amount that no bank has. */
const exact = (path: string, report: BankReport): BankReport => {
  const { amount, currency, received_at } = report;
  if (!fitsMinorUnit(amount, currency) || !isPayable(money(amount), currency))
    throw invalid({ path, message: `must be an exact amount in ${currency}` });
  return { ...report, received_at: instantText(Date.parse(received_at)) };
};

const json = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    throw invalid({ path: '', message: 'The body is not valid JSON.' });
  }
};

/**
 * Returns what a report says that one of some keys has signed; undefined: money went out. Throws UNAUTHORIZED for a wrong or old signature, before anything else
 * is looked at, and VALIDATION_ERROR for a body that is not as published.
 */
export const readReport = (
  provider: ReportProvider,
  secrets: readonly string[],
  raw: RawRequest,
  now: number,
): BankReport | undefined => {
  const isSigned = (secret: string): boolean =>
    provider === 'sepay' ? isOfSePay(secret, raw, now) : isStandard(secret, raw);
  if (!secrets.some(isSigned))
    throw new ServiceError('UNAUTHORIZED', 'The signature of the report is wrong.');
  if (provider === 'sepay') return ofSePay(json(raw.body));
  return exact('amount', parsed(BankReport, json(raw.body)));
};
