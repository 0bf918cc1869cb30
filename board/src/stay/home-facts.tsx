import type { CancellationTerm, ListingAmenity, StayListing } from '@nightlatch/client';
import { Facts } from '../parts/facts.tsx';
import { language, say, sayMoney, sayName, sayNights, sayTime } from './words/index.ts';

const timeOf = (time: string | null): string | null => (time === null ? null : sayTime(time));

/** What a guest may and must do. */
export const Rules = ({ home }: { home: StayListing }) => {
  const { policies, standard_check_in_time, standard_check_out_time, no_checkin_after_hour } = home;
  const may = (isAllowed: boolean): string => say(isAllowed ? 'allowed' : 'notAllowed');
  const { quiet_time_start: from, quiet_time_end: to, other_rules } = policies;
  return (
    <section>
      <h2>{say('rules')}</h2>
      <Facts
        rows={[
          [say('checkInFrom'), timeOf(standard_check_in_time ?? '14:00:00')],
          [say('noLater'), timeOf(no_checkin_after_hour)],
          [say('checkOutBy'), timeOf(standard_check_out_time ?? '12:00:00')],
          [say('selfCheckIn'), sayName(home.checkin_method)],
          [say('rule_smoking'), may(policies.smoking_allowed)],
          [say('rule_pet'), may(policies.pet_allowed)],
          [say('rule_party'), may(policies.party_allowed)],
          [say('rule_outside_food'), may(policies.outside_food_allowed)],
          [say('rule_photography'), may(policies.photography_allowed)],
          [say('rule_id_card'), policies.id_card_required ? say('required') : null],
        ]}
      />
      {from !== null && to !== null && <p>{say('quietTime', { from: sayTime(from), to: sayTime(to) })}</p>}
      {other_rules !== '' && <p class="written">{other_rules}</p>}
    </section>
  );
};

const hoursOfDays = 48;

/** What a cancellation gives, step by step. */
export const Terms = ({ terms }: { terms: readonly CancellationTerm[] }) => (
  <section>
    <h2>{say('cancelling')}</h2>
    {terms.length === 0 ? (
      <p>{say('noRefund')}</p>
    ) : (
      <ul class="points">
        {terms.map(({ until_hours_before: hours, refund_percent: percent, keep_nights: kept }) => (
          <li key={hours}>
            {hours >= hoursOfDays && hours % 24 === 0
              ? say('refundUntilDays', { percent, days: hours / 24 })
              : say('refundUntil', { percent, hours })}
            {kept > 0 && ` ${say('keepNights', { nights: sayNights(kept) })}`}
          </li>
        ))}
        {terms.at(-1)?.until_hours_before !== 0 && <li>{say('noRefundAfter')}</li>}
      </ul>
    )}
  </section>
);

/** The API says an amenity in Vietnamese and by its code, which is English. */
const amenityName = ({ amenity_name, amenity_code }: ListingAmenity): string =>
  language.value === 'vi'
    ? amenity_name
    : amenity_code.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase());

export const Amenities = ({ home: { amenity_categories, currency } }: { home: StayListing }) => {
  const all = amenity_categories.flatMap(({ amenities }) => amenities);
  if (all.length === 0) return null;
  return (
    <section>
      <h2>{say('amenities')}</h2>
      <ul class="tags">
        {all.map((one) => (
          <li key={one.amenity_id} class="chip">
            {amenityName(one)}
            {one.is_chargeable && one.price > 0 && ` (${sayMoney(one.price, currency)})`}
          </li>
        ))}
      </ul>
    </section>
  );
};
