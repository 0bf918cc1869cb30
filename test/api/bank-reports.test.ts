import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { moveDueBookings } from '../../shared/domain/payment/index.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { account_number, useBank } from '../support/bank-scene.ts';
import { folioCalls, stayPrice as price } from '../support/folio-calls.ts';
import { advanceMinutes, ok, refusal, stay, useOrderScene, type Who } from '../support/order-scene.ts';

const s = useOrderScene();
const { book, folio, requireSound } = folioCalls(s);

const bank = useBank(s);
const { assign, bookHere, list, money, naming, post, report, reports, send, setReports, signed } = bank;

let count = 0;
const sePay = (given: object = {}) => ({
  ...{ id: 92_704, gateway: 'Vietcombank', transactionDate: '2027-01-15 09:30:00' },
  ...{ accountNumber: account_number, subAccount: null, code: null, content: 'tien phong' },
  ...{ transferType: 'in', description: '', transferAmount: price, accumulated: 19_077_000 },
  referenceCode: `MBVCB.${++count}`,
  ...given,
});
const sePaySigned = (
  body: string,
  seconds = Math.floor(s.deps.clock.now() / 1000),
  secret = bank.secrets.sepay,
) => ({
  'x-sepay-timestamp': String(seconds),
  'x-sepay-signature': `sha256=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`,
});

const returned = (id: string, who: Who = bank.owner) =>
  s.call('POST', `/api/v1/team/transfers/${id}/returned`, { ...who, body: { note: 'Sent back' } });

