import type { PaymentGateway } from '../../../shared/platform/payment/index.ts';
import { type MoneyBug, type Posting, posting, stays } from './tampering-stays.ts';

const isOnCard = ({ method }: Posting): boolean => method === 'ONLINE_GATEWAY';

/** Changes the calls about what a page authorises. */
const ofHolds =
  (change: (client: PaymentGateway) => Partial<PaymentGateway>) =>
  (client: PaymentGateway): PaymentGateway => ({ ...client, ...change(client) });

/** Mistakes with security deposits on cards (D131). */
export const holdBugs: readonly MoneyBug[] = [
  {
    name: 'a deposit is captured whole, whatever is kept of it',
    gateway: ofHolds((client) => ({
      capture: ({ captures: _, ...opened }) => client.capture(opened),
    })),
  },
  {
    name: 'the rest of a deposit that was captured in part is not returned',
    tamper: posting(({ postings }) => ({
      postings: postings.filter(
        ({ kind, payment_id }, at) =>
          kind !== 'deposit_returned' ||
          payment_id === undefined ||
          postings[at - 1]?.kind !== 'deposit_kept' ||
          postings[at - 1]?.payment_id !== payment_id,
      ),
    })),
  },
  {
    name: 'a deposit is released at the service alone',
    gateway: ofHolds((client) => ({
      close: async (opened) =>
        opened.captured_later && (await client.find(opened)).state === 'authorised'
          ? { state: 'unpaid', final: true, reason: 'closed' }
          : client.close(opened),
    })),
  },
  {
    name: 'an authorised deposit is read as an open page',
    reading: (item) =>
      item['entity'] === 'Payment' && item['deposit_of'] !== undefined && item['state'] === 'AUTHORISED'
        ? { ...item, state: 'OPEN' }
        : item,
  },
  {
    name: 'a deposit on a card is cash on hand',
    reading: stays(
      (_, postings) => ({
        postings: postings.map((one) =>
          isOnCard(one) && one.kind.startsWith('deposit') ? { ...one, method: 'CASH' } : one,
        ),
      }),
      ['statement'],
    ),
  },
  {
    name: 'what is authorised on a card is handed over at the desk',
    reading: stays((_, postings) => ({
      postings: postings.map((one) =>
        one.kind === 'deposit_taken' && isOnCard(one) ? { ...one, method: 'OTHER' } : one,
      ),
    })),
  },
  {
    name: 'a page for a deposit takes the money at once',
    gateway: ofHolds((client) => ({
      openSession: ({ captured_later: _, ...due }) => client.openSession(due),
    })),
  },
];
