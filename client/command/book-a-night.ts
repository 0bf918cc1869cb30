import { type Booking, NightlatchError, type PartnerClient } from '@nightlatch/client';

const dayMs = 86_400_000;
const nightsTried = 5;

const dateIn = (days: number): string =>
  new Date(performance.timeOrigin + performance.now() + days * dayMs).toISOString().slice(0, 10);
const dayAfter = (date: string): string => new Date(Date.parse(date) + dayMs).toISOString().slice(0, 10);

/** Books the first free night from 30 days ahead on, in any listing of the key. */
export const bookANight = async (
  client: PartnerClient,
  paymentMethod: 'CASH' | 'ONLINE_GATEWAY' = 'CASH',
): Promise<Booking> => {
  let refusal: unknown = new Error('The teams of the key have no listing with a free night.');
  for await (const { id, instant_book_enabled } of client.listExternalListings({ limit: 50 })) {
    if (!instant_book_enabled) continue;
    for (const night of await freeNights(client, id)) {
      try {
        return await client.createExternalBooking({
          listing_id: id,
          check_in_date: night,
          check_out_date: dayAfter(night),
          nights: 1,
          guest_number: 1,
          payment_method: paymentMethod,
          guest_info: { full_name: 'Trigger Test', phone: '+84 900 000 000', email: 'trigger@example.com' },
        });
      } catch (error) {
        if (!isAboutTheStay(error)) throw error;
        refusal = error;
      }
    }
  }
  throw refusal;
};

const freeNights = async (client: PartnerClient, listingId: number): Promise<string[]> => {
  const calendar = await client.readExternalAvailability({
    listing_id: listingId,
    start_date: dateIn(30),
    end_date: dateIn(330),
  });
  const free =
    calendar.granularity === 'day'
      ? calendar.items.filter((night) => night.can_arrive && night.min_nights === 1)
      : [];
  return free.slice(0, nightsTried).map(({ date }) => date);
};

/** Another night may be accepted: this one was taken meanwhile, or is too short a stay. */
const isAboutTheStay = (error: unknown): boolean =>
  error instanceof NightlatchError && ['LISTING_NOT_AVAILABLE', 'VALIDATION_ERROR'].includes(error.code);
