import * as z from 'zod';
import {
  AssignTransfer,
  BankTransfer,
  ReturnTransfer,
  TransferState,
} from '../../shared/domain/transfer/bank-transfer.schema.ts';
import { exampleIds } from '../../shared/platform/http/example-records.ts';
import { pageOf, pagingFields } from '../../shared/platform/schema/schema.ts';

const params = z.strictObject({ transfer_id: z.string().max(64) });
const ofTransfers = { access: 'host', permission: 'manage', tag: 'Money of bookings' } as const;

const transfer = {
  ...{ id: exampleIds.transfer, state: 'OPEN', amount: 500_000, rest: 500_000, currency: 'VND' },
  ...{ account_number: '0071000123456', bank_reference: 'FT27034998877', text: 'Hoa tien coc phong' },
  ...{ booking_ids: [], named_booking_ids: [], note: null, received_at: '2027-02-03T04:12:00.000Z' },
} satisfies BankTransfer;

const errors = ['NOT_FOUND', 'INVALID_STATE_TRANSITION'] as const;

/** Money on the bank accounts of a team, and what a person does with what no booking took (D130). */
export const transferRows = {
  listTransfers: {
    ...ofTransfers,
    method: 'GET',
    path: '/api/v1/team/transfers',
    summary: 'The bank transfers to the team in a state, newest first',
    description: 'OPEN by default: all or a part of it is for no booking yet. The list may lag by a second.',
    query: z.strictObject({ ...pagingFields, state: TransferState.default('OPEN') }),
    status: 200,
    reply: pageOf(BankTransfer),
    errors: [],
    examples: {
      reply: {
        ...{ items: [transfer], total: 1, total_is_exact: true, page: 1, limit: 20, total_pages: 1 },
        next_cursor: null,
      },
    },
  },
  assignTransfer: {
    ...ofTransfers,
    method: 'POST',
    path: '/api/v1/team/transfers/{transfer_id}/assign',
    summary: 'Pays a booking with what is left of a bank transfer',
    description:
      'As far as the booking is unpaid; what is left stays OPEN. One that was cancelled because no transfer came in time is restored, if at least what was due is left and its time is free.',
    params,
    body: AssignTransfer,
    status: 200,
    reply: BankTransfer,
    errors: [...errors, 'BOOKING_NOT_FOUND', 'LISTING_NOT_AVAILABLE'],
    idempotent: true,
    examples: {
      params: { transfer_id: exampleIds.transfer },
      body: { booking_id: exampleIds.toTransfer },
      reply: { ...transfer, state: 'MATCHED', rest: 0, booking_ids: [exampleIds.toTransfer] },
    },
  },
  returnTransfer: {
    ...ofTransfers,
    method: 'POST',
    path: '/api/v1/team/transfers/{transfer_id}/returned',
    summary: 'Notes that what is left of a bank transfer went back, or needs nothing more',
    params,
    body: ReturnTransfer,
    status: 200,
    reply: BankTransfer,
    errors,
    idempotent: true,
    examples: {
      params: { transfer_id: exampleIds.transferToReturn },
      body: { note: 'Sent back today' },
      reply: {
        ...transfer,
        ...{ id: exampleIds.transferToReturn, bank_reference: 'FT27034998878' },
        ...{ state: 'RETURNED', note: 'Sent back today' },
      },
    },
  },
} as const;
