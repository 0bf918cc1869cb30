import { addDays } from '../../../../shared/platform/time/time.ts';
import type { Home, Town } from '../town.ts';

/** A stay as a guest asks for it. */
export interface StayWish {
  listing_id: number;
  check_in_date: string;
  check_out_date: string;
  check_in_time?: string;
  check_out_time?: string;
  guest_number: number;
  extra_service_ids?: number[];
  combo_id?: number;
}

/** Mostly one home for one or two nights; sometimes several, each with dates of its own. */
export const wishOf = (town: Town): StayWish[] => {
  const { sim, homes } = town;
  const some = sim.chance(0.35) ? [sim.pick(homes), sim.pick(homes)] : [sim.pick(homes)];
  const dates = datesOf(town);
  const hasOwnDates = some.length > 1 && sim.chance(0.4);
  return [...new Set(some.filter((home) => !isExcluded(home, some)))].map((home) => {
    const stay = { listing_id: home.id, guest_number: 2, ...(hasOwnDates ? datesOf(town) : dates) };
    return home.isHourly && sim.chance(0.4) ? hoursOf(town, stay) : stay;
  });
};

const datesOf = (town: Town): Pick<StayWish, 'check_in_date' | 'check_out_date'> => {
  const { sim } = town;
  const isTonight = sim.chance(0.15);
  const first = isTonight ? town.today() : sim.pick(town.week());
  const nights = isTonight ? 1 : 1 + sim.whole(2);
  return { check_in_date: first, check_out_date: addDays(first, nights) };
};

/** Some hours of the first day. */
const hoursOf = ({ sim }: Town, stay: StayWish): StayWish => {
  const [from, hours] = [9 + sim.whole(6), 2 + sim.whole(3)];
  const time = (hour: number) => `${String(hour).padStart(2, '0')}:00:00`;
  return {
    ...stay,
    check_out_date: stay.check_in_date,
    check_in_time: time(from),
    check_out_time: time(from + hours),
  };
};

/** A house and its room exclude each other. */
const isExcluded = ({ parent }: Home, others: readonly Home[]): boolean =>
  others.some(({ id }) => id === parent);
