import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { TeamEntity } from '../../shared/domain/people/team.store.ts';
import { PricePartsEntity } from '../../shared/domain/pricing/price-parts.entity.ts';
import { change, present, put } from '../../shared/platform/table/index.ts';
import { localTimeText, moneyText, type WrittenLanguage } from '../../shared/platform/text/language.ts';
import { type Folio, folioCalls, stayPrice as price } from '../support/folio-calls.ts';
import {
  guest_info,
  nights,
  ok,
  type ReplyOf,
  refusal,
  stay,
  stopClock,
  useOrderScene,
  type Who,
} from '../support/order-scene.ts';

const s = useOrderScene();
const calls = folioCalls(s);
const { book } = calls;

const ask = (id: number, query: Record<string, string> = {}, who: Who = s.host) =>
  s.get<unknown>(who, `/api/v1/bookings/${id}/folio`, { format: 'html', ...query });
const page = async (id: number, language: WrittenLanguage = 'en'): Promise<string> => {
  const reply = await ask(id, { language });
  expect(reply.status).toBe(200);
  return reply.text;
};
const post = async (id: number, verb: string, body: object = {}, status = 201): Promise<void> =>
  void ok(await s.call('POST', `/api/v1/bookings/${id}/${verb}`, { ...s.host, body }), status);
const pay = (id: number, amount: number, more: object = {}) =>
  post(id, 'payments', { amount, method: 'CASH', ...more });
/** Books by telephone; returns the ids of the stays and of their order. */
const bookFor = async (items: object[], given: object = {}): Promise<[number, number, number]> => {
  const body = { items, guest_info, payment_method: 'CASH', ...given };
  type Booked = { master_reservation_id: number; reservations: { id: number }[] };
  const reply: ReplyOf<Booked> = await s.call('POST', '/api/v1/bookings', { ...s.host, body });
  const { master_reservation_id: order, reservations } = ok(reply, 201);
  return [reservations[0]!.id, reservations.at(-1)!.id, order];
};
const takeOut = async (id: number, what: string): Promise<void> =>
  void ok(
    await s.call('DELETE', `/api/v1/bookings/${id}/${what}`, { ...s.host, query: { reason: 'A slip' } }),
  );
const renameTeam = (set: { name?: string; language?: 'vi' | 'en' }) =>
  s.deps.table.transact([change(TeamEntity, { team_id: s.a.team_id }, { set }, { when: present() })]);

const plain = (text: string): string =>
  text
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
/** The rows of all tables of a page, cell by cell. */
const rowsOf = (text: string): string[][] =>
  [...text.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => plain(cell)),
  );
/** The last cell of the rows with a label. */
const valuesOf = (text: string, label: string): (string | undefined)[] =>
  rowsOf(text)
    .filter(([first]) => first === label)
    .map((row) => row.at(-1));
const shown = (amount: number, language: WrittenLanguage = 'en'): string =>
  plain(moneyText(amount, 'VND', language));
const amountOf = (text = ''): number => Number(text.replaceAll(/[^\d-]/g, ''));
const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** What was paid and refunded, without day and reference. */
const movedIn = (text: string): [string, number][] =>
  rowsOf(text)
    .filter((row) => row.length === 4 && row[0] !== 'Date')
    .map(([, what = '', , amount]) => [what, amountOf(amount)]);

/** Requires that the page says the sums of the folio, and that its rows add up to them. */
const requireSums = async (id: number): Promise<Folio> => {
  const [folio, text] = [await calls.folio(id), await page(id)];
  expect(valuesOf(text, 'Amount due')).toEqual([shown(folio.amount_due)]);
  expect(valuesOf(text, 'Amount paid')).toEqual([shown(folio.amount_paid)]);
  expect(valuesOf(text, 'Refunded')).toEqual([shown(folio.amount_refunded)]);
  expect(valuesOf(text, 'Credit')).toEqual(folio.balance < 0 ? [shown(-folio.balance)] : []);
  const payable = folio.balance + folio.amount_paid - folio.amount_refunded;
  const [, ...parts] = text.split('<h2>');
  const stays = parts.filter((part) => part.includes('Check-in: '));
  const totals = stays.map((part) => {
    const rows = rowsOf(part.slice(0, part.indexOf('</table>')));
    const [total, ...lines] = rows.toReversed().map((row) => amountOf(row.at(-1)));
    expect(sum(lines)).toBe(total);
    return total!;
  });
  expect(sum(totals)).toBe(payable);
  expect(valuesOf(text, 'Total').at(-1)).toBe(shown(payable));
  expect(sum(movedIn(text).map(([, amount]) => amount))).toBe(folio.amount_paid - folio.amount_refunded);
  return folio;
};

