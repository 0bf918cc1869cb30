import type { ListingCalendar } from '@nightlatch/client';
import { say, sayDate, sayLocal } from '../words/index.ts';
import { addDays, type FreeStay, freeHomes, nearestFree, takersOf, type Wanted } from './free.ts';
import { useHomesAt } from './homes-at.ts';
import { joined } from './homes.ts';
import { labelOf } from './label.ts';

/** Whose dates or home are taken instead. */
type Choose = (stay: FreeStay) => void;

interface TakenProps {
  wanted: Wanted;
  onChoose: Choose;
}

/** Says what takes the time of a stay, and offers what is free: near it in the same home, and other homes on its dates. */
export const Taken = ({ wanted, onChoose }: TakenProps) => {
  const { check_in_date, check_out_date } = wanted;
  const before = useHomesAt(addDays(check_in_date, -14));
  const at = useHomesAt(check_in_date);
  const after = useHomesAt(addDays(check_out_date, 14));
  const homes = joined(joined(before.data, at.data), after.data);
  return (
    <>
      <div role="alert">
        <p>{say('LISTING_NOT_AVAILABLE')}</p>
        <Takers {...{ wanted, homes }} />
      </div>
      <FreeInstead stays={nearestFree(wanted, homes)} onChoose={onChoose} />
      <OtherHomes {...{ wanted, homes, onChoose }} />
    </>
  );
};

type FoundProps = Pick<TakenProps, 'wanted'> & { homes: readonly ListingCalendar[] };

const Takers = ({ wanted, homes }: FoundProps) => {
  const nameOf = (id: number) => homes.find(({ listing_id }) => listing_id === id)?.listing_name;
  const zone = homes.find(({ listing_id }) => listing_id === wanted.listing_id)?.timezone;
  return (
    <ul>
      {takersOf(wanted, homes).map((entry) => (
        <li key={entry.start_at}>
          {labelOf(entry, nameOf)}: {sayLocal(entry.start_at, zone)} – {sayLocal(entry.end_at, zone)}
        </li>
      ))}
    </ul>
  );
};

/** Stays that are possible: each takes the place of what was asked for. */
export const FreeInstead = ({ stays, onChoose }: { stays: readonly FreeStay[]; onChoose: Choose }) =>
  stays.length === 0 ? null : (
    <div class="actions">
      <p>{say('freeInstead')}</p>
      {stays.map((stay) => (
        <button key={stay.check_in_date} type="button" onClick={() => onChoose(stay)}>
          {sayDate(stay.check_in_date)} – {sayDate(stay.check_out_date)}
        </button>
      ))}
    </div>
  );

const OtherHomes = ({ wanted, homes, onChoose }: FoundProps & { onChoose: Choose }) => {
  const { check_in_date, check_out_date } = wanted;
  const free = freeHomes(wanted, homes);
  return free.length === 0 ? null : (
    <div class="actions">
      <p>{say('freeHomes')}</p>
      {free.map(({ listing_id, listing_name }) => (
        <button
          key={listing_id}
          type="button"
          onClick={() => onChoose({ listing_id, check_in_date, check_out_date })}
        >
          {listing_name}
        </button>
      ))}
    </div>
  );
};
