import { describe, expect, it } from 'vitest';
import type { guestRoutes } from '../../functions/guest/routes.ts';
import { guestUrl, readGuestAccess } from '../../shared/domain/booking/index.ts';
import type { GuestCaller } from '../../shared/platform/auth.ts';
import type { Context } from '../../shared/platform/context.ts';
import type { Write } from '../../shared/platform/table/index.ts';
import { ReservationEntity } from '../../shared/domain/booking/reservation.entity.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import type * as z from 'zod';
import {
  guest_info,
  key,
  ok,
  refusal,
  type ReplyOf,
  stay,
  stopClock,
  tally,
  times,
  useOrderScene,
} from '../support/order-scene.ts';

type Routes = (typeof guestRoutes)['routes'];
type Body<Id extends keyof Routes> = Routes[Id]['reply'] extends z.ZodType
  ? z.output<Routes[Id]['reply']>
  : string;

const s = useOrderScene();
const secrets = { wifi_name: 'Pines', wifi_password: 'rung-thong', door_code: { gate: '4711' } };
const shownAt = '2027-02-09T08:00:00.000Z';
const within = { check_in_date: '2027-02-10', check_out_date: '2027-02-12', guest_number: 2, nights: 2 };

const tokenOf = (url: string | null | undefined): string => url?.split('/g#')[1] ?? 'no link';

/** What the holder of a token calls. */
const by = (token: string) => {
  const call = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    s.call(method, `/api/v1/guest/${path}`, {
      ...(body && { body }),
      ...(token === '' ? {} : { link: token }),
      headers,
    });
  const post =
    <Id extends keyof Routes>(path: string) =>
    (body?: object, headers?: Record<string, string>): Promise<ReplyOf<Body<Id>>> =>
      call('POST', path, body, headers);
  return {
    call,
    booking: (): Promise<ReplyOf<Body<'getGuestBooking'>>> => call('GET', 'booking'),
    access: (phone_digits: string): Promise<ReplyOf<Body<'readGuestAccess'>>> =>
      call('POST', 'access-info', { phone_digits }),
    messages: (): Promise<ReplyOf<Body<'listGuestMessages'>>> => call('GET', 'messages'),
    send: post<'sendGuestMessage'>('messages'),
    pay: post<'payGuestBooking'>('pay'),
    preview: post<'previewGuestChange'>('change-preview'),
    change: post<'changeGuestBooking'>('change'),
    cancellation: (): Promise<ReplyOf<Body<'getGuestCancellation'>>> => call('GET', 'cancellation'),
    cancel: post<'cancelGuestBooking'>('cancel'),
    review: post<'reviewGuestBooking'>('review'),
  };
};

const reservationOf = async (id: number) =>
  (await s.deps.table.get(ReservationEntity, { order_id: orderIdOf(id), reservation_id: id }))!;

/** The token of the link in mails to the guest of a stay. */
const mailed = async (id: number): Promise<string> =>
  tokenOf(await guestUrl(s.deps, await reservationOf(id), { from: 'm', pages: '' }));

/** A stay that a partner has booked, with the tokens of the partner's and the host's copy of the link. */
const booked = async (
  given: object = {},
  { payment_method = 'CASH', ...request }: { payment_method?: string } = {},
) => {
  const listing = await s.listing({ ...secrets, ...given });
  const partner = await s.partner();
  const asked = { listing_id: listing.id, ...within, guest_info, payment_method, ...request };
  const { id: order } = ok(await s.bookOut(partner, asked), 201);
  const id = order;
  const ofPartner = ok(
    await s.get<{ guest_url?: string | null }>(partner, `/api/v1/external/bookings/${id}`),
  );
  const ofHost = ok(await s.booking(s.host, id));
  return { id, listing, partner, token: tokenOf(ofPartner.guest_url), handed: tokenOf(ofHost.guest_url) };
};
const rotate = (id: number, who = s.host): Promise<ReplyOf<{ booking_id: number; guest_url: string }>> =>
  s.call('POST', `/api/v1/bookings/${id}/guest-link/rotate`, who);

