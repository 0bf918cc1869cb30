import * as z from 'zod';
import { lineOf, TimeText } from '../../platform/schema/schema.ts';
import { Language, Phone } from '../people/user.schema.ts';

/** What is corrected of a booking's guest, by its name in the request (D146). */
export const GuestField = z
  .enum(['full_name', 'phone', 'email', 'language', 'note', 'arrival_time'])
  .meta({ id: 'GuestField', description: 'Of the guest of a booking. More may come.' });
export type GuestField = z.infer<typeof GuestField>;

/** What is corrected of the guest and the wishes of a booking; what is left out stays (D146). */
export const GuestCorrection = z
  .strictObject({
    guest_info: z
      .strictObject({
        full_name: lineOf(255).optional(),
        phone: Phone.nullable()
          .optional()
          .meta({ description: 'Null removes it, of an adopted stay of a platform alone.' }),
        email: z.email().max(254).nullable().optional().meta({
          description:
            'Links to the stay that were made before end, and the new address gets a mail with a new one. Null removes it: by a host alone.',
        }),
        language: Language.optional(),
      })
      .optional()
      .meta({ id: 'CorrectedGuest' }),
    note: z.string().trim().min(1).max(500).nullable().optional().meta({ description: 'Null removes it.' }),
    arrival_time: TimeText.nullable().optional().meta({ description: 'Null removes it.' }),
  })
  .meta({ id: 'GuestCorrection' });
export type GuestCorrection = z.infer<typeof GuestCorrection>;
