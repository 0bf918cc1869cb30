import { addDays } from '../../shared/platform/time/time.ts';

/** A listing of the bench; ours and that of the baseline are the same. */
export interface Home {
  name: string;
  address: string;
  city: number;
  latitude: number;
  longitude: number;
  capacity: number;
  /** In VND. */
  full_rate: number;
  weekend_rate: number;
}

export interface Stay {
  check_in_date: string;
  check_out_date: string;
}

export const homesPerCity = 1000;
const maxCapacity = 8;
const kinds = ['Biệt thự', 'Căn hộ', 'Nhà phố', 'Nhà gỗ', 'Phòng đôi'];
const marks = ['Hoa Sen', 'Mai Vàng', 'An Nhiên', 'Gió Biển', 'Bình Minh', 'Trăng Non', 'Cỏ May', 'Mộc Lan'];
/** Degrees from the centre of a city to its edge, about 13 km. */
const cityEdge = 0.12;

/** Returns the centre of a city; cities are 200 km apart or more. */
export const centreOf = (city: number): { latitude: number; longitude: number } => ({
  latitude: 2 * Math.floor(city / 20) - 10,
  longitude: 95 + 2 * (city % 20),
});

/** Returns a number from 0 to 1 that always is the same for the same numbers. */
export const drawn = (...seeds: readonly number[]): number => {
  let state = 0x9e3779b9;
  for (const seed of seeds) {
    state = Math.imul(state ^ seed, 0x85ebca6b);
    state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
    state ^= state >>> 16;
  }
  return (state >>> 0) / 4_294_967_296;
};

const below = (most: number, ...seeds: readonly number[]): number => Math.floor(drawn(...seeds) * most);

/** Returns the listing with a number; they fill one city after the other. */
export const homeOf = (number: number): Home => {
  const city = Math.floor(number / homesPerCity);
  const centre = centreOf(city);
  const full_rate = 10_000 * (40 + below(300, number, 1));
  return {
    name: `${kinds[below(kinds.length, number, 2)] ?? ''} ${marks[below(marks.length, number, 3)] ?? ''} ${number % homesPerCity}`,
    address: `${1 + below(200, number, 4)} Bạch Đằng, Thành phố ${city}`,
    city,
    latitude: Number((centre.latitude + (drawn(number, 5) * 2 - 1) * cityEdge).toFixed(5)),
    longitude: Number((centre.longitude + (drawn(number, 6) * 2 - 1) * cityEdge).toFixed(5)),
    capacity: 1 + below(maxCapacity, number, 7),
    full_rate,
    weekend_rate: Math.round(full_rate * 1.25),
  };
};

/** The first night that is seeded, in days from today. */
const firstDay = 3;
/** Each stay of the seed is in a stretch of its own. */
const stretchDays = 14;

/** Returns the stays of a listing before the bench: 2 to 4 nights in each fortnight from the third day on. */
export const seededStays = (number: number, count: number, today: string): Stay[] =>
  Array.from({ length: count }, (_, at) => {
    const check_in_date = addDays(today, firstDay + at * stretchDays + below(8, number, at, 8));
    return { check_in_date, check_out_date: addDays(check_in_date, 2 + below(3, number, at, 9)) };
  });

/** Stays that the bench books begin after those of the seed. */
const bookedFrom = (stays: number): number => firstDay + stays * stretchDays + 7;
/** A stay can be booked this many days ahead. */
const bookableDays = 700;
const nightsBooked = 3;

/**
 * Returns the stays that the bench asks for, none of them twice: 3 nights, one listing after the other, and only then the next
 * nights.
 */
export const newStays = (listings: number, seeded: number, today: string) => {
  const from = bookedFrom(seeded);
  const nightsOf = Math.floor((bookableDays - from) / nightsBooked);
  let next = 0;
  return (): Stay & { number: number } => {
    const number = next % listings;
    const turn = Math.floor(next / listings);
    next++;
    if (turn >= nightsOf) throw new Error('Every night of the bench is booked: seed more listings.');
    // Successive turns are in different months.
    const check_in_date = addDays(today, from + nightsBooked * ((turn * 11) % nightsOf));
    return { number, check_in_date, check_out_date: addDays(check_in_date, nightsBooked) };
  };
};