describe('the link of a guest', () => {
  it('is in details for the hosts and for the key that made the booking, and for no one else', async () => {
    const { id, partner, token, handed } = await booked();
    expect(token).toMatch(/^[0-9a-z]+\.0p\.[\w-]{22}$/);
    expect(handed).toMatch(/^[0-9a-z]+\.0h\.[\w-]{22}$/);
    expect(token.slice(-22)).not.toBe(handed.slice(-22));
    expect(ok(await s.booking(s.host, id)).guest_url).toBe(`/g#${handed}`);
    // Who has the link may cancel, which STAFF may not.
    expect(ok(await s.booking(s.staff, id)).guest_url).toBeNull();
    const other = await s.partner();
    const read = ok(await s.get<{ guest_url: unknown }>(other, `/api/v1/external/bookings/${id}`));
    expect(read.guest_url).toBeNull();
    ok(await s.get(partner, `/api/v1/external/bookings/${id}`));
    const own = ok(
      await s.confirm(s.guest, { items: [stay(await s.listing())], payment_method: 'CASH' }),
      201,
    );
    expect(ok(await s.booking(s.guest, own.reservations[0]!.id)).guest_url).toBeNull();
  });

  it('opens its stay without telephone number, address and entry information', async () => {
    const { id, listing, token } = await booked();
    stopClock(shownAt);
    ok(await s.call('POST', `/api/v1/bookings/${id}/mark-paid`, s.host));
    const reply = await by(token).booking();
    const read = ok(reply);
    expect(read).toMatchObject({
      id,
      listing_number: listing.id,
      state: 'CONFIRMED',
      access: { state: 'SHOWN' },
    });
    expect(read.guest_info).toEqual({ name: guest_info.full_name, full_name: guest_info.full_name });
    expect(read.access_info).toBeNull();
    expect(read.guest_url).toBeNull();
    expect(reply.text).not.toContain('345 678');
    expect(reply.text).not.toContain(guest_info.email);
    expect(reply.text).not.toContain('rung-thong');
    expect(read.price[0]).toMatchObject({ earning: null, commission_rate: null });
    expect(reply.headers).toMatchObject({ 'cache-control': 'no-store', 'x-ratelimit-limit': '30' });
  });

  it('opens nothing else: other stays, other routes, and no route of a guest opens to other credentials', async () => {
    const { id, token } = await booked();
    const { id: other } = await booked();
    const headers = { Authorization: `Guest ${token}` };
    for (const path of [
      `/api/v1/bookings/${id}`,
      `/api/v1/bookings/${other}`,
      '/api/v1/bookings/my',
      '/api/v1/team',
    ])
      expect((await s.call('GET', path, { headers })).status).toBe(401);
    for (const who of [s.host, s.guest, await s.partner(), {}])
      expect(refusal(await s.call('GET', '/api/v1/guest/booking', who)).code).toBe('UNAUTHORIZED');
  });

  it('is not found when it is unknown, of another stay, version or source', async () => {
    const { token } = await booked();
    const { token: other } = await booked();
    const [id, source, mac] = token.split('.') as [string, string, string];
    const [otherId] = other.split('.') as [string];
    const forged = [
      'x',
      `${id}.${source}.${'A'.repeat(22)}`,
      `${otherId}.${source}.${mac}`,
      `${id}.1p.${mac}`,
      `${id}.0m.${mac}`,
      `${id}.0h.${mac}`,
      `${token}A`,
      `zzzzzzzzzzz.${source}.${mac}`,
    ];
    for (const text of forged) expect(refusal(await by(text).booking()).code).toBe('NOT_FOUND');
    expect(refusal(await by('').booking()).code).toBe('UNAUTHORIZED');
  });

  it('ends at once when a host replaces it, for every copy', async () => {
    const { id, token, handed } = await booked();
    expect(refusal(await rotate(id, s.staff)).code).toBe('FORBIDDEN');
    const { guest_url } = ok(await rotate(id));
    for (const old of [token, handed]) expect(refusal(await by(old).booking()).code).toBe('NOT_FOUND');
    expect(ok(await by(tokenOf(guest_url)).booking()).id).toBe(id);
    expect(ok(await s.booking(s.host, id)).guest_url).toBe(guest_url);
    expect(refusal(await rotate(id, s.guest)).code).toBe('BOOKING_NOT_FOUND');
    expect(refusal(await rotate(id, s.otherHost)).code).toBe('BOOKING_NOT_FOUND');
  });

  it('replaced by several at once is replaced for each, and one is the last', async () => {
    const { id } = await booked();
    const links = (await times(5, () => rotate(id))).map((reply) => tokenOf(ok(reply).guest_url));
    const opened = await Promise.all(links.map((token) => by(token).booking()));
    expect(tally(opened)).toEqual({ '200': 1, '404 NOT_FOUND': 4 });
  });

  it('ends 30 days after the stay, to the millisecond', async () => {
    const { id, token } = await booked();
    const { end_at } = await reservationOf(id);
    const end = Date.parse(`${end_at}+07:00`) + 30 * 24 * 3_600_000;
    stopClock(new Date(end).toISOString());
    ok(await by(token).booking());
    stopClock(new Date(end + 1).toISOString());
    expect(refusal(await by(token).booking()).code).toBe('NOT_FOUND');
    expect(ok(await s.booking(s.host, id)).guest_url).toBeNull();
    expect(refusal(await rotate(id)).code).toBe('INVALID_STATE_TRANSITION');
  });

  it('does not exist for a key that wants none, also after the key has changed its mind', async () => {
    const partner = await s.partner({ guest_links: false });
    const listing = await s.listing();
    const { id } = ok(
      await s.bookOut(partner, { listing_id: listing.id, ...within, guest_info, payment_method: 'CASH' }),
      201,
    );
    expect(
      ok(await s.get<{ guest_url: unknown }>(partner, `/api/v1/external/bookings/${id}`)).guest_url,
    ).toBeNull();
    expect(ok(await s.booking(s.host, id)).guest_url).toBeNull();
    expect(refusal(await rotate(id)).code).toBe('INVALID_STATE_TRANSITION');
    const { token } = await booked();
    const [, source, mac] = token.split('.') as [string, string, string];
    expect(refusal(await by(`${id.toString(36)}.${source}.${mac}`).booking()).code).toBe('NOT_FOUND');
  });

  it('answers 30 requests a minute for a stay, wrong tokens not counted', async () => {
    const { token, handed } = await booked();
    const [id, source] = token.split('.') as [string, string];
    await times(40, () => by(`${id}.${source}.${'A'.repeat(22)}`).booking());
    const replies = await times(31, (at) => by(at % 2 ? token : handed).booking());
    expect(tally(replies)).toEqual({ '200': 30, '429 RATE_LIMIT_EXCEEDED': 1 });
  });

  it('is of each stay of an order', async () => {
    const [one, other] = [await s.listing(), await s.listing()];
    const partner = await s.partner();
    const items = [one, other].map((listing) => stay(listing));
    const order = ok(await s.bookOut(partner, { items, guest_info, payment_method: 'CASH' }), 201);
    const read = (id: number) =>
      s.get<{ guest_url: string | null }>(partner, `/api/v1/external/bookings/${id}`);
    expect(ok(await read(order.id)).guest_url).toBeNull();
    const ids = order.reservations!.map(({ id }) => id);
    for (const id of ids) {
      const seen = ok(await by(tokenOf(ok(await read(id)).guest_url)).booking());
      expect(seen.reservations.map((shown) => shown.id)).toEqual([id]);
    }
    expect(refusal(await rotate(order.id)).code).toBe('VALIDATION_ERROR');
  });
});

