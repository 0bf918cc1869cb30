import * as z from 'zod';
import { once } from '../../platform/once.ts';
import { Id, Instant, WebAddress } from '../../platform/schema/schema.ts';
import { foldText } from '../../platform/text/fold-text.ts';
import { CancellationTerms } from '../listing/cancellation-terms.schema.ts';
import { FieldsOfTeam } from '../listing/listing-input.schema.ts';
import { PaymentMethod } from '../payment/payment-method.schema.ts';
import { TeamName } from './team.schema.ts';
import { Email, FullName, Language, Phone } from './user.schema.ts';

const namesPlatform = (name: string): boolean =>
  foldText(name)
    .replaceAll(/[^a-z0-9]/g, '')
    .includes('nightlatch');

/** Mails about a team come from Nightlatch: their reader must not take the team for it. */
const NameOfOwner = TeamName.refine((name) => !namesPlatform(name), 'must not name Nightlatch').meta({
  description: 'Name, at most 255 characters on one line.',
  examples: ['Hoa Nắng'],
});

const language = Language.nullable().meta({
  description: 'The language of mails to guests who have chosen none; null: Vietnamese.',
});

/** What owners change of their team (D124): absent fields stay, null takes a value out. */
export const UpdateTeam = once(() => {
  const fields = FieldsOfTeam();
  return z
    .strictObject({
      name: NameOfOwner,
      language,
      contact_name: FullName.nullable().meta({ description: 'Who answers guests.' }),
      contact_phone: Phone.nullable().meta({
        description: 'The number that bookings show of the host; null: that of the first owner who has one.',
      }),
      contact_email: Email.nullable().meta({ description: 'Where guests write to.' }),
      logo_url: WebAddress.nullable(),
      default_standard_check_in_time: fields.standard_check_in_time,
      default_standard_check_out_time: fields.standard_check_out_time,
      default_timezone: fields.timezone.nullable(),
      default_currency: fields.currency.nullable(),
      default_payment_methods: fields.payment_methods.nullable(),
      default_refund_rule: fields.refund_rule.nullable(),
      default_cancellation_terms: fields.cancellation_terms,
    })
    .exactPartial()
    .meta({ id: 'UpdateTeam', description: 'Null takes a value out.' });
});
export type UpdateTeam = z.infer<ReturnType<typeof UpdateTeam>>;

export const CreateTeam = once(() =>
  z.strictObject({ ...UpdateTeam().shape, name: NameOfOwner }).meta({ id: 'CreateTeam' }),
);
export type CreateTeam = z.infer<ReturnType<typeof CreateTeam>>;

const text = z.string().nullable();

/** A team with its settings; `default_` and the name of a field is what new listings have of it where they do not say. */
export const Team = z
  .object({
    team_id: Id,
    name: z.string(),
    language,
    contact_name: text,
    contact_phone: text,
    contact_email: text,
    logo_url: text,
    default_standard_check_in_time: text,
    default_standard_check_out_time: text,
    default_timezone: text,
    default_currency: text,
    default_payment_methods: z.array(PaymentMethod).nullable(),
    default_refund_rule: text,
    default_cancellation_terms: CancellationTerms.nullable(),
    created_at: Instant,
  })
  .meta({ id: 'Team' });
export type TeamRecord = z.infer<typeof Team>;
