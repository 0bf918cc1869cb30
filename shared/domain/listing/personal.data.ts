import type { ClassifiedFields } from '../../platform/table/personal-data.ts';

/** The classes of the texts of listings and their reviews; the answer of the host to a review is about the guest too. */
export const listingData: Record<string, ClassifiedFields> = {
  Listing: {
    none: `name slug address country_code country_name province_code province_name place_id timezone currency
      checkin_night_short_hour checkout_night_short_hour standard_check_in_time standard_check_out_time
      flexible_check_in_time flexible_check_out_time checkin_guide_url no_checkin_after_hour refund_rule view_types[]
      additional_areas[] images[].url created_at updated_at search_name`,
    free: 'description',
    secret: 'wifi_name wifi_password door_code{} sealed_access',
  },
  ListingSlug: { none: 'slug' },
  ListingViews: {},
  ListingChange: { none: 'changed_at actor changes[].field', free: 'changes[].was changes[].now' },
  ParkingRules: { none: 'rules[].currency', free: 'rules[].description' },
  Review: { none: 'reply.created_at created_at', personal: 'guest_name comment reply.text' },
  HouseRules: { none: 'quiet_time_start quiet_time_end created_at', free: 'other_rules' },
};

/** The classes of the texts in the data of the events of reviews. */
export const reviewEventData: Record<string, ClassifiedFields> = {
  'review.created': { personal: 'comment' },
};
