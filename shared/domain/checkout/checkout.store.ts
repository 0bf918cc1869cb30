import * as z from 'zod';
import { defineEntity, defineRecord, type RecordOf } from '../../platform/table/index.ts';
import { bookableDaysAhead } from '../pricing/model.ts';

/** The recent soft locks of a caller, which limit live checkouts (D44). */
const CallerCheckoutsRecord = defineRecord(() => ({
  /** The caller's reference. */
  holder: z.string(),
  version: z.int(),
  /** By order id: epoch milliseconds until which it may be live. */
  live: z.record(z.string(), z.int()),
}));
export type CallerCheckouts = RecordOf<typeof CallerCheckoutsRecord>;

export const CallerCheckoutsEntity = defineEntity<CallerCheckouts, Pick<CallerCheckouts, 'holder'>>({
  name: 'CallerCheckouts',
  meaning: 'The soft locks a caller made lately.',
  patterns: ['how many checkouts of this caller are live?'],
  record: CallerCheckoutsRecord,
  key: { pk: 'CHECKOUTS#{holder}', sk: 'CHECKOUTS' },
  expiresAt: ({ live }) => Math.ceil(Math.max(0, ...Object.values(live)) / 1000) + 3600,
  example: { holder: 'user:1' },
});

/** The unpaid future stays of a customer, which are limited (D85). */
const UnpaidStaysRecord = defineRecord(() => ({
  user_id: z.int(),
  version: z.int(),
  /** By reservation id, epoch milliseconds: the start of the stay, or its end if the stay had started when it was booked. */
  begins: z.record(z.string(), z.int()),
}));
export type UnpaidStays = RecordOf<typeof UnpaidStaysRecord>;

export const UnpaidStaysEntity = defineEntity<UnpaidStays, Pick<UnpaidStays, 'user_id'>>({
  name: 'UnpaidStays',
  meaning: 'The future stays that a customer has booked without paying.',
  patterns: ['how many future stays of this customer are unpaid?'],
  record: UnpaidStaysRecord,
  key: { pk: 'UNPAID#{user_id}', sk: 'UNPAID' },
  // A change may have moved a stay as far ahead as stays are booked.
  expiresAt: ({ begins }) =>
    Math.ceil(Math.max(0, ...Object.values(begins)) / 1000) + (bookableDaysAhead + 1) * 86_400,
  example: { user_id: 1 },
});

/** A partner's own id of a booking, so that it is booked once (D52). */
const ExternalReferenceRecord = defineRecord(() => ({
  key_id: z.int(),
  /** Null: the partner named none, which is a different key from any name. */
  external_system: z.string().nullable(),
  external_booking_id: z.string(),
  /** SHA-256 of the request that was booked. */
  fingerprint: z.string(),
  reservation_id: z.int(),
}));
export type ExternalReference = RecordOf<typeof ExternalReferenceRecord>;

export const ExternalReferenceEntity = defineEntity<
  ExternalReference,
  Pick<ExternalReference, 'key_id' | 'external_system' | 'external_booking_id'>
>({
  name: 'ExternalReference',
  meaning: "A partner's own id of a booking.",
  patterns: ['was this external booking made before?'],
  record: ExternalReferenceRecord,
  key: {
    // With its length, no name can run over into the id.
    pk: 'EXTERNAL#{key_id}#{system_length}#{external_system}#{external_booking_id}',
    sk: 'REFERENCE',
    derived: { system_length: ({ external_system }) => external_system?.length ?? 0 },
  },
  example: { key_id: 1, external_system: 'pms', external_booking_id: 'A-7' },
});
