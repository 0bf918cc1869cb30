import { defineEntity } from '../../platform/table/index.ts';

/** The partner's own id of a booking, so that it is booked once (D52). */
export interface ExternalReference {
  key_id: number;
  /** Null: the partner names none; one without a name is another than each of those with one. */
  external_system: string | null;
  external_booking_id: string;
  /** SHA-256 of the request that was booked. */
  fingerprint: string;
  reservation_id: number;
}

export const ExternalReferenceEntity = defineEntity<
  ExternalReference,
  Pick<ExternalReference, 'key_id' | 'external_system' | 'external_booking_id'>
>({
  name: 'ExternalReference',
  meaning: "A partner's own id of a booking.",
  patterns: ['was this external booking made before?'],
  key: ({ key_id, external_system, external_booking_id }) => ({
    pk: `EXTERNAL#${key_id}#${external_system?.length ?? 0}#${external_system ?? ''}#${external_booking_id}`,
    sk: 'REFERENCE',
  }),
  example: { key_id: 1, external_system: 'pms', external_booking_id: 'A-7' },
});
