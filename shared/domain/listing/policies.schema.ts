import * as z from 'zod';
import { crossCheck, type FieldIssue, Id, Instant, TimeText } from '../../platform/schema/schema.ts';

const refundRule = z
  .string()
  .max(5000)
  .meta({ description: "The listing's `refund_rule`: the same text here and there." });

const fields = {
  outside_food_allowed: z.boolean(),
  party_allowed: z.boolean(),
  smoking_allowed: z.boolean(),
  photography_allowed: z.boolean(),
  pet_allowed: z.boolean(),
  id_card_required: z.boolean(),
  quiet_time_start: TimeText.nullable(),
  quiet_time_end: TimeText.nullable(),
  other_rules: z.string().max(10_000),
};

/** The policies (house rules) of a listing. */
export const Policies = z
  .object({
    id: Id,
    listing_id: Id,
    ...fields,
    refund_rule: refundRule,
    created_at: Instant,
  })
  .meta({ id: 'Policies' });
export type Policies = z.infer<typeof Policies>;

const quietTimeIssues = ({
  quiet_time_start: start,
  quiet_time_end: end,
}: Pick<Policies, 'quiet_time_start' | 'quiet_time_end'>): FieldIssue[] =>
  (start === null) === (end === null)
    ? []
    : [
        {
          path: start === null ? 'quiet_time_start' : 'quiet_time_end',
          message: 'is required: quiet time has both a start and an end',
        },
      ];

const forbidden = (field: z.ZodBoolean) => field.default(false);

/** The whole record (D22); an absent field means not allowed, not required or empty. */
export const PutPolicies = z
  .strictObject({
    outside_food_allowed: forbidden(fields.outside_food_allowed),
    party_allowed: forbidden(fields.party_allowed),
    smoking_allowed: forbidden(fields.smoking_allowed),
    photography_allowed: forbidden(fields.photography_allowed),
    pet_allowed: forbidden(fields.pet_allowed),
    id_card_required: forbidden(fields.id_card_required),
    quiet_time_start: fields.quiet_time_start.default(null),
    quiet_time_end: fields.quiet_time_end.default(null),
    other_rules: fields.other_rules.default(''),
    refund_rule: refundRule.optional().meta({ description: "Changes the listing's; absent: it stays." }),
  })
  .check(crossCheck(quietTimeIssues))
  .meta({ id: 'PutPolicies' });
export type PutPolicies = z.infer<typeof PutPolicies>;
