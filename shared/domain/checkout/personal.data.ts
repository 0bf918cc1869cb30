import type { ClassifiedFields } from '../../platform/table/personal-data.ts';

/** The classes of the texts of checkouts. */
export const checkoutData: Record<string, ClassifiedFields> = {
  CallerCheckouts: { none: 'holder' },
  UnpaidStays: {},
  CartItem: { none: 'listing_name check_in_date check_out_date check_in check_out currency created_at' },
  CartAddition: {},
  ExternalReference: { kept: 'external_system external_booking_id', none: 'fingerprint' },
  Quote: {
    none: `holder items[].check_in_date items[].check_out_date items[].check_in_time items[].check_out_time
      currency`,
    kept: 'items[].adjustments[].label',
  },
};
