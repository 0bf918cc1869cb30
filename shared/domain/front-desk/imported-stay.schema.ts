import * as z from 'zod';
import { DateText, Id, LocalDateTime, pagingFields } from '../../platform/schema/schema.ts';

/** A stay that was sold on another platform, as its calendar says (D120). */
export const ImportedStay = z
  .object({
    availability_id: Id.meta({ description: 'Of the block that keeps its time.' }),
    listing_id: Id,
    feed_id: Id.meta({ description: 'The followed calendar.' }),
    label: z.string().meta({ description: 'What the team calls the platform.' }),
    summary: z.string().meta({
      description: 'What the platform calls it, up to 200 characters: some name the guest.',
    }),
    check_in_date: DateText,
    check_out_date: DateText,
    start_at: LocalDateTime,
    end_at: LocalDateTime,
    timezone: z.string(),
  })
  .meta({ id: 'ImportedStay' });
export type ImportedStay = z.infer<typeof ImportedStay>;

export const importedStaysQuery = z.strictObject({
  ...pagingFields,
  from: DateText.meta({ description: 'The first date of arrival.' }),
  to: DateText.meta({ description: 'The last one.' }),
});
export type ImportedStaysQuery = z.infer<typeof importedStaysQuery>;

export const importedStayExample: ImportedStay = {
  ...{ availability_id: 369_435_906_932_740, listing_id: 4711, feed_id: 369_435_906_932_901 },
  ...{ label: 'Airbnb', summary: 'Reserved', check_in_date: '2027-02-04', check_out_date: '2027-02-07' },
  ...{ start_at: '2027-02-04T14:00:00', end_at: '2027-02-07T12:00:00', timezone: 'Asia/Ho_Chi_Minh' },
};