describe('GET /bookings/{id}/folio with format=html', () => {
  it('is the draft of an invoice while something is due, and a receipt then, in both languages', async () => {
    await renameTeam({ name: 'Nhà Gió' });
    const [id] = await bookFor([stay(await s.listing({ name: 'Biệt thự Đồi Thông' }))]);
    await pay(id, 500_000, { reference: 'Receipt 118', received_at: '2026-12-31T18:30:00.000Z' });
    const at = { in: '2027-02-10T14:00:00', out: '2027-02-12T12:00:00', paid: '2027-01-01T01:30:00' };
    const [vi, en] = [await page(id, 'vi'), await page(id, 'en')];
    expect(vi).toContain('<html lang="vi">');
    expect(en).toContain('<html lang="en">');
    for (const title of [`<title>Hóa đơn nháp ${id}</title>`, `<h1>Hóa đơn nháp ${id}</h1>`])
      expect(vi).toContain(title);
    expect(en).toContain(`<h1>Invoice draft ${id}</h1>`);
    for (const [text, language, check] of [
      [vi, 'vi', 'Nhận phòng'],
      [en, 'en', 'Check-in'],
    ] as const) {
      expect(plain(text)).toContain('Nhà Gió');
      expect(plain(text)).toContain(`Biệt thự Đồi Thông (${id})`);
      expect(plain(text)).toContain(`${check}: ${localTimeText(at.in, language)}`);
      expect(plain(text)).toContain(localTimeText(at.out, language));
      expect(plain(text)).toContain('(Asia/Ho_Chi_Minh)');
    }
    expect(valuesOf(vi, 'Khách')).toEqual([guest_info.full_name]);
    expect(valuesOf(vi, 'Đêm 2027-02-10')).toEqual([shown(1_000_000, 'vi')]);
    expect(valuesOf(vi, 'Cần thanh toán')).toEqual([shown(price - 500_000, 'vi')]);
    expect(valuesOf(en, 'Guest')).toEqual([guest_info.full_name]);
    expect(valuesOf(en, 'Issued')).toEqual([localTimeText('2027-01-15T10:00:00', 'en')]);
    expect(valuesOf(en, 'Night 2027-02-11')).toEqual([shown(1_000_000)]);
    expect(rowsOf(en)).toContainEqual([
      ...[localTimeText(at.paid, 'en'), 'Payment, Cash on site', 'Receipt 118', shown(500_000)],
    ]);
    await requireSums(id);
    await pay(id, price - 500_000, { method: 'BANK_TRANSFER' });
    expect(await page(id, 'vi')).toContain(`<h1>Biên nhận ${id}</h1>`);
    expect(await page(id)).toContain(`<h1>Receipt ${id}</h1>`);
    await requireSums(id);
  });

  it('says what was charged, adjusted, taken out, handed over and is credit', async () => {
    const home = await s.listing({ security_deposit: 0 });
    const breakfast = { id: 7, listing_id: home.id, service_name: 'Bữa sáng', description: null };
    const terms = { price: 50_000, price_unit: 'per_person' as const, is_required: true, is_active: true };
    const services = [{ ...breakfast, ...terms, created_at: '2027-01-01T00:00:00.000Z' }];
    const parts = { listing_id: home.id, version: 1, combos: [], rules: [], services };
    await s.deps.table.transact([put(PricePartsEntity, parts)]);
    const [id] = await bookFor([stay(home)]);
    await pay(id, price + 100_000);
    await post(id, 'charges', { label: 'Minibar', amount: 30_000, quantity: 2 });
    await post(id, 'charges', { label: 'Glass', amount: 20_000 });
    await takeOut(id, 'charges/3');
    await pay(id, 5_000);
    await takeOut(id, 'payments/5');
    await pay(id, 60_000);
    await requireSums(id);
    expect(rowsOf(await page(id))).not.toContainEqual(['Credit', expect.anything()]);
    const goodwill = { label: 'Cold shower', amount: -200_000, reason: 'GOODWILL' };
    ok(await s.call('POST', `/api/v1/bookings/${id}/adjustments`, { ...s.host, body: goodwill }));
    expect((await requireSums(id)).amount_to_return).toBe(200_000);
    const text = await page(id);
    expect(valuesOf(text, 'Bữa sáng × 2')).toEqual([shown(100_000)]);
    expect(valuesOf(text, 'Minibar × 2')).toEqual([shown(60_000)]);
    expect(valuesOf(text, 'Glass')).toEqual([shown(20_000)]);
    expect(valuesOf(text, 'Glass (taken out)')).toEqual([shown(-20_000)]);
    expect(valuesOf(text, 'Cold shower')).toEqual([shown(-200_000)]);
    expect(movedIn(text)).toEqual([
      ['Payment, Cash on site', price + 100_000],
      ['Payment, Cash on site', 5_000],
      ['Recorded by mistake, taken out, Cash on site', -5_000],
      ['Payment, Cash on site', 60_000],
      ['Refund, Cash on site, not handed over yet', -60_000],
      ['Refund, Cash on site, not handed over yet', -140_000],
    ]);
    expect(plain(text)).not.toContain('Security deposit');
    await post(id, 'refunds/9/returned', { method: 'BANK_TRANSFER', reference: 'FT 7' }, 200);
    expect(movedIn(await page(id))[4]).toEqual(['Refund, Bank transfer', -60_000]);
    const credit = { adjustments: [goodwill, goodwill], as_credit: true };
    ok(await s.call('POST', `/api/v1/bookings/${id}/change`, { ...s.host, body: credit }));
    expect((await requireSums(id)).balance).toBe(-200_000);
  });

  it('is of all stays of a master id, with what takes out the price of one that fell through, and its fee', async () => {
    const abroad = { timezone: 'Europe/London', refund_rule: 'Non-refundable' };
    const items = [
      stay(await s.listing()),
      stay(await s.listing(abroad), nights('2027-02-20', '2027-02-22')),
    ];
    const [kept, gone, order] = await bookFor(items);
    await pay(gone, 500_000);
    await post(gone, 'charges', { label: 'Minibar', amount: 30_000 });
    stopClock('2027-02-21T03:00:00.000Z');
    await post(gone, 'no-show', {}, 200);
    await requireSums(order);
    await requireSums(kept);
    expect((await requireSums(gone)).amount_due).toBe(0);
    const text = await page(order);
    expect(text).toContain(`<h1>Invoice draft ${order}</h1>`);
    expect(await page(gone)).toContain(`<h1>Receipt ${gone}</h1>`);
    expect(valuesOf(text, 'Guest')).toEqual([guest_info.full_name]);
    expect(valuesOf(text, 'No-show')).toEqual([shown(-price), shown(-30_000)]);
    expect(valuesOf(text, 'Fee by the terms of cancellation')).toEqual([shown(500_000)]);
    expect(plain(text)).toContain(
      '(Asia/Ho_Chi_Minh). Times are the local time of the place (Europe/London).',
    );
    const paid = await page(gone);
    expect(valuesOf(paid, 'Issued')).toEqual([localTimeText('2027-02-21T03:00:00', 'en')]);
    expect(rowsOf(paid).find((row) => row[1] === 'Payment, Cash on site')![0]).toBe(
      localTimeText('2027-01-15T03:00:00', 'en'),
    );
    const [unpaid] = await bookFor([stay(await s.listing(), nights('2027-03-01', '2027-03-03'))]);
    ok(await s.cancel(s.host, unpaid));
    expect(await requireSums(unpaid)).toMatchObject({ amount_due: 0, amount_paid: 0 });
    expect(await page(unpaid)).toContain(`<h1>Invoice draft ${unpaid}</h1>`);
    expect(plain(await page(unpaid))).not.toContain('Payments and refunds');
  });

  it('is no receipt while the balance of a payment plan is still to come, and says when it is due', async () => {
    const id = await book({ deposit_percent: 30, balance_due: { hours_before: 24 } }, 'BANK_TRANSFER');
    expect(valuesOf(await page(id), 'Amount due')).toEqual([shown(price * 0.3)]);
    await pay(id, price * 0.3);
    expect(await requireSums(id)).toMatchObject({ amount_due: 0, amount_due_later: price * 0.7 });
    const text = await page(id);
    expect(text).toContain(`<h1>Invoice draft ${id}</h1>`);
    const until = localTimeText('2027-02-09T14:00:00', 'en');
    expect(valuesOf(text, 'Balance')).toEqual([`${shown(price * 0.7)}, due at ${until}`]);
    await pay(id, price * 0.7);
    expect(await page(id)).toContain(`<h1>Receipt ${id}</h1>`);
    expect(valuesOf(await page(id), 'Balance')).toEqual([]);
  });

  it('has the security deposit apart, and what a partner has collected', async () => {
    const held = await book({ security_deposit: 500_000 });
    const before = rowsOf(await page(held));
    expect(before.slice(-4).map(([, amount]) => amountOf(amount))).toEqual([500_000, 0, 0, 0]);
    for (const body of [
      { action: 'TAKE', amount: 400_000, method: 'CASH' },
      { action: 'KEEP', amount: 100_000, note: 'A lamp' },
      { action: 'RETURN', amount: 250_000, method: 'CASH' },
    ])
      await post(held, 'security-deposit', body);
    const text = await page(held);
    expect(rowsOf(text).slice(-4)).toEqual([
      ['Amount', shown(500_000)],
      ['Held', shown(50_000)],
      ['Kept', shown(100_000)],
      ['Returned', shown(250_000)],
    ]);
    expect(plain(await page(held, 'vi'))).toContain('Tiền đặt cọc Không nằm trong các khoản trên.');
    await requireSums(held);
    const partner = await s.partner({ collects_payment: true });
    const body = { ...stay(await s.listing()), nights: 2, guest_info, payment_method: 'CASH' };
    const { id: collected } = ok(await s.bookOut(partner, body), 201);
    expect(movedIn(await page(collected))[0]![0]).toMatch(/^Payment, .*through the partner$/);
    ok(await s.cancel(s.host, collected));
    expect(movedIn(await page(collected))[1]![0]).toMatch(/^Refund, .*through the partner$/);
    await requireSums(collected);
  });

  it('shows what people wrote as text, runs no script, loads nothing and is not kept', async () => {
    const mark = `<img src=x onerror="alert(1)">&'`;
    await renameTeam({ name: `${mark}team` });
    const home = await s.listing({ name: `${mark}home` });
    const [id] = await bookFor([stay(home)], { guest_info: { ...guest_info, full_name: `${mark}guest` } });
    await post(id, 'charges', { label: `${mark}charge`, amount: 1_000 });
    const adjustment = { label: `${mark}line`, amount: -1_000, reason: 'GOODWILL' };
    ok(await s.call('POST', `/api/v1/bookings/${id}/adjustments`, { ...s.host, body: adjustment }));
    const { text, headers } = await ask(id);
    for (const what of ['team', 'home', 'guest', 'charge', 'line'])
      expect(text).toContain(`&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;&#39;${what}`);
    expect(text).not.toMatch(/<(img|script|link|a|iframe|form)\b|<[^>]*\s(href|src|style|on\w+)=/);
    const [, style = ''] = /<style>(.*)<\/style>/s.exec(text) ?? [];
    expect(style).not.toMatch(/url\(|@import/);
    const hash = createHash('sha256').update(style).digest('base64');
    const policy = `default-src 'none'; style-src 'sha256-${hash}'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`;
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    expect(text).toContain(`content="${policy.replaceAll("'", '&#39;')}"`);
  });

  it('is in the language of the mails of the team unless another is asked for, and for whom the JSON is', async () => {
    const id = await book();
    expect((await ask(id)).text).toContain('<html lang="vi">');
    await renameTeam({ language: 'en' });
    expect((await ask(id, {}, s.staff)).text).toContain('<html lang="en">');
    expect((await ask(id, { language: 'vi' })).text).toContain('<html lang="vi">');
    for (const who of [s.otherHost, s.other])
      expect(refusal(await ask(id, {}, who)).code).toBe('BOOKING_NOT_FOUND');
    expect(refusal(await ask(id, {}, s.guest)).code).toBe('FORBIDDEN');
    for (const [name, value] of [
      ['format', 'pdf'],
      ['language', 'fr'],
    ] as const)
      expect(refusal(await ask(id, { [name]: value }))).toMatchObject({
        ...{ code: 'VALIDATION_ERROR', paths: [name] },
      });
    expect((await ask(id, { format: 'json' })).body).toEqual(await calls.folio(id));
  });
});