describe('a report of money on the account of a team', () => {
  it('pays the booking whose reference its text holds', async () => {
    const id = await bookHere();
    const given = report({ text: naming(id) });
    await send(given);
    expect(await money(id)).toMatchObject({ payment_status: 'PAID', amount_paid: price });
    expect((await folio(id, bank.owner)).postings.at(-1)).toMatchObject({
      ...{ kind: 'payment', amount: price, method: 'BANK_TRANSFER', collected_by: 'HOST' },
      ...{ reference: given.id, at: '2027-01-15T02:30:00.000Z' },
    });
    expect(await list()).toEqual([]);
    expect(await list('MATCHED')).toMatchObject([{ amount: price, rest: 0, booking_ids: [id] }]);
    await requireSound(id);
  });

  it.each([
    [
      'as SePay spells them',
      (name: string) => name.replace(/^x-sepay-(.)/, (_, first: string) => `X-SePay-${first.toUpperCase()}`),
    ],
    ['in capitals', (name: string) => name.toUpperCase()],
  ])('is signed by headers whose names are spelled %s', async (_, spelled) => {
    const respelled = (headers: object) =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [spelled(name), value as string]));
    const [own, standard] = [JSON.stringify(sePay()), JSON.stringify(report())];
    ok(await post('sepay', own, respelled(sePaySigned(own))));
    ok(await post('standard', standard, respelled(signed(standard))));
  });

  it('counts once, however often it comes', async () => {
    const id = await bookHere();
    const given = report({ text: naming(id), amount: 500_000 });
    await Promise.all([send(given), send(given), send(given)]);
    await send(given);
    expect(await money(id)).toMatchObject({ amount_paid: 500_000 });
    await requireSound(id);
  });

  it('of less pays a part, of more the booking, and the rest is on the list', async () => {
    const id = await bookHere();
    await send(report({ text: naming(id), amount: 200_000 }));
    expect(await money(id)).toMatchObject({ payment_status: 'PENDING', amount_due: price - 200_000 });
    await send(report({ text: naming(id), amount: price }));
    expect(await money(id)).toMatchObject({ payment_status: 'PAID', amount_paid: price });
    expect(await list()).toMatchObject([{ amount: price, rest: 200_000, booking_ids: [id] }]);
    await send(report({ text: naming(id), amount: 7 }));
    expect((await list()).find(({ amount }) => amount === 7)).toMatchObject({
      ...{ rest: 7, booking_ids: [], named_booking_ids: [orderIdOf(id)] },
    });
    await requireSound(id);
  });

  it('from a bank whose clock is ahead came now', async () => {
    const id = await bookHere();
    await send(report({ text: naming(id), received_at: '2037-01-15T02:30:00.000Z' }));
    expect(await list('MATCHED')).toMatchObject([{ received_at: '2027-01-15T03:00:00.000Z' }]);
    expect((await folio(id, bank.owner)).postings.at(-1)).toMatchObject({ at: '2027-01-15T03:00:00.000Z' });
  });

  it('of a part leaves the time for the rest as it is, and of another amount is another one', async () => {
    const id = await bookHere();
    const { payment_expires_at: until } = ok(
      await s.get<{ payment_expires_at: string | null }>(bank.owner, `/api/v1/bookings/${id}`),
    );
    const given = report({ text: naming(id), amount: 1 });
    await send(given);
    await send({ ...given, amount: 2 });
    expect(ok(await s.get(bank.owner, `/api/v1/bookings/${id}`))).toMatchObject({
      ...{ payment_expires_at: until, amount_paid: 3 },
    });
    expect(until).not.toBeNull();
  });

  it('of the price beside a charge leaves the time for that, until the charge is taken out', async () => {
    const id = await bookHere();
    const charges = `/api/v1/bookings/${id}/charges`;
    const charge = { ...bank.owner, body: { label: 'Minibar', amount: 100_000 } };
    ok(await s.call('POST', charges, charge), 201);
    await send(report({ text: naming(id) }));
    expect(await money(id)).toMatchObject({ payment_status: 'PENDING', amount_due: 100_000 });
    ok(await s.call('DELETE', `${charges}/1`, { ...bank.owner, query: { reason: 'A slip' } }));
    expect(await money(id)).toMatchObject({ payment_status: 'PAID', amount_due: 0 });
    await requireSound(id);
    advanceMinutes(80 * 60);
    ok(await s.call('POST', charges, charge), 201);
    await moveDueBookings(s.deps);
    expect(ok(await s.get(bank.owner, `/api/v1/bookings/${id}`))).toMatchObject({
      ...{ state: 'CONFIRMED', amount_due: 100_000, payment_expires_at: null },
    });
  });

  it('pays the deposit of a plan, and the balance before it is due', async () => {
    const id = await bookHere({ deposit_percent: 30 });
    await send(report({ text: naming(id), amount: 660_000 }));
    expect(await money(id)).toMatchObject({ payment_status: 'PENDING', amount_due: 0 });
    await send(report({ text: naming(id), amount: price - 660_000 }));
    expect(await money(id)).toMatchObject({ payment_status: 'PAID' });
  });

  it('of the deposit of a plan and a charge beside it ends the time to pay', async () => {
    const id = await bookHere({ deposit_percent: 30 });
    const body = { label: 'Minibar', amount: 60_000 };
    ok(await s.call('POST', `/api/v1/bookings/${id}/charges`, { ...bank.owner, body }), 201);
    await send(report({ text: naming(id), amount: 720_000 }));
    expect(await money(id)).toMatchObject({ payment_status: 'PENDING', amount_due: 0 });
    advanceMinutes(80 * 60);
    await moveDueBookings(s.deps);
    expect(ok(await s.get(bank.owner, `/api/v1/bookings/${id}`))).toMatchObject({ state: 'CONFIRMED' });
    await requireSound(id);
  });

  it('pays all stays of an order in their order', async () => {
    const items = [
      stay(await s.listing({ team_id: bank.teamId })),
      stay(await s.listing({ team_id: bank.teamId })),
    ];
    const { master_reservation_id: master } = ok(
      await s.confirm(s.guest, { items, payment_method: 'BANK_TRANSFER' }),
      201,
    );
    await send(report({ text: naming(master), amount: price + 100_000 }));
    expect([await money(master + 1), await money(master + 2)]).toMatchObject([
      { payment_status: 'PAID' },
      { amount_paid: 100_000 },
    ]);
  });

  it('of what is due of an order pays the deposit of each of its stays', async () => {
    const homes = [1, 2].map(() => s.listing({ team_id: bank.teamId, deposit_percent: 30 }));
    const items = (await Promise.all(homes)).map((home) => stay(home));
    const { master_reservation_id: master, transfer } = ok(
      await s.confirm(s.guest, { items, payment_method: 'BANK_TRANSFER' }),
      201,
    );
    await send(report({ text: naming(master), amount: transfer!.amount }));
    const each = { amount_paid: 660_000, amount_due: 0 };
    expect([await money(master + 1), await money(master + 2)]).toMatchObject([each, each]);
    await send(report({ text: naming(master), amount: 2_000_000 }));
    expect([await money(master + 1), await money(master + 2)]).toMatchObject([
      { payment_status: 'PAID' },
      { amount_paid: 660_000 + 460_000 },
    ]);
  });

  it('with a time of another zone is shown in UTC', async () => {
    await send(report({ received_at: '2027-01-15T09:30:00.5+07:00' }));
    expect(await list()).toMatchObject([{ received_at: '2027-01-15T02:30:00.500Z' }]);
  });

  it('without a booking that it can pay is on the list', async () => {
    const cancelled = await bookHere();
    ok(await s.cancel(s.guest, cancelled));
    const [cash, asked] = [await bookHere({}, 'CASH'), await bookHere({ instant_book_enabled: false })];
    const foreign = await book({}, 'BANK_TRANSFER');
    for (const id of [cancelled, cash, asked, foreign]) await send(report({ text: naming(id) }));
    await send(report({ text: 'tien phong' }));
    await send(report({ text: naming(await bookHere()), currency: 'USD' }));
    const open = await list();
    expect(open).toHaveLength(6);
    expect(open.filter(({ named_booking_ids: named }) => named.includes(orderIdOf(foreign)))).toEqual([]);
    expect(await money(asked)).toMatchObject({ amount_paid: 0 });
  });

  it('on an account that the team has not written is passed over, and one of money that goes out', async () => {
    await send(report({ account_number: '9999' }));
    const body = JSON.stringify(sePay({ transferType: 'out' }));
    ok(await post('sepay', body, sePaySigned(body)));
    expect(await list()).toEqual([]);
  });

  it('of SePay is read as published, its time as that of Viet Nam', async () => {
    const id = await bookHere();
    const body = JSON.stringify(sePay({ content: naming(id) }));
    expect(ok(await post('sepay', body, sePaySigned(body)))).toEqual({ success: true });
    expect(await money(id)).toMatchObject({ payment_status: 'PAID' });
    expect(await list('MATCHED')).toMatchObject([
      { received_at: '2027-01-15T02:30:00.000Z', bank_reference: expect.stringMatching(/^MBVCB/) as string },
    ]);
  });
});