describe('the entry information by a link', () => {
  const paid = async () => {
    const { id, token: partners } = await booked();
    ok(await s.call('POST', `/api/v1/bookings/${id}/mark-paid`, s.host));
    stopClock(shownAt);
    return { id, partners, token: await mailed(id) };
  };

  it('needs the last four digits of the telephone number', async () => {
    const { token } = await paid();
    expect(refusal(await by(token).access('0000'))).toMatchObject({
      code: 'FORBIDDEN',
      details: { tries_left: 4 },
    });
    expect(ok(await by(token).access('5678'))).toEqual(secrets);
    expect(refusal(await by(token).access('678')).paths).toEqual(['phone_digits']);
  });

  it('is not read by a partner, who knows the number', async () => {
    const { partners } = await paid();
    expect(refusal(await by(partners).access('5678'))).toMatchObject({ code: 'FORBIDDEN', details: {} });
  });

  it('is not read by a link that is replaced meanwhile, which counts no try of the new one', async () => {
    const { id } = await paid();
    let isFirst = true;
    const ctx = {
      ...s.deps,
      caller: { kind: 'guest', reservation_id: id, version: 0, from: 'm' },
      commit: async (writes: readonly Write[], answer: unknown) => {
        if (isFirst) ok(await rotate(id));
        isFirst = false;
        await s.deps.table.transact(writes);
        return answer;
      },
    } as unknown as Context<GuestCaller>;
    await expect(readGuestAccess(ctx, { phone_digits: '5678' })).rejects.toMatchObject({
      code: 'BOOKING_NOT_FOUND',
    });
    expect((await reservationOf(id)).guest_link).toEqual({ version: 1, tries: 0 });
  });

  it('is closed after five wrong ones, and by the right ones counted anew', async () => {
    const { id, token } = await paid();
    for (const left of [4, 3, 2, 1])
      expect(refusal(await by(token).access('1111')).details).toEqual({ tries_left: left });
    ok(await by(token).access('5678'));
    for (const left of [4, 3, 2, 1, 0, 0])
      expect(refusal(await by(token).access('1111')).details).toEqual({ tries_left: left });
    expect(refusal(await by(token).access('5678')).details).toEqual({ tries_left: 0 });
    const { guest_url } = ok(await rotate(id));
    expect(ok(await by(tokenOf(guest_url)).access('5678'))).toEqual(secrets);
  });

  it('counts overlapping tries', async () => {
    const { id, token } = await paid();
    const replies = await times(20, (at) => by(token).access(String(1000 + at)));
    expect(tally(replies)).toEqual({ '403 FORBIDDEN': 20 });
    expect((await reservationOf(id)).guest_link).toEqual({ version: 0, tries: 5 });
  });

  it('is not read while it is not shown, which counts no try', async () => {
    const { id } = await booked();
    expect(refusal(await by(await mailed(id)).access('5678')).code).toBe('INVALID_STATE_TRANSITION');
    expect((await reservationOf(id)).guest_link).toBeUndefined();
  });
});

