import { beforeEach, describe, expect, it } from 'vitest';
import { eventsOf } from '../support/events.ts';
import { adoption, platformScene, sold } from '../support/platform-scene.ts';

let s: Awaited<ReturnType<typeof platformScene>>;
beforeEach(async () => {
  s = await platformScene();
});

const a = sold('a', '2027-02-04', '2027-02-07', 'Reserved - Maria');
const b = sold('b', '2027-03-01', '2027-03-03');

/** Follows a calendar with these events and adopts its first stay. */
const adopted = async (...events: string[][]): Promise<number> => {
  s.publish(...(events.length > 0 ? events : [a, b]));
  await s.followAs({ label: 'Airbnb', commission_rate: 0.15 });
  return s.adopt({ external_booking_id: 'HMABC', note: 'Late', guest_number: 2 });
};
const historyOf = async (id: number) => {
  const { items } = await s.desk.ok(s.host, 'listBookingHistory', { params: { booking_id: id } });
  return items.map(({ action }) => action);
};
const free = async (from: string, to: string): Promise<boolean> => {
  const { code } = await s.sales.refusal(s.host, 'bookForGuest', {
    body: { items: [{ listing_id: s.listing.id, check_in_date: from, check_out_date: to, guest_number: 1 }], payment_method: 'CASH', expected_total: 1, guest_info: { full_name: 'A B', phone: '+84912345678', email: 'a@example.com' } },
  });
  return code !== 'LISTING_NOT_AVAILABLE';
};

describe('adoption', () => {
  it('x', async () => {
    const id = await adopted();
    const booking = await s.booking(id);
    console.log(JSON.stringify(booking, null, 1));
    console.log(await historyOf(id), await s.blocks());
    console.log(JSON.stringify(await s.today()));
    s.publish(sold('a', '2027-02-05', '2027-02-09'), b);
    console.log(JSON.stringify(await s.next()));
    console.log(await historyOf(id), await s.blocks(), (await s.booking(id)).check_in);
    s.publish(b);
    await s.next();
    console.log(await historyOf(id));
    await s.next();
    console.log(await historyOf(id), await s.blocks(), await free('2027-02-05', '2027-02-09'));
    console.log(JSON.stringify(await s.desk.ok(s.host, 'getFolio', { params: { booking_id: id } })));
  });
});
