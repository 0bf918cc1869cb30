import { describe, expect, it } from 'vitest';
import { unreached, unsuccessful } from './coverage.ts';
import type { Sent } from './client.ts';
import { announcementProblems } from './judge/announcements.ts';
import { linkProblems } from './judge/links.ts';
import { mailProblems, webhookProblems } from './judge/messages.ts';
import type { SentMail } from './post.ts';
import { pageProblems } from './judge/pages.ts';
import { countMove } from './moves.ts';

const page = (number: number, closed_at: number | null) => ({
  ...{ pk: 'TEAM#1#EVENTS', sk: `PAGE#${number}` },
  ...{ entity: 'EventPage', team_id: 1, number, closed_at },
});

const event = (event_type: string, id: number) => ({
  ...{ pk: `ORDER#${id}`, sk: `EVENT#${event_type}`, entity: 'Event', event_type },
  data: { id, master_reservation_id: 16 },
});

const stay = { pk: 'ORDER#16', sk: 'RESERVATION#17', entity: 'Reservation', reservation_id: 17 };
const refund = {
  ...{ pk: 'ORDER#16', sk: 'REFUND#cancel-17', entity: 'PaymentRefund', payment_id: 16 },
  ...{ state: 'DONE', reservation_ids: [17] },
};

const sent = (verb: string, at: number, status: number, who: object, more: object): Sent =>
  ({
    ...{
      who,
      begin: at,
      end: at + 1,
      since: at,
      by: at + 1,
      request: { verb, path: '/bookings/17/x', ...more },
    },
    reply: { status, json: { id: 17, guest_url: verb === 'getBooking' ? 'https://g#new' : null } },
  }) as unknown as Sent;
const rotation = (at: number, key: string) => sent('rotateGuestLink', at, 200, { name: 'host' }, { key });
const byLink = (at: number, status: number) =>
  sent('getGuestBooking', at, status, { name: 'link', link: 'new', stay: 17 }, {});