describe('by a link a guest', () => {
  it('writes to the host and reads the answers', async () => {
    const { id, token } = await booked();
    const sent = ok(await by(token).send({ text: 'Xin chào' }, key('once')), 201);
    expect(sent).toMatchObject({ sender_type: 'GUEST', sender_id: null, sender_name: guest_info.full_name });
    expect(ok(await by(token).send({ text: 'Xin chào' }, key('once')), 201)).toEqual(sent);
    ok(await s.call('POST', `/api/v1/chats/${id}/messages`, { ...s.host, body: { text: 'Chào bạn' } }), 201);
    const { items } = ok(await by(token).messages());
    expect(items.map(({ sender_type }) => sender_type)).toEqual(['SYSTEM', 'GUEST', 'HOST']);
  });

  it('changes the stay at its price, as the guest in the history', async () => {
    const { id, token } = await booked();
    const asked = { check_out_date: '2027-02-13' };
    const preview = ok(await by(token).preview(asked));
    expect(preview).toMatchObject({ available: true });
    const body = { ...asked, expected_difference: preview.difference };
    const { change, ...changed } = ok(await by(token).change(body, key(`change-${id}`)));
    expect(changed).toEqual({ id, state: 'CONFIRMED' });
    expect(change.difference).toBe(preview.difference);
    expect(ok(await by(token).booking()).check_out).toBe('2027-02-13');
    const history = ok(
      await s.get<{ items: { event_type: string; who: object }[] }>(s.host, `/api/v1/bookings/${id}/history`),
    );
    expect(history.items.at(-1)).toMatchObject({
      event_type: 'booking.changed',
      who: { kind: 'guest', link_from: 'PARTNER' },
    });
  });

  it('has no right of a host in a change, nor another one than the guest', async () => {
    const { id, listing, token } = await booked();
    const partner = await s.partner();
    for (const field of ['override_rules', 'charge_later'])
      for (const verb of ['preview', 'change'] as const)
        expect(refusal(await by(token)[verb]({ guest_number: 3, [field]: true })).paths).toEqual([field]);
    const hidden = await s.listing({ state: 'INACTIVE' });
    for (const verb of ['preview', 'change'] as const)
      expect(refusal(await by(token)[verb]({ listing_id: hidden.id })).code).toBe('LISTING_NOT_FOUND');
    const taken = {
      listing_id: listing.id,
      ...within,
      check_in_date: '2027-02-12',
      check_out_date: '2027-02-14',
    };
    ok(await s.bookOut(partner, { ...taken, guest_info, payment_method: 'CASH' }), 201);
    expect(refusal(await by(token).change({ check_out_date: '2027-02-13' })).code).toBe(
      'LISTING_NOT_AVAILABLE',
    );
    expect(refusal(await by(token).change({ guest_number: 3, expected_difference: 1 })).code).toBe(
      'PRICE_CHANGED',
    );
    stopClock('2027-02-10T07:00:00.001Z');
    expect(refusal(await by(token).change({ guest_number: 3 })).code).toBe('INVALID_STATE_TRANSITION');
    expect(refusal(await by(token).preview({ guest_number: 3 })).code).toBe('INVALID_STATE_TRANSITION');
    expect(ok(await s.booking(s.host, id)).state).toBe('CONFIRMED');
  });

  it('is refused what stay rules do not allow', async () => {
    const { listing, token } = await booked();
    const body = { default: { min_nights: 2 } };
    ok(await s.call('PUT', `/api/v1/listings/${listing.id}/stay-rules`, { ...s.host, body }));
    for (const verb of ['preview', 'change'] as const)
      expect(refusal(await by(token)[verb]({ check_out_date: '2027-02-11' })).code).toBe('STAY_NOT_ALLOWED');
  });

  it('pays what a change costs more by a token, which may be declined', async () => {
    const { token } = await booked({}, { payment_method: 'ONLINE_GATEWAY' });
    const sandbox = s.deps.sandbox.server;
    const { payment_id } = ok(await by(token).pay(), 201);
    sandbox.decide(sandbox.find(payment_id)!, 'success');
    const { headers, body } = s.deps.sandbox.notificationOf(sandbox.find(payment_id)!);
    ok(await s.call('POST', '/api/v1/payments/webhook/sandbox', { headers, body }));
    const longer = { check_out_date: '2027-02-13' };
    const declined = { ...longer, payment_gateway_token: 'tok_declined' };
    expect(refusal(await by(token).change(declined)).code).toBe('PAYMENT_DECLINED');
    const { change } = ok(await by(token).change(longer));
    expect(change.payment_url).toContain('http');
    expect(ok(await by(token).booking())).toMatchObject({
      check_out: '2027-02-12',
      pending_change: { asked_by: 'guest', check_out_date: '2027-02-13' },
    });
  });

  it('cancels by the terms, as the cancellation said', async () => {
    const { id, token } = await booked({ refund_rule: 'Full refund until 2 days before check-in' });
    ok(await s.call('POST', `/api/v1/bookings/${id}/mark-paid`, s.host));
    stopClock('2027-02-09T00:00:00.000Z');
    const said = ok(await by(token).cancellation());
    expect(said).toMatchObject({ can_cancel: true, refund_now: { amount: 0 } });
    const { refund, ...cancelled } = ok(await by(token).cancel({ reason: 'Plans changed' }));
    expect(cancelled).toEqual({ id, state: 'CANCELLED' });
    expect(refund).toEqual(said.refund_now);
    expect(refusal(await by(token).cancel()).code).toBe('INVALID_STATE_TRANSITION');
    const history = ok(
      await s.get<{ items: { event_type: string; who: object; why: string }[] }>(
        s.host,
        `/api/v1/bookings/${id}/history`,
      ),
    );
    expect(history.items.at(-1)).toMatchObject({
      event_type: 'booking.cancelled',
      who: { kind: 'guest', id: null, name: guest_info.full_name, link_from: 'PARTNER' },
      why: 'Plans changed',
    });
    expect(ok(await by(token).booking()).state).toBe('CANCELLED');
  });

  it('pays on the page that is open, or on a new one for what is due', async () => {
    const online = await booked({}, { payment_method: 'ONLINE_GATEWAY' });
    const { payment_url } = ok(await by(online.token).booking());
    expect(ok(await by(online.token).pay(), 201).payment_url).toBe(payment_url);
    const onSite = await booked();
    const page = ok(await by(onSite.token).pay(undefined, key('pay')), 201);
    expect(page.amount).toBe(ok(await by(onSite.token).booking()).amount_due);
    expect(ok(await by(onSite.token).pay(), 201)).toEqual(page);
    const sandbox = s.deps.sandbox.server;
    sandbox.decide(sandbox.find(page.payment_id)!, 'success');
  });

  it('pays what is due, also after a part was taken at the desk or something was charged', async () => {
    const { id, token } = await booked();
    const { amount } = ok(await by(token).pay(), 201);
    const part = { amount: amount - 1000, method: 'CASH' };
    ok(await s.call('POST', `/api/v1/bookings/${id}/payments`, { ...s.host, body: part }), 201);
    expect(ok(await by(token).pay(), 201).amount).toBe(1000);
    const minibar = { label: 'Minibar', amount: 5000 };
    ok(await s.call('POST', `/api/v1/bookings/${id}/charges`, { ...s.host, body: minibar }), 201);
    expect(ok(await by(token).pay(), 201).amount).toBe(6000);
    expect(ok(await by(token).booking())).toMatchObject({ amount_due: 6000, pays_online: true });
  });

  it('reads whether the stay can be paid online, and no note, which may be the host’s', async () => {
    const note = 'Call her husband +84 999 888 777';
    const onSite = await booked({ payment_methods: ['CASH'] }, { note } as object);
    const requested = await booked({ instant_book_enabled: false });
    for (const { token } of [onSite, requested])
      expect(ok(await by(token).booking())).toMatchObject({ pays_online: false, note: null });
  });

  it('pays nothing where nothing is due, the host has not accepted, or the home is not paid online', async () => {
    const { id, token } = await booked();
    ok(await s.call('POST', `/api/v1/bookings/${id}/mark-paid`, s.host));
    const requested = await booked({ instant_book_enabled: false });
    const onSite = await booked({ payment_methods: ['CASH'] });
    for (const one of [token, requested.token, onSite.token])
      expect(refusal(await by(one).pay()).code).toBe('INVALID_STATE_TRANSITION');
  });

  it('sees the code of a transfer only where one is due (getGuestTransferCode)', async () => {
    const { token } = await booked();
    expect(refusal(await by(token).call('GET', 'transfer-code')).code).toBe('INVALID_STATE_TRANSITION');
  });

  it('reviews the completed stay once, but not by a link that the host handed over', async () => {
    const { id, token, handed } = await booked();
    expect(refusal(await by(token).review({ rating: 5 })).code).toBe('INVALID_STATE_TRANSITION');
    stopClock('2027-02-10T08:00:00.000Z');
    for (const verb of ['mark-paid', 'check-in', 'check-out', 'complete'])
      ok(await s.call('POST', `/api/v1/bookings/${id}/${verb}`, s.host));
    expect(refusal(await by(handed).review({ rating: 1 })).code).toBe('FORBIDDEN');
    expect(ok(await by(token).review({ rating: 5, comment: 'Sạch sẽ' }), 201)).toMatchObject({
      guest_name: 'Bình',
      rating: 5,
    });
    expect(refusal(await by(token).review({ rating: 5 })).code).toBe('INVALID_STATE_TRANSITION');
  });
});

