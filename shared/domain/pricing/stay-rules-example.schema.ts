import { exampleIds } from '../../platform/http/example-records.ts';
import { type StayRules, unrestricted } from './stay-rules.schema.ts';

/** The rules that the examples set. */
export const putStayRulesExample = {
  default: { ...unrestricted, max_nights: 60 },
  min_notice_hours: 2,
  booking_window_days: 540,
  date_rules: [{ date_from: '2027-06-07', date_to: '2027-06-10', min_nights: 3 }],
};

/** The same as the API answers them. */
export const stayRulesExample: StayRules = {
  ...putStayRulesExample,
  listing_id: exampleIds.listing,
  date_rules: putStayRulesExample.date_rules.map((rule) => ({
    id: exampleIds.stayRule,
    weekdays: null,
    ...unrestricted,
    ...rule,
  })),
};