describe('a report is refused', () => {
  const body = JSON.stringify(report());
  it.each([
    ['with another signature', () => ({ ...signed(body), 'webhook-signature': 'v1,AAAA' })],
    ['with none', () => ({})],
    ['by another key', () => signed(body, `whsec_${Buffer.alloc(32).toString('base64')}`)],
    ['that is old', () => signed(body, bank.secrets.standard, new Date(s.deps.clock.now() - 301_000))],
    ['over another body', () => signed(`${body} `)],
  ])('%s', async (_, headers) => {
    expect(refusal(await post('standard', body, headers())).code).toBe('UNAUTHORIZED');
  });

  it.each([
    [
      'with another signature',
      (text: string) => ({ ...sePaySigned(text), 'x-sepay-signature': 'sha256=00' }),
    ],
    ['with none', () => ({})],
    ['by another key', (text: string) => sePaySigned(text, undefined, 'another')],
    ['that is old', (text: string) => sePaySigned(text, Math.floor(s.deps.clock.now() / 1000) - 301)],
    ['of the future', (text: string) => sePaySigned(text, Math.floor(s.deps.clock.now() / 1000) + 301)],
    ['without a time', (text: string) => ({ ...sePaySigned(text), 'x-sepay-timestamp': '' })],
  ])('of SePay %s', async (_, headers) => {
    const text = JSON.stringify(sePay());
    expect(refusal(await post('sepay', text, headers(text))).code).toBe('UNAUTHORIZED');
  });

  it('of a reporter or a team that has none', async () => {
    const given = JSON.stringify(report());
    expect(refusal(await post('standard', given, signed(given), s.b.team_id)).code).toBe('NOT_FOUND');
    ok(await s.call('DELETE', reports('standard'), { ...bank.owner }));
    expect(refusal(await post('standard', given, signed(given))).code).toBe('NOT_FOUND');
    expect(refusal(await s.call('DELETE', reports('standard'), { ...bank.owner })).code).toBe('NOT_FOUND');
  });

  it('that is not as published', async () => {
    for (const given of [
      {},
      report({ amount: 0 }),
      report({ amount: '1' }),
      report({ amount: 1.5 }),
      report({ amount: 1e300 }),
      report({ amount: 1e16 }),
      report({ received_at: 'now' }),
    ]) {
      const text = JSON.stringify(given);
      expect(refusal(await post('standard', text, signed(text))).code).toBe('VALIDATION_ERROR');
    }
  });

  it('of SePay that is not as published', async () => {
    for (const given of [
      {},
      sePay({ transactionDate: '2027-02-30 09:30:00' }),
      sePay({ transactionDate: '2027-01-15 25:30:00' }),
      sePay({ transferAmount: 0.5 }),
      sePay({ transferAmount: 1e300 }),
    ]) {
      const text = JSON.stringify(given);
      expect(refusal(await post('sepay', text, sePaySigned(text))).code, text).toBe('VALIDATION_ERROR');
    }
  });
});