describe('the page of a link', () => {
  it('is not kept, sends its address nowhere and loads nothing from elsewhere', async () => {
    // What messengers add to links.
    const { status, headers, text } = await s.call('GET', '/g', { query: { fbclid: 'x', zarsrc: 1 } });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-type': 'text/html; charset=utf-8',
    });
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'sha256-[^;]+; style-src 'sha256-[^;]+; img-src blob:; connect-src 'self';/,
    );
    expect(text).not.toMatch(/src=|https?:/);
  });
});

describe('a guest without an address', () => {
  it('is booked by the host and gets the link from the host', async () => {
    const listing = await s.listing();
    const { email: _, ...onTelephone } = guest_info;
    const body = { items: [stay(listing)], guest_info: onTelephone, payment_method: 'CASH' };
    const made = await s.call('POST', '/api/v1/bookings', { ...s.host, body });
    const { reservations } = ok<{ reservations: { id: number }[] }>(made, 201);
    const id = reservations[0]!.id;
    const { guest_info: shown, guest_url } = ok(await s.booking(s.host, id));
    expect(shown.email).toBe('');
    expect(ok(await by(tokenOf(guest_url)).booking()).id).toBe(id);
    const { phone: __, ...unreachable } = onTelephone;
    expect(
      refusal(
        await s.call('POST', '/api/v1/bookings', { ...s.host, body: { ...body, guest_info: unreachable } }),
      ).paths,
    ).toEqual(['guest_info.phone']);
  });
});
