import { payableMethods } from '../payment/model.ts';
import type { Team } from '../people/model.ts';
import type { ListingCreate } from './listing-input.schema.ts';
import type { Listing } from './listing.entity.ts';

/** What a new listing has where neither its host nor the team says otherwise. */
const ofAll = {
  standard_check_in_time: null,
  standard_check_out_time: null,
  currency: 'VND',
  payment_methods: [...payableMethods],
  refund_rule: '',
  cancellation_terms: null,
};
type Defaulted = Pick<Listing, keyof typeof ofAll>;

const prefix = 'default_';

const defaultsOf = (team: Team): Partial<Defaulted> =>
  Object.fromEntries(
    Object.entries(team).flatMap(([name, value]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [],
    ),
  );

/**
 * Returns a new listing with what its host left out: the team's defaults, else those of every listing (D124). Terms are a text or
 * steps, so the one that the host gives leaves no room for the team's other.
 */
export const withTeamDefaults = <Input extends ListingCreate>(
  input: Input,
  team: Team | undefined,
): Input & Defaulted => ({
  ...ofAll,
  ...(team && defaultsOf(team)),
  ...(input.refund_rule === undefined ? {} : { cancellation_terms: null }),
  ...(input.cancellation_terms ? { refund_rule: '' } : {}),
  // JSON has no undefined: a field that is present has a value.
  ...(input as Input & Defaulted),
});
