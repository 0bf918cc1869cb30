import { randomUUID } from 'node:crypto';
import { addDays } from '../../shared/platform/time/time.ts';
import { drawn, newStays } from './homes.ts';
import type { Wire } from './load.ts';
import { headersOf, type Operation, pathOf, requestOf, searchOf } from './operations.ts';

export interface Scene {
  listings: number;
  stays: number;
  today: string;
}

/**
 * Returns the questions of an operation: the same ones in the same order for each service. A confirm asks for nights that
 * nothing else has asked for; the others for any listing.
 */
const questionsOf = (operation: Operation, { listings, stays, today }: Scene) => {
  const free = newStays(listings, stays, today);
  let asked = 0;
  return () => {
    if (operation === 'confirm') return free();
    const number = Math.floor(drawn(asked++, 31) * listings);
    return { ...freeNights(stays, today), number };
  };
};

/** Nights after all that is seeded, of which a preview asks the price. */
const freeNights = (stays: number, today: string) => {
  const { check_in_date, check_out_date } = newStays(1, stays, addDays(today, 3))();
  return { check_in_date, check_out_date };
};

/** Returns the requests of an operation to our service. */
export const ourRequests = (operation: Operation, scene: Scene, ids: readonly number[]): (() => Wire) => {
  const next = questionsOf(operation, scene);
  return () => {
    const request = requestOf(operation, next(), { idOf: (number) => ids[number] ?? 0, today: scene.today });
    const query = request.query ? `?${new URLSearchParams(request.query).toString()}` : '';
    return {
      method: request.method,
      path: pathOf(request) + query,
      headers: { ...headersOf(request), Authorization: 'Bearer bench' },
      ...(request.body ? { body: JSON.stringify(request.body) } : {}),
    };
  };
};

/** Returns the requests of an operation to the baseline, where the id of a listing is its number plus one. */
export const baselineRequests = (operation: Operation, scene: Scene): (() => Wire) => {
  const next = questionsOf(operation, scene);
  const headers = { Authorization: 'Bearer bench', Accept: 'application/json' };
  return () => {
    const { number, check_in_date, check_out_date } = next();
    const stay = { listing_id: number + 1, check_in_date, check_out_date, guest_number: 1 };
    const post = { method: 'POST' as const, body: JSON.stringify(stay) };
    const json = { ...headers, 'Content-Type': 'application/json' };
    switch (operation) {
      case 'confirm':
        return { ...post, path: '/stays', headers: { ...json, 'Idempotency-Key': randomUUID() } };
      case 'preview':
        return { ...post, path: '/quotes', headers: json };
      case 'availability': {
        const dates = { start_date: addDays(scene.today, 1), end_date: addDays(scene.today, 31) };
        const query = new URLSearchParams(dates).toString();
        return { method: 'GET', path: `/listings/${number + 1}/availability?${query}`, headers };
      }
      case 'search': {
        const { latitude, longitude, ...dates } = searchOf(
          { number, check_in_date, check_out_date },
          scene.today,
        );
        const query = { location: `${latitude},${longitude}`, ...dates, guests: String(dates.guests) };
        return { method: 'GET', path: `/search?${new URLSearchParams(query).toString()}`, headers };
      }
    }
  };
};
