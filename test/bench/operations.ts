import { randomUUID } from 'node:crypto';
import { addDays } from '../../shared/platform/time/time.ts';
import { centreOf, drawn, homesPerCity, type Stay } from './homes.ts';

/** A request of the API. */
interface ApiRequest {
  group: string;
  method: 'GET' | 'POST';
  /** As in the row of the route. */
  resource: string;
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: object;
}

export const operationNames = ['confirm', 'preview', 'availability', 'search'] as const;
export type Operation = (typeof operationNames)[number];

/** What an operation asks for: a stay of a listing, or a search in a city. */
interface Question extends Stay {
  /** The number of the listing. */
  number: number;
}

const item = (listing_id: number, { check_in_date, check_out_date }: Stay) => ({
  ...{ listing_id, check_in_date, check_out_date, guest_number: 1 },
});

/** The dates of a search: a weekend within the time that the seed has booked, so that some listings are taken. */
export const searchOf = (question: Question, today: string) => {
  const { latitude, longitude } = centreOf(Math.floor(question.number / homesPerCity));
  const check_in = addDays(today, 3 + Math.floor(drawn(question.number, 21) * 60));
  return { latitude, longitude, check_in, check_out: addDays(check_in, 3), guests: 2 };
};

/** Returns the request for an operation; `idOf` gives the id of a listing by its number. */
export const requestOf = (
  operation: Operation,
  question: Question,
  { idOf, today }: { idOf: (number: number) => number; today: string },
): ApiRequest => {
  const id = idOf(question.number);
  switch (operation) {
    case 'confirm':
      return {
        ...{ group: 'checkout', method: 'POST', resource: '/api/v1/checkout/confirm' },
        body: { items: [item(id, question)], currency: 'VND', payment_method: 'CASH' },
      };
    case 'preview':
      return {
        ...{ group: 'checkout', method: 'POST', resource: '/api/v1/checkout/preview' },
        body: { items: [item(id, question)], currency: 'VND' },
      };
    case 'availability':
      return {
        ...{ group: 'availability', method: 'GET', resource: '/api/v1/listings/{listing_id}/availability' },
        params: { listing_id: String(id) },
        query: { start_date: addDays(today, 1), end_date: addDays(today, 31) },
      };
    case 'search': {
      const { latitude, longitude, check_in, check_out, guests } = searchOf(question, today);
      return {
        ...{ group: 'search', method: 'GET', resource: '/api/v1/search' },
        query: { location: `${latitude},${longitude}`, check_in, check_out, guests: String(guests) },
      };
    }
  }
};

export const pathOf = ({ resource, params = {} }: ApiRequest): string =>
  resource.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');

/** The headers of a request; each confirm has a key of its own. */
export const headersOf = ({ method }: ApiRequest): Record<string, string> =>
  method === 'GET'
    ? { Accept: 'application/json' }
    : { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() };