describe('the key of a reporter', () => {
  it('may be given, and is of the owners', async () => {
    const secret = 'a key that SePay shows';
    expect(ok(await setReports('sepay', { secret }))).toMatchObject({ secret, provider: 'sepay' });
    const body = JSON.stringify(sePay());
    ok(await post('sepay', body, sePaySigned(body, undefined, secret)));
    expect(refusal(await setReports('standard', { secret })).paths).toEqual(['secret']);
    expect(refusal(await setReports('sepay', { secret: 'short' })).paths).toEqual(['secret']);
    const manager = await s.person('MANAGER', bank.teamId);
    expect(refusal(await setReports('sepay', {}, manager)).code).toBe('FORBIDDEN');
  });
});

describe('a key that is replaced', () => {
  const dayMs = 24 * 60 * 60_000;
  const advance = (ms: number) => advanceMinutes(ms / 60_000);
  const after = (ms: number) => new Date(s.deps.clock.now() + ms).toISOString();
  const isTaken = async (provider: 'sepay' | 'standard', secret: string): Promise<boolean> => {
    const body = JSON.stringify(provider === 'sepay' ? sePay() : report());
    const headers = provider === 'sepay' ? sePaySigned(body, undefined, secret) : signed(body, secret);
    const reply = await post(provider, body, headers);
    if (reply.status !== 200) expect(refusal(reply).code).toBe('UNAUTHORIZED');
    return reply.status === 200;
  };
  const replace = async (provider: 'sepay' | 'standard', body: object = {}) =>
    ok(await setReports(provider, body));

  it.each(['sepay', 'standard'] as const)('signs for 24 hours beside the new one: %s', async (provider) => {
    const old = bank.secrets[provider];
    const until = after(dayMs);
    const { secret, old_secret_signs_until } = await replace(provider);
    expect(old_secret_signs_until).toBe(until);
    for (const one of [old, secret]) expect(await isTaken(provider, one)).toBe(true);
    advance(dayMs - 1000);
    expect(await isTaken(provider, old)).toBe(true);
    advance(1000);
    expect(await isTaken(provider, old)).toBe(false);
    expect(await isTaken(provider, secret)).toBe(true);
  });

  it('signs no longer for being replaced again, as after a lost answer', async () => {
    const old = bank.secrets.sepay;
    const lost = await replace('sepay');
    advance(dayMs / 2);
    const { secret, old_secret_signs_until } = await replace('sepay');
    expect(old_secret_signs_until).toBe(after(dayMs));
    for (const one of [old, lost.secret, secret]) expect(await isTaken('sepay', one)).toBe(true);
    advance(dayMs / 2);
    expect(await isTaken('sepay', old)).toBe(false);
    for (const one of [lost.secret, secret]) expect(await isTaken('sepay', one)).toBe(true);
  });

  it('is refused at once where it has leaked', async () => {
    const old = bank.secrets.standard;
    const between = await replace('standard');
    const { secret, old_secret_signs_until } = await replace('standard', { end_old_secret: true });
    expect(old_secret_signs_until).toBeNull();
    for (const one of [old, between.secret]) expect(await isTaken('standard', one)).toBe(false);
    expect(await isTaken('standard', secret)).toBe(true);
  });

  it('ends before its time with the present one given again', async () => {
    const old = bank.secrets.sepay;
    const { secret } = await replace('sepay');
    expect(await replace('sepay', { secret, end_old_secret: true })).toMatchObject({ secret });
    expect(await isTaken('sepay', old)).toBe(false);
    expect(await isTaken('sepay', secret)).toBe(true);
  });

  it('given again is not a key before itself, and leaves the others their time', async () => {
    const old = bank.secrets.sepay;
    const { secret, old_secret_signs_until } = await replace('sepay');
    advance(dayMs / 24);
    expect(await replace('sepay', { secret })).toMatchObject({ secret, old_secret_signs_until });
    for (const one of [old, secret]) expect(await isTaken('sepay', one)).toBe(true);
    await replace('sepay', { secret, end_old_secret: true });
    expect(await replace('sepay', { secret })).toMatchObject({ old_secret_signs_until: null });
  });

  it('is one of five at most, the oldest among them', async () => {
    const old = bank.secrets.standard;
    const made: string[] = [];
    for (let times = 0; times < 6; times++) made.push((await replace('standard')).secret);
    const taken = [];
    for (const one of [old, ...made]) taken.push(await isTaken('standard', one));
    expect(taken).toEqual([true, false, false, true, true, true, true]);
  });

  it('by two owners at once gives two keys that sign', async () => {
    const old = bank.secrets.sepay;
    const answers = await Promise.all([replace('sepay'), replace('sepay')]);
    for (const one of [old, ...answers.map(({ secret }) => secret)])
      expect(await isTaken('sepay', one)).toBe(true);
  });

  it('signs none of the reports once they are removed, nor after they are set again', async () => {
    const old = bank.secrets.sepay;
    await replace('sepay');
    ok(await s.call('DELETE', reports('sepay'), { ...bank.owner }));
    expect(await replace('sepay')).toMatchObject({ old_secret_signs_until: null });
    expect(await isTaken('sepay', old)).toBe(false);
  });
});

