import { beforeEach, describe, expect, it } from 'vitest';
import { notificationWorker } from '../../functions/workers/notification/index.ts';
import { cancelBooking } from '../../shared/domain/booking/cancel-booking.ts';
import { blockTime, unblockTime } from '../../shared/domain/calendar/block-time.ts';
import { createCheckout } from '../../shared/domain/checkout/create-checkout.ts';
import { readToday } from '../../shared/domain/front-desk/index.ts';
import { followCalendar } from '../../shared/domain/ical/follow-calendar.ts';
import { unfollowCalendar } from '../../shared/domain/ical/unfollow-calendar.ts';
import { archiveListing } from '../../shared/domain/listing/archive-listing.ts';
import { dueMails } from '../../shared/domain/notification/due-mail.entity.ts';
import { sendDueMails } from '../../shared/domain/notification/send-due-mails.ts';
import { put } from '../../shared/platform/table/index.ts';
import type { EventMessage } from '../../shared/platform/events/event-message.ts';
import type { Mail } from '../../shared/platform/mail/mailer.ts';
import { conflictsOf, FeedConflictsEntity, feedsOf } from '../../shared/domain/ical/ical.store.ts';
import { event, nights } from '../support/calendars.ts';
import { clearList } from '../support/due.ts';
import { bookStay, eventsOf, queueEvent } from '../support/events.ts';
import { apiUrl, importScene, url } from '../support/import-scene.ts';
import { testListing } from '../support/listings.ts';
import { testUser } from '../support/table.ts';

let s: Awaited<ReturnType<typeof importScene>>;
let sent: Mail[];
let manager: Awaited<ReturnType<typeof testUser>>;
beforeEach(async () => {
  s = await importScene();
  sent = [];
  manager = await testUser(s.deps, {
    language: 'vi',
    memberships: [{ team_id: s.team_id, role: 'MANAGER' }],
  });
  await testUser(s.deps, { memberships: [{ team_id: s.team_id, role: 'STAFF' }] });
  await clearList(s.deps.table, dueMails);
});

const mailer = { send: async (mail: Mail) => void sent.push(mail) };
const worker = () => notificationWorker(() => ({ ...s.deps, mailer }));
const alerts = async (listingId = s.listing.id) =>
  (await eventsOf(s.deps.table, `FEED#${listingId}`)).filter(({ event_type }) =>
    event_type.startsWith('calendar.'),
  );
const types = async () => (await alerts()).map(({ event_type }) => event_type);
const deliver = async (messages: readonly EventMessage[]) => {
  const told = messages.filter(({ event_type }) => event_type !== 'calendar.conflict_ended');
  for (const message of told) expect(await worker()(queueEvent(message))).toEqual({ batchItemFailures: [] });
};
const addresses = () => sent.map(({ to }) => to).sort();
const team = () => [s.owner.user.email, manager.user.email].sort();
const stay = (from: string, to: string) =>
  bookStay(s.asGuest, { listing_id: s.listing.id, check_in_date: from, check_out_date: to });
const conflicts = async () => (await readToday(s.asOwner)).conflicts;

const range = { start_at: '2027-02-05T14:00:00', end_at: '2027-02-06T12:00:00' };