describe('the judge of the service simulation', () => {
  it('accepts pages of which the last alone is open, and no others', () => {
    expect(pageProblems([page(1, 5), page(2, 6), page(3, null)], 7)).toEqual([]);
    expect(pageProblems([page(1, null), page(2, null)], 7)).toEqual(['page 1 of team 1 is open']);
    expect(pageProblems([page(1, 5), page(2, 6)], 7)).toEqual(['page 2 of team 1 is closed']);
    expect(pageProblems([page(1, 5), page(3, null)], 7)).toEqual(['team 1 has 2 pages up to 3']);
  });

  it('knows that a rotation that is repeated with its key replaces no other link', () => {
    const shown = sent('getBooking', 3, 200, { name: 'host' }, {});
    const used = byLink(9, 200);
    expect(linkProblems({ sent: [rotation(1, 'k'), shown, rotation(5, 'k'), used] }, [], [])).toEqual([]);
    expect(linkProblems({ sent: [rotation(1, 'k'), shown, rotation(5, 'l'), used] }, [], [])).toHaveLength(1);
  });

  it('knows the link of a mail until it is replaced, and that a mail may have been written before', () => {
    const text = 'See the booking: https://x.example/g#new\n\nBooking: 17';
    const mail = (at: number) => ({ text, at }) as SentMail;
    const judged = (used: Sent, at = 1) => linkProblems({ sent: [rotation(5, 'k'), used] }, [], [mail(at)]);
    expect([judged(byLink(9, 404)), judged(byLink(3, 200)), judged(byLink(9, 404), 7)]).toEqual([[], [], []]);
    expect([judged(byLink(9, 200)), judged(byLink(3, 404))].map(({ length }) => length)).toEqual([1, 1]);
  });

  it('accepts that pages have expired in any order', () => {
    const now = 31 * 86_400_000;
    const pages = (closed_at: number) => [page(1, 5), page(3, closed_at), page(4, null)];
    expect(pageProblems(pages(6), now)).toEqual([]);
    const gap = [page(1, now - 2), page(3, now - 1), page(4, null)];
    expect(pageProblems(gap, now)).toEqual(['team 1 has 3 pages up to 4']);
  });

  it('wants a delivery of each event, until it may have expired', () => {
    const now = Date.parse('2027-02-14T10:00:00.000Z');
    const items = (occurred_at: string) => [
      { ...event('booking.created', 17), id: 'evt_1', team_id: 1, occurred_at },
    ];
    const hook = {
      id: 2,
      url: 'https://partner.example.com',
      types: ['booking.created'],
      teams: [1],
      since: 0,
    };
    const problemsOf = (occurred_at: string) =>
      webhookProblems(items(occurred_at), [hook as never], { of: () => new Map() } as never, now);
    expect(problemsOf('2027-01-15T10:20:00.000Z')).toEqual([
      'booking.created evt_1 to https://partner.example.com has no delivery',
    ]);
    expect(problemsOf('2027-01-15T09:59:00.000Z')).toEqual([]);
  });

  it('accepts that a stay is cancelled again once a late transfer has restored it', () => {
    const cancelled = { ...stay, state: 'CANCELLED' };
    const end = event('booking.cancelled', 17);
    const again = event('booking.restored', 17);
    expect(announcementProblems([cancelled, end, again, end])).toEqual([]);
    expect(announcementProblems([{ ...cancelled, state: 'CONFIRMED' }, end, again])).toEqual([]);
    expect(announcementProblems([cancelled, end, end])).toHaveLength(2);
    expect(announcementProblems([cancelled, end, again])).toEqual([
      'stay 17 is CANCELLED, and no event says so',
    ]);
  });

  it('wants a mail to the guest of a stay, or one that waits, or an address that has as many as it gets', () => {
    const email = 'mai@phone.example';
    const items = [{ ...stay, state: 'CONFIRMED', guest: { email } }];
    const by = { isAlive: true, faultsAt: [], name: 'notification/1' };
    const mail = (text: string, at = 0) => ({ to: email, subject: 'Your booking', text, by, at });
    const problems = (more: readonly object[], ...mails: object[]) =>
      mailProblems([...items, ...more] as never, mails as never);
    expect(problems([], mail('stay 17'))).toEqual([]);
    expect(problems([], mail('stay 18'))).toEqual(['mai@phone.example has no mail about stay 17']);
    expect(problems([{ entity: 'DueMail', kind: 'event', booking_id: 17 }])).toEqual([]);
    expect(problems([{ entity: 'DueMail', kind: 'event', booking_id: 18 }])).toHaveLength(1);
    const others = Array.from({ length: 30 }, (_, at) => mail('x'.repeat(at + 1), at * 60_000));
    expect(problems([], ...others)).toEqual([]);
    expect(problems([], ...others.slice(1))).toHaveLength(1);
  });

  it('wants a mail for each time that a calendar lost nights, also once it is followed anew, and no more', () => {
    const lost = (id: number, nights: number) => ({
      ...{ entity: 'Event', event_type: 'calendar.quarantined' },
      data: { id, listing_id: 3, team_id: 1, host: 'platform.example.com', nights },
    });
    const by = { isAlive: true, faultsAt: [], name: 'notification/1' };
    const text = 'Calendar: platform.example.com\nNights: 6\n';
    const mail = {
      to: 'hoa@host.example',
      subject: 'A calendar lost many nights at once: House',
      text,
      by,
      at: 0,
    };
    const problems = (events: object[], count: number) =>
      mailProblems(events as never, Array.from({ length: count }, () => mail) as never);
    expect(problems([lost(1, 6), lost(2, 6)], 2)).toEqual([]);
    expect(problems([lost(1, 6), lost(2, 6)], 3)).toHaveLength(1);
    expect(problems([lost(1, 6), lost(1, 5), lost(1, 5)], 2)).toHaveLength(1);
  });

  it('wants the turns of an address to keep their limits, and one for each mail', () => {
    const minute = 60_000;
    const turns = (...at: number[]) => ({
      ...{ entity: 'MailTurns', pk: 'MAILS#a', sk: 'team:1' },
      turns: at.map((one, number) => ({ at: one * minute, mail: String(number) })),
    });
    const every = (count: number, minutes: number) => Array.from({ length: count }, (_, at) => at * minutes);
    const problems = (item: object) => mailProblems([item] as never, []);
    expect(problems(turns(...every(10, 1), 60))).toEqual([]);
    expect(problems(turns(...every(10, 1), 59))).toHaveLength(1);
    expect(problems(turns(...every(30, 10), 1440))).toEqual([]);
    expect(problems(turns(...every(30, 10), 1439))).toHaveLength(1);
    const twice = turns(0, 1);
    expect(problems({ ...twice, turns: twice.turns.map(({ at }) => ({ at, mail: 'a' })) })).toHaveLength(1);
  });

  it('wants each step of a stay announced once', () => {
    const cancelled = { ...stay, state: 'CANCELLED' };
    const said = event('booking.cancelled', 17);
    expect(announcementProblems([cancelled, said])).toEqual([]);
    expect(announcementProblems([cancelled])).toHaveLength(1);
    expect(announcementProblems([cancelled, said, said])).toEqual([
      'stay 17 has 2 booking.cancelled',
      'stay 17 is CANCELLED, and 2 events say so',
    ]);
    const declined = event('booking.declined', 17);
    expect(announcementProblems([cancelled, declined])).toEqual([]);
    expect(announcementProblems([cancelled, said, declined])).toHaveLength(1);
    const missed = { ...stay, state: 'NO_SHOW' };
    expect(announcementProblems([missed])).toEqual(['stay 17 is NO_SHOW, and no event says so']);
    expect(announcementProblems([missed, event('booking.no_show', 17)])).toEqual([]);
    const arrived = event('booking.checked_in', 17);
    expect(announcementProblems([stay, arrived, event('booking.check_in_undone', 17), arrived])).toEqual([]);
    expect(announcementProblems([stay, arrived, arrived])).toEqual(['stay 17 was checked in 2 times']);
  });

  it('wants each refund announced once', () => {
    const said = event('payment.refunded', 17);
    expect(announcementProblems([refund, said])).toEqual([]);
    expect(announcementProblems([refund])).toEqual(['order 16 has 0 events of 1 refunds']);
    const order = { entity: 'Order', order_id: 16, items: [{ team_id: 1 }, { team_id: 2 }] } as never;
    const ofNoStay = { ...refund, reservation_ids: [] };
    expect(announcementProblems([order, ofNoStay, said, said])).toEqual([]);
    expect(announcementProblems([order, ofNoStay, said])).toHaveLength(1);
    expect(announcementProblems([refund, said, said])).toEqual(['order 16 has 2 events of 1 refunds']);
  });

  it('names the verbs that were never asked, and those that never succeeded', () => {
    expect(unreached(new Map([['getListing 200', 1]]))).not.toContain('getListing');
    expect(unreached(new Map())).toContain('confirmCheckout');
    expect(unreached(new Map())).not.toContain('getHealth');
    expect(unreached(new Map())).toContain('operator refund done');
    expect(unreached(new Map([['operator refund done no answer', 1]]))).not.toContain('operator refund done');
    const answers = ['getListing 404 LISTING_NOT_FOUND', 'getListing 200', 'getMe no answer'];
    expect(unsuccessful(new Map(answers.map((name) => [name, 1])))).toEqual(['getMe']);
  });

  it('counts changes of states, and what has expired', () => {
    const moves = new Map<string, number>();
    const image = (state: string) => ({ entity: { S: 'Payment' }, state: { S: state } });
    countMove(moves, { dynamodb: { OldImage: image('OPEN'), NewImage: image('PAID') } });
    countMove(moves, { dynamodb: { OldImage: image('PAID'), NewImage: image('PAID') } });
    countMove(moves, { dynamodb: { OldImage: image('PAID') }, userIdentity: { Type: 'Service' } });
    expect([...moves]).toEqual([
      ['Payment state OPEN>PAID', 1],
      ['expired Payment', 1],
    ]);
  });
});