describe('a transfer on the list: listTransfers, assignTransfer and returnTransfer', () => {
  const open = async (amount = price): Promise<string> => {
    await send(report({ amount }));
    return (await list())[0]!.id;
  };

  it('pays the booking that a person names, and the next with what is left', async () => {
    const [one, two] = [await bookHere(), await bookHere({}, 'CASH')];
    const id = await open(price + 300_000);
    expect(ok(await assign(id, one))).toMatchObject({ state: 'OPEN', rest: 300_000, booking_ids: [one] });
    expect(ok(await assign(id, two))).toMatchObject({ state: 'MATCHED', rest: 0, booking_ids: [one, two] });
    expect([await money(one), await money(two)]).toMatchObject([
      { payment_status: 'PAID' },
      { amount_paid: 300_000 },
    ]);
    expect(refusal(await assign(id, two)).code).toBe('INVALID_STATE_TRANSITION');
    expect(await list()).toEqual([]);
    for (const booking of [one, two]) await requireSound(booking);
  });

  it('pays once when two clerks name it at once', async () => {
    const [one, two] = [await bookHere(), await bookHere()];
    const id = await open();
    const replies = await Promise.all([assign(id, one), assign(id, two)]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const paid = [await money(one), await money(two)].map(({ amount_paid }) => amount_paid);
    expect(paid.toSorted()).toEqual([0, price]);
  });

  it('is noted as returned', async () => {
    const id = await open();
    expect(ok(await returned(id))).toMatchObject({ state: 'RETURNED', note: 'Sent back', rest: price });
    expect(await list('RETURNED')).toHaveLength(1);
    expect(refusal(await returned(id)).code).toBe('INVALID_STATE_TRANSITION');
    expect(refusal(await assign(id, await bookHere())).code).toBe('INVALID_STATE_TRANSITION');
  });

  it('is refused for bookings that it cannot pay, and hidden from other teams and clerks', async () => {
    const id = await open();
    const foreign = await book({}, 'BANK_TRANSFER');
    expect(refusal(await assign(id, foreign)).code).toBe('BOOKING_NOT_FOUND');
    const paid = await bookHere({}, 'CASH');
    ok(await s.call('POST', `/api/v1/bookings/${paid}/mark-paid`, { ...bank.owner }));
    for (const booking of [
      paid,
      await bookHere({ instant_book_enabled: false }),
      await bookHere({}, 'ONLINE_GATEWAY'),
    ])
      expect(refusal(await assign(id, booking)).code).toBe('INVALID_STATE_TRANSITION');
    expect(refusal(await assign('nothing', paid)).code).toBe('NOT_FOUND');
    expect(refusal(await assign(id, await bookHere(), s.host)).code).toBe('NOT_FOUND');
    expect(refusal(await returned(id, s.host)).code).toBe('NOT_FOUND');
    const staff = await s.person('STAFF', bank.teamId);
    expect(refusal(await s.get(staff, '/api/v1/team/transfers')).code).toBe('FORBIDDEN');
    expect(await list(undefined, s.host)).toEqual([]);
    advanceMinutes(1);
  });
});