describe('a conflict', () => {
  it('with a booking rings once, is listed today, and ends', async () => {
    const { booking_id } = await stay('2027-02-05', '2027-02-06');
    s.publish(nights('a', '2027-02-04', '2027-02-08'));
    const feed = await s.follow();
    expect(feed.conflicts).toEqual([{ ...range, booking_id }]);
    const [rung, ...more] = await alerts();
    expect(more).toEqual([]);
    expect(rung).toMatchObject({
      event_type: 'calendar.conflict',
      team_id: s.team_id,
      data: { id: feed.id, listing_id: s.listing.id, host: 'calendars.example.com', ...range, booking_id },
    });
    expect(await conflicts()).toEqual([
      {
        ...{ listing_id: s.listing.id, feed_id: feed.id, host: 'calendars.example.com', label: null },
        ...{ ...range, booking_id },
      },
    ]);
    for (let fetches = 0; fetches < 3; fetches++) await s.next();
    expect(await types()).toEqual(['calendar.conflict']);
    await cancelBooking(s.asGuest, booking_id);
    await s.next();
    expect(await types()).toEqual(['calendar.conflict', 'calendar.conflict_ended']);
    expect(await conflicts()).toEqual([]);
  });

  it('has the label of its calendar, also one that is given later, and rings no more for that', async () => {
    await blockTime(s.asOwner, s.listing.id, range);
    s.publish(nights('a', '2027-02-05', '2027-02-06'));
    const followAs = (label: string) =>
      followCalendar(s.asOwner, s.listing.id, { url, label }, { fetchCalendar: s.fetchCalendar, apiUrl });
    const feed = await followAs('Airbnb');
    const labels = async () => (await conflicts()).map(({ label }) => label);
    expect(await labels()).toEqual(['Airbnb']);
    await s.changeFeed(feed.id, { label: 'Airbnb Đà Lạt' });
    expect(await labels()).toEqual(['Airbnb Đà Lạt']);
    await s.next();
    expect(await labels()).toEqual(['Airbnb Đà Lạt']);
    await followAs('Vrbo');
    expect(await labels()).toEqual(['Vrbo']);
    expect(await types()).toEqual(['calendar.conflict']);
  });

  it('of a version before has no label until the calendar is given another', async () => {
    await blockTime(s.asOwner, s.listing.id, range);
    s.publish(nights('a', '2027-02-05', '2027-02-06'));
    const feed = await s.follow();
    await s.changeFeed(feed.id, { label: 'Airbnb' });
    const [listed] = await conflictsOf(s.deps.table, s.team_id);
    const { label: _, ...before } = listed!;
    await s.deps.table.put(put(FeedConflictsEntity, before));
    expect(await conflicts()).toMatchObject([{ host: 'calendars.example.com', label: null }]);
    await s.changeFeed(feed.id, { label: 'Vrbo' });
    expect(await conflicts()).toMatchObject([{ label: 'Vrbo' }]);
  });

  it('is none of a calendar that only gets a label', async () => {
    s.publish();
    const feed = await s.follow();
    await s.changeFeed(feed.id, { label: 'Airbnb' });
    expect(await conflictsOf(s.deps.table, s.team_id)).toEqual([]);
  });

  it('is mailed to each owner and manager once, in their languages', async () => {
    const { booking_id } = await stay('2027-02-05', '2027-02-06');
    s.publish(nights('a', '2027-02-05', '2027-02-06'));
    await s.follow();
    const rung = await alerts();
    await deliver([...rung, ...rung]);
    expect(addresses()).toEqual(team());
    const english = sent.find(({ to }) => to === s.owner.user.email);
    expect(english?.subject).toBe(`Calendars conflict: ${s.listing.name}`);
    for (const fact of ['calendars.example.com', '2027-02-05 14:00', '2027-02-06 12:00', String(booking_id)])
      expect(english?.text).toContain(fact);
    expect(sent.find(({ to }) => to === manager.user.email)?.subject).toMatch(/^Trùng lịch/);
  });

  it('with a block has no booking; each conflict rings by itself, and one that grows does not ring again', async () => {
    const block = await blockTime(s.asOwner, s.listing.id, range);
    await blockTime(s.asOwner, s.listing.id, {
      start_at: '2027-03-05T14:00:00',
      end_at: '2027-03-06T12:00:00',
    });
    s.publish(nights('a', '2027-02-05', '2027-02-06'));
    await s.follow();
    s.publish(nights('a', '2027-02-04', '2027-02-07'), nights('b', '2027-03-05', '2027-03-06'));
    await s.next();
    expect((await alerts()).map(({ data }) => [data['start_at'], data['booking_id']])).toEqual([
      [range.start_at, null],
      ['2027-03-05T14:00:00', null],
    ]);
    await unblockTime(s.asOwner, s.listing.id, block.id);
    await s.next();
    expect(await types()).toEqual(['calendar.conflict', 'calendar.conflict', 'calendar.conflict_ended']);
    expect(await conflicts()).toHaveLength(1);
  });

  it('with a soft lock rings once that is a booking', async () => {
    const items = [
      {
        listing_id: s.listing.id,
        check_in_date: '2027-02-05',
        check_out_date: '2027-02-06',
        guest_number: 1,
      },
    ];
    await createCheckout(s.asGuest, { items });
    s.publish(nights('a', '2027-02-05', '2027-02-06'));
    expect(await s.follow()).toMatchObject({
      status: 'CONFLICT',
      conflicts: [{ ...range, booking_id: null }],
    });
    expect(await types()).toEqual([]);
    expect(await conflicts()).toEqual([]);
    const { booking_id } = await stay('2027-02-05', '2027-02-06');
    await s.next();
    expect((await alerts()).map(({ data }) => data['booking_id'])).toEqual([booking_id]);
  });

  it('ends when the calendar is followed no more, and when the listing is archived', async () => {
    await blockTime(s.asOwner, s.listing.id, range);
    s.publish(nights('a', '2027-02-05', '2027-02-06'));
    const feed = await s.follow();
    await unfollowCalendar(s.asOwner, s.listing.id, feed.id);
    expect(await types()).toEqual(['calendar.conflict', 'calendar.conflict_ended']);
    expect(await conflicts()).toEqual([]);
    await s.follow();
    const [followed] = await feedsOf(s.deps.table, s.listing.id);
    await archiveListing(s.asOwner, s.listing.id);
    s.deps.clock.advance(600_000);
    await s.worker(queueEvent(JSON.stringify(followed)));
    expect(await types()).toHaveLength(4);
    expect(await conflicts()).toEqual([]);
  });

  it('is announced by one of two workers at once', async () => {
    s.publish();
    await s.follow();
    await blockTime(s.asOwner, s.listing.id, range);
    s.publish(nights('a', '2027-02-05', '2027-02-06'));
    s.deps.clock.advance(600_000);
    const [feed] = await feedsOf(s.deps.table, s.listing.id);
    await Promise.all(Array.from({ length: 5 }, () => s.worker(queueEvent(JSON.stringify(feed)))));
    expect(await types()).toEqual(['calendar.conflict']);
  });

  it('rings fifty times at most in one fetch', async () => {
    await blockTime(s.asOwner, s.listing.id, {
      start_at: '2027-02-01T00:00:00',
      end_at: '2027-09-01T00:00:00',
    });
    s.publish(
      ...Array.from({ length: 60 }, (_, at) =>
        event(
          `UID:${at}`,
          `DTSTART:2027${String(2 + Math.floor(at / 20)).padStart(2, '0')}${String(1 + (at % 20)).padStart(2, '0')}T080000`,
        ),
      ),
    );
    await s.follow();
    expect(await types()).toHaveLength(50);
    s.publish();
    await s.next();
    await s.follow();
    expect((await types()).filter((type) => type === 'calendar.conflict_ended')).toHaveLength(40);
    expect(await conflicts()).toEqual([]);
  });
});

