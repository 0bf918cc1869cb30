import * as z from 'zod';
import { defineEvent } from '../../platform/events/event-row.ts';
import { DateText, Id } from '../../platform/schema/schema.ts';

const RulesChanged = z.object({
  id: Id.meta({ description: 'The listing.' }),
  changed: z.array(z.enum(['default', 'min_notice_hours', 'booking_window_days', 'date_rules'])).meta({
    description: 'The fields of the stay rules that have changed.',
  }),
  date_from: DateText.nullable().meta({
    description: 'The first date whose rules may have changed; null where every date may have.',
  }),
  date_to: DateText.nullable().meta({ description: 'The last such date, inclusive, or null.' }),
});

export const stayRuleEvents = {
  'listing.rules_changed': defineEvent({
    meaning: 'Which stays a listing takes has changed: read its stay rules again.',
    data: RulesChanged,
    partners: RulesChanged,
    example: { id: 4711, changed: ['date_rules'], date_from: '2027-06-07', date_to: '2027-06-10' },
  }),
} as const;
