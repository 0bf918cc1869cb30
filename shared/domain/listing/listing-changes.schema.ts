import * as z from 'zod';
import { exampleIds } from '../../platform/http/example-records.ts';
import { Id, Instant, pagingFields } from '../../platform/schema/schema.ts';

const FieldChange = z
  .object({
    field: z.string().meta({
      description:
        'A field of the listing, `stay_rules.…`, `policies`, `parking_rules`, `pricing_rules`, `combo_prices`, `extra_services`, or `blocks`.',
      examples: ['full_rate'],
    }),
    id: Id.nullable().meta({ description: 'Of the price, rule or block; null for a field.' }),
    was: z.unknown().meta({
      description:
        'As the record was; null where it did not exist, and for `wifi_name`, `wifi_password` and `door_code`.',
    }),
    now: z.unknown().meta({ description: 'As it is since; null where it was removed, and likewise.' }),
  })
  .meta({ id: 'FieldChange' });

const ListingChangeActor = z
  .object({
    kind: z.enum(['host', 'system']).meta({ description: 'host: a member of the team, or platform staff.' }),
    id: Id.nullable().meta({ description: 'The user.' }),
    name: z.string().nullable().meta({ description: 'As the account has it now; null for the system.' }),
  })
  .meta({ id: 'ListingChangeActor' });

const ListingChange = z
  .object({
    id: Id,
    changed_at: Instant,
    who: ListingChangeActor,
    changes: z.array(FieldChange),
  })
  .meta({ id: 'ListingChange' });

export const ListingChanges = z
  .object({ items: z.array(ListingChange), next_cursor: z.string().nullable() })
  .meta({ id: 'ListingChanges' });
export type ListingChanges = z.infer<typeof ListingChanges>;

export const listingChangesQuery = z.strictObject({
  limit: pagingFields.limit,
  cursor: pagingFields.cursor,
});
export type ListingChangesQuery = z.infer<typeof listingChangesQuery>;

export const listingChangesExample = {
  items: [
    {
      id: 369_435_906_933_301,
      changed_at: '2027-01-20T02:15:00.000Z',
      who: { kind: 'host' as const, id: exampleIds.host, name: 'Trần Văn Bình' },
      changes: [{ field: 'full_rate', id: null, was: 900_000, now: 1_000_000 }],
    },
  ],
  next_cursor: null,
};
