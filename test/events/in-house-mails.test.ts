import { beforeEach, describe, expect, it } from 'vitest';
import { markPaid, moveBooking, releaseAccess } from '../../shared/domain/booking/index.ts';
import { changeBooking } from '../../shared/domain/checkout/index.ts';
import { dueMails } from '../../shared/domain/notification/due-mail.entity.ts';
import { clearList } from '../support/due.ts';
import { testListing } from '../support/listings.ts';
import { mailScene } from '../support/mail-scene.ts';
import { testTable } from '../support/table.ts';

beforeEach(async () => clearList(await testTable(), dueMails));

const minute = 60_000;
const arrival = '2027-02-04T08:00:00.000Z';
const otherCode = 'gate: 9999#';

/** A guest in house, with every mail so far sent; `isPaid` or not. */
const inHouse = async ({ isPaid = true } = {}) => {
  const s = await mailScene({ guest: 'en', host: 'vi', account: true });
  const given = { team_id: s.team_id, name: 'Garden room', address: '9 Trần Phú' };
  const other = await testListing(s.deps, { ...given, door_code: { gate: '9999#' } });
  const id = await s.book();
  await s.deliver(id, 'booking.created');
  if (isPaid) await markPaid(s.asOwner, id);
  s.deps.clock.set('2027-02-03T07:00:00.000Z');
  await s.due();
  s.deps.clock.set(arrival);
  await moveBooking(s.asOwner, id, 'check_in');
  s.sent.length = 0;
  /** Moves the guest to the other room as the documentation says. */
  const toOtherRoom = async ({ between = async () => {} }: { between?: () => Promise<unknown> } = {}) => {
    s.deps.clock.advance(minute);
    await moveBooking(s.asOwner, id, 'undo_check_in');
    await changeBooking(s.asOwner, id, { listing_id: other.id, price: 'KEEP' });
    await between();
    await moveBooking(s.asOwner, id, 'check_in');
  };
  const later = async (minutes = 6) => {
    s.deps.clock.advance(minutes * minute);
    return s.due();
  };
  const coded = () => s.sent.filter(({ text }) => text.includes('#'));
  return { s, id, other, toOtherRoom, later, coded };
};
type Scene = Awaited<ReturnType<typeof inHouse>>;

const expectOne = ({ s, coded }: Scene, code = otherCode): void => {
  expect(coded()).toHaveLength(1);
  const [mail] = coded();
  expect(mail!.to).toBe(s.guest.user.email);
  expect(mail!.text).toContain(code);
};

describe('a guest in house who is moved to another room', () => {
  it.each([
    ['whose event comes after the check-in', 'after'],
    ['whose event comes before it, and the run after it', 'before'],
    ['whose event and run come before it', 'both before'],
  ] as const)('%s, gets its address and code once', async (_, when) => {
    const scene = await inHouse();
    const { s, id, later, toOtherRoom } = scene;
    const changed = () => s.deliver(id, 'booking.changed');
    await toOtherRoom({
      between: async () => {
        if (when !== 'after') await changed();
        if (when === 'both before') await s.due();
      },
    });
    if (when === 'after') await changed();
    await later();
    expectOne(scene);
    expect(scene.coded()[0]!.text).toContain('9 Trần Phú');
    // Late and repeated: the event, and runs at once.
    await changed();
    await Promise.all([s.due(), s.due()]);
    await later(60);
    await changed();
    await later();
    expectOne(scene);
  });

  it('gets the mail at once, though the stay is not paid', async () => {
    const scene = await inHouse({ isPaid: false });
    await scene.toOtherRoom();
    await scene.s.deliver(scene.id, 'booking.changed');
    await scene.later();
    expectOne(scene);
    expect(scene.coded()[0]!.subject).toBe('Wi-Fi and door code: Garden room');
  });

  it('gets it in one mail where the host releases it too', async () => {
    const scene = await inHouse();
    const { s, id } = scene;
    await scene.toOtherRoom();
    await releaseAccess(s.asOwner, id);
    for (const type of ['booking.changed', 'booking.access_released'] as const) await s.deliver(id, type);
    await scene.later();
    await s.deliver(id, 'booking.access_released');
    expectOne(scene);
  });

  it('gets none of a home without a code', async () => {
    const scene = await inHouse();
    const bare = await testListing(scene.s.deps, { team_id: scene.s.team_id, name: 'Attic' });
    await moveBooking(scene.s.asOwner, scene.id, 'undo_check_in');
    await changeBooking(scene.s.asOwner, scene.id, { listing_id: bare.id, price: 'KEEP' });
    await moveBooking(scene.s.asOwner, scene.id, 'check_in');
    await scene.s.deliver(scene.id, 'booking.changed');
    scene.s.sent.length = 0;
    await scene.later();
    expect(scene.s.sent).toEqual([]);
  });

  it('gets none when the stay is over', async () => {
    for (const isOut of [true, false]) {
      const scene = await inHouse();
      const { s, id } = scene;
      await scene.toOtherRoom();
      await releaseAccess(s.asOwner, id);
      if (!isOut) await s.deliver(id, 'booking.changed');
      if (isOut) await moveBooking(s.asOwner, id, 'check_out');
      else s.deps.clock.set('2027-02-07T05:00:00.000Z');
      for (const type of ['booking.changed', 'booking.access_released'] as const) await s.deliver(id, type);
      await scene.later();
      expect(scene.coded()).toEqual([]);
      expect(s.sent.filter(({ subject }) => subject.startsWith('Wi-Fi'))).toEqual([]);
    }
  });
});

describe('a guest in house', () => {
  it('gets no code again for a longer stay', async () => {
    const { s, id, later, coded } = await inHouse();
    await changeBooking(s.asOwner, id, { check_out_date: '2027-02-08' });
    await s.deliver(id, 'booking.changed');
    await later();
    expect(coded()).toEqual([]);
  });

  it('gets the code when the host releases it, once', async () => {
    const scene = await inHouse({ isPaid: false });
    for (let time = 0; time < 2; time++) {
      await releaseAccess(scene.s.asOwner, scene.id);
      await scene.s.deliver(scene.id, 'booking.access_released');
    }
    expectOne(scene, 'gate: 4711#');
    const released = (await scene.s.events(scene.id)).filter(
      ({ event_type }) => event_type === 'booking.access_released',
    );
    expect(released).toHaveLength(1);
  });

  it('who was booked and checked in at the desk at once gets the code', async () => {
    const s = await mailScene({ guest: 'en', host: 'vi', account: true });
    s.deps.clock.set(arrival);
    const id = await s.book();
    await moveBooking(s.asOwner, id, 'check_in');
    await s.deliver(id, 'booking.created');
    await s.due();
    expect(s.sent.filter(({ text }) => text.includes('4711#')).map(({ to }) => to)).toEqual([
      s.guest.user.email,
    ]);
  });
});
