import { addDays } from '../../../../shared/platform/time/time.ts';
import type { Actor } from './actor.ts';

type Look = (guest: Actor, listing: number, from: string) => Promise<unknown>;

const availability = '/listing-availability/listings';
const compact = (date: string): string => `${date}T0000`;

/** What anyone can read or change of the own account. */
const looks: readonly Look[] = [
  (guest) => guest.get('listCatalogs', '/catalogs'),
  (guest) => guest.get('listAmenities', '/amenities'),
  (guest) => guest.get('listListings', '/listings', { limit: 20 }),
  (guest, id) => guest.get('listListingAmenities', `/listings/${id}/amenities`),
  (guest, id) => guest.get('listReviews', `/listings/${id}/reviews`),
  (guest, id) => guest.get('getPolicies', `/listings/${id}/policies`),
  (guest, id) => guest.get('listParkingRules', `/listings/${id}/parking-rules`),
  (guest, id) => guest.get('listPricingRules', `/listing-pricing-rules/listings/${id}`),
  (guest, id, from) => {
    const stay = { check_in_date: from, check_out_date: addDays(from, 2), guest_number: 3 };
    return guest.inquire('previewPrice', '/listing-pricing-rules/preview', { listing_id: id, ...stay });
  },
  (guest, id, from) =>
    guest.get('readMonth', `${availability}/${id}/calendar`, {
      year: Number(from.slice(0, 4)),
      month: Number(from.slice(5, 7)),
    }),
  (guest, id, from) =>
    guest.get('readRange', `${availability}/${id}`, { start_date: from, end_date: addDays(from, 7) }),
  (guest, id, from) =>
    guest.get('listUnavailableHours', `${availability}/${id}/calendars/unavailable`, {
      start_time: compact(from),
      end_time: compact(addDays(from, 3)),
    }),
  (guest, id, from) =>
    guest.get('readAvailability', `/listings/${id}/availability`, {
      start_date: from,
      end_date: addDays(from, 7),
    }),
  (guest) => guest.get('getMe', '/auth/me'),
  (guest) => guest.patch('updateMe', '/auth/me', { language: guest.town.sim.pick(['vi', 'en']) }),
  async (guest) => {
    await guest.post('logOut', '/auth/logout');
    guest.who.token = nextToken(guest.who.token!);
  },
];

/** Another token of the same person. */
const nextToken = (token: string): string => {
  const [subject = '', number = '0'] = token.split('~');
  return `${subject}~${Number(number) + 1}`;
};

/** Looks at something of a home, or of the own account. */
export const browse = async (guest: Actor): Promise<void> => {
  const { sim, homes } = guest.town;
  await sim.pick(looks)(guest, sim.pick(homes).id, sim.pick(guest.town.week()));
};
