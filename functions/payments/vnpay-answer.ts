import type * as z from 'zod';
import type { Dependencies } from '../../shared/platform/context.ts';
import { ServiceError } from '../../shared/platform/errors.ts';
import type { NotificationOutcome } from '../../shared/platform/payment/index.ts';
import type { VnpayAnswer } from './routes.ts';

type Answer = z.infer<typeof VnpayAnswer>;

const answers: Record<NotificationOutcome, Answer> = {
  taken: { RspCode: '00', Message: 'Confirm Success' },
  unknown: { RspCode: '01', Message: 'Order not found' },
  repeated: { RspCode: '02', Message: 'Order already confirmed' },
  mismatch: { RspCode: '04', Message: 'Invalid amount' },
  unsigned: { RspCode: '97', Message: 'Invalid signature' },
  failed: { RspCode: '99', Message: 'Unknown error' },
};

/** VNPay reads codes, not statuses: with 99 it calls again. A gateway that is not ours is NOT_FOUND like any other path. */
export const vnpayAnswer = async (
  log: Dependencies['log'],
  handle: () => Promise<NotificationOutcome>,
): Promise<Answer> => {
  try {
    return answers[await handle()];
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'NOT_FOUND') throw error;
    if (error instanceof ServiceError && error.code === 'UNAUTHORIZED') return answers.unsigned;
    log.error('An IPN could not be taken.', { cause: String((error as Error).stack ?? error) });
    return answers.failed;
  }
};