describe('a quarantine', () => {
  it('rings once, and again when another begins', async () => {
    const long = nights('a', '2027-02-04', '2027-02-14');
    s.publish(long);
    await s.follow();
    s.publish();
    for (let fetches = 0; fetches < 3; fetches++) await s.next();
    const [rung, ...more] = await alerts();
    expect(more).toEqual([]);
    expect(rung).toMatchObject({ event_type: 'calendar.quarantined', data: { nights: 10 } });
    await deliver([rung!]);
    expect(addresses()).toEqual(team());
    expect(sent.find(({ to }) => to === s.owner.user.email)?.text).toContain('Nights: 10');
    s.publish(long);
    await s.next();
    s.publish();
    await s.next();
    expect(await types()).toEqual(['calendar.quarantined', 'calendar.quarantined']);
  });
});

describe('a calendar that is followed', () => {
  it('is mailed about once where events are free or understood in part', async () => {
    s.publish(
      event('UID:a', 'DTSTART;VALUE=DATE:20270204', 'TRANSP:TRANSPARENT'),
      event('UID:b', 'DTSTART;TZID=Nowhere:20270304T080000'),
    );
    const feed = await s.follow();
    expect(feed.read).toMatchObject({ events: 2, free: 1, not_understood: 1 });
    await s.follow();
    await s.next();
    const rung = await alerts();
    expect(rung.map(({ event_type }) => event_type)).toEqual(['calendar.read_in_part']);
    await deliver(rung);
    expect(addresses()).toEqual(team());
    for (const problem of feed.problems)
      expect(sent.find(({ to }) => to === s.owner.user.email)?.text).toContain(problem);
  });

  it('is not where all of it is taken', async () => {
    s.publish(nights('a', '2027-02-04', '2027-02-05'));
    await s.follow();
    expect(await types()).toEqual([]);
  });
});

