import * as z from 'zod';
import { pagingFields } from '../../platform/schema/schema.ts';
import { ListingState } from './listing-state.schema.ts';

/** Which listings a list has. */
export const ListingQuery = z.strictObject({
  ...pagingFields,
  search: z
    .string()
    .max(255)
    .optional()
    .meta({ description: 'Part of the name; diacritics and case do not matter.', examples: ['da lat'] }),
  state: ListingState.optional().meta({
    description: 'For hosts; absent: every state but ARCHIVED. All other callers see ACTIVE ones alone.',
  }),
  status: ListingState.optional().meta({ description: 'Another name of `state`.' }),
  province_code: z
    .string()
    .trim()
    .min(1)
    .max(32)
    .optional()
    .meta({ examples: ['LD'] }),
});
export type ListingQuery = z.infer<typeof ListingQuery>;
