import { describe, expect, it } from 'vitest';
import { ExternalBookingRequest } from '../../../shared/domain/booking/external-booking.schema.ts';

const pathsOf = (body: unknown): string[] =>
  (ExternalBookingRequest.safeParse(body).error?.issues ?? []).map(({ path }) => path.join('.')).sort();

describe('the request of an external booking', () => {
  it.each([null, undefined, 'text', 7])('is refused where it is %j, which has no fields', (body) => {
    expect(pathsOf(body)).toEqual(['']);
  });

  it('names all that a single stay lacks, with every other problem', () => {
    const missing = ['check_in_date', 'check_out_date', 'guest_number', 'listing_id', 'nights'];
    expect(pathsOf({ guest_info: 1, payment_method: 'CASH' })).toEqual([...missing, 'guest_info'].sort());
  });
});