describe('calendars that cannot be read for hours', () => {
  const urlOf = (name: string, host = 'calendars.example.com') => `https://${host}/${name}.ics`;
  const outage = async (...addressesOf: string[]) => {
    const listings = [];
    for (const address of addressesOf) {
      const listing = await testListing(s.deps, { team_id: s.team_id });
      await followCalendar(
        s.asOwner,
        listing.id,
        { url: address },
        { fetchCalendar: s.fetchCalendar, apiUrl },
      );
      listings.push(listing);
    }
    s.remote.silent = true;
    const stale: EventMessage[] = [];
    for (let minutes = 0; minutes <= 200; minutes += 40) {
      s.deps.clock.advance(40 * 60_000);
      for (const listing of listings) await lookAt(listing.id);
    }
    for (const listing of listings) stale.push(...(await alerts(listing.id)));
    return { listings, stale };
  };
  const lookAt = async (listingId: number) => {
    for (const { listing_id, url_hash } of await feedsOf(s.deps.table, listingId))
      await s.worker(queueEvent(JSON.stringify({ listing_id, url_hash })));
  };
  const due = () => sendDueMails({ ...s.deps, mailer });

  it('are gathered for ten minutes into one mail for each platform', async () => {
    const { listings, stale } = await outage(urlOf('a'), urlOf('b'), urlOf('c', 'other.example.com'));
    expect(stale.map(({ event_type }) => event_type)).toEqual(Array(3).fill('calendar.stale'));
    await deliver([stale[0]!, stale[2]!]);
    s.deps.clock.advance(9 * 60_000);
    await deliver([stale[1]!, stale[0]!]);
    await due();
    expect(sent).toEqual([]);
    s.deps.clock.advance(60_000);
    await Promise.all([due(), due(), due()]);
    await due();
    const english = sent.filter(({ to }) => to === s.owner.user.email);
    expect(english.map(({ subject }) => subject).sort()).toEqual([
      'Calendars are out of date: calendars.example.com',
      'Calendars are out of date: other.example.com',
    ]);
    expect(sent).toHaveLength(4);
    const [first] = english.filter(({ subject }) => subject.endsWith('calendars.example.com'));
    for (const { name } of listings.slice(0, 2)) expect(first?.text).toContain(name);
    expect(first?.text).toContain('did not answer within 10 seconds');
  });

  it('are left out once they are read again', async () => {
    const { listings, stale } = await outage(urlOf('a'));
    await deliver(stale);
    s.remote.silent = false;
    s.deps.clock.advance(40 * 60_000);
    await lookAt(listings[0]!.id);
    await due();
    expect(sent).toEqual([]);
  });

  it('begin another mail where their message comes after the first', async () => {
    const { stale } = await outage(urlOf('a'), urlOf('b'));
    await deliver([stale[0]!]);
    s.deps.clock.advance(10 * 60_000);
    await due();
    await deliver([stale[1]!]);
    s.deps.clock.advance(10 * 60_000);
    await due();
    expect(addresses()).toEqual([...team(), ...team()].sort());
  });

  it('are all in the mail where twenty workers gather them at once', async () => {
    const { stale } = await outage(...Array.from({ length: 8 }, (_, at) => urlOf(`x${at}`)));
    await Promise.all([...stale, ...stale].map((message) => worker()(queueEvent(message))));
    s.deps.clock.advance(10 * 60_000);
    await due();
    const [mail] = sent.filter(({ to }) => to === s.owner.user.email);
    expect(mail?.text.match(/Last good fetch/g)).toHaveLength(8);
    expect(sent).toHaveLength(2);
  });
});
