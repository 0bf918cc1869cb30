import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ReservationEntity } from '../../shared/domain/booking/reservation.entity.ts';
import { auditBooking } from '../../shared/domain/audit/index.ts';
import { cancelBooking } from '../../shared/domain/booking/index.ts';
import { changeBooking } from '../../shared/domain/checkout/index.ts';
import { chargesOf } from '../../shared/domain/folio/model.ts';
import { sendMessage } from '../../shared/domain/chat/messages.ts';
import { TeamEntity } from '../../shared/domain/people/team.store.ts';
import { updateCustomer } from '../../shared/domain/people/update-customer.ts';
import { MembershipEntity, readUser } from '../../shared/domain/people/user.store.ts';
import { readEvents } from '../../shared/domain/webhook/read-events.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { put, remove } from '../../shared/platform/table/index.ts';
import { interruptedTable } from '../support/interrupted.ts';
import { answerOf, playOperator, refusalOf } from '../support/operator.ts';
import { key, ok, stay } from '../support/order-scene.ts';
import { testListing } from '../support/listings.ts';
import { crashingTable, paymentScene } from '../support/payment-scene.ts';
import { itemsWith, personScene, type PersonScene } from '../support/person-scene.ts';
import { BankTransferEntity } from '../../shared/domain/transfer/bank-transfer.entity.ts';
import { foldText } from '../../shared/platform/text/fold-text.ts';
import { testContext, testKey, testStart, testTeam, testUser } from '../support/table.ts';

interface Answer {
  user_ids: number[];
  changed: Record<string, number>;
  removed: Record<string, number>;
  left: number[];
  mentions: { entity: string; path: string }[];
  is_complete: boolean;
  repeat_at: string | null;
}

let s: PersonScene;
beforeEach(async () => void (s = await personScene()));
afterAll(() => void vi.useRealTimers());

const run = (verb: 'erase' | 'export', ...flags: string[]) =>
  playOperator(s.deps, ['person', verb, '--email', s.marks.email, ...flags]);
const erase = async (...flags: string[]): Promise<Answer> => answerOf(await run('erase', ...flags));
const stayOf = (id: number) =>
  s.deps.table.get(ReservationEntity, { order_id: orderIdOf(id), reservation_id: id });
const findings = async () =>
  Promise.all(Object.values(s.bookings).map(async (id) => (await auditBooking(s.deps, id)).findings));

/** Everything of the person that a dump of the table has. */
const traces = () => itemsWith(Object.values(s.marks));

describe('an erased person', () => {
  test('is in no item of the table, and only the operator’s own texts are left to the operator', async () => {
    const before = await traces();
    const kinds = [
      'User',
      'Order',
      'Reservation',
      'ChatMessage',
      'ChatThread',
      'Review',
      'Event',
      'EventPage',
    ];
    for (const kind of [...kinds, 'WebhookDelivery', 'IdempotencyRecord', 'EmailOwner', 'AvailabilityEntry'])
      expect(before.filter((at) => at.startsWith(`${kind} `))).not.toEqual([]);
    expect(await s.found(s.marks.full_name)).toBe(3);
    const answer = await erase();
    expect(answer).toMatchObject({ user_ids: [s.user.user_id], left: [], is_complete: false });
    expect(answer.mentions).toEqual([expect.objectContaining({ entity: 'AvailabilityEntry', path: 'note' })]);
    expect((await traces()).map((at) => at.split(' ')[0])).toEqual(['AvailabilityEntry']);
    expect(await s.found(s.marks.full_name)).toBe(0);
    expect(await s.found(s.marks.email)).toBe(0);
    expect(await s.found(s.marks.phone)).toBe(0);
  });

  test('leaves what was booked, when and for how much, and records that agree', async () => {
    const before = await stayOf(s.bookings.cancelled);
    const found = await findings();
    await erase();
    const after = await stayOf(s.bookings.cancelled);
    const { cancel_reason: _, ...kept } = before!;
    expect(after).toEqual({
      ...kept,
      updated_at: after?.updated_at,
      guest: {
        user_id: s.user.user_id,
        full_name: '[erased]',
        phone: '',
        email: '',
        language: before?.guest.language,
      },
    });
    expect(after!.updated_at > before!.updated_at).toBe(true);
    expect(await findings()).toEqual(found);
    expect(await readUser(s.deps.table, s.user.user_id)).toMatchObject({
      user: { status: 'DELETED', email: '', full_name: '[erased]', date_of_birth: null, auth0_id: null },
      memberships: [],
    });
    const { items } = await readEvents(s.deps, { after: undefined, limit: 100, teams: [s.a.team_id] });
    expect(items.find(({ event_type }) => event_type === 'review.created')?.data).toMatchObject({
      rating: 4,
      comment: '[erased]',
    });
  });

  test('who is named in the text of a bank transfer, as banks write it, is left to the operator there', async () => {
    const ids = { team_id: s.a.team_id, transfer_id: 'erased' };
    const name = foldText(s.marks.full_name).toUpperCase();
    const transfer = {
      ...{ ...ids, state: 'OPEN' as const, amount: 1, rest: 1, currency: 'VND', account_number: '0071' },
      ...{ bank_reference: 'FT1', text: `MBVCB.1.${name} CHUYEN TIEN`, named_orders: [], booking_ids: [] },
      ...{ received_at: testStart, created_at: testStart, updated_at: testStart, version: 1 },
    };
    await s.deps.table.put(put(BankTransferEntity, transfer));
    expect((await erase()).mentions).toContainEqual(
      expect.objectContaining({ entity: 'BankTransfer', path: 'text' }),
    );
    await s.deps.table.transact([remove(BankTransferEntity, ids)]);
  });

  test('is no contact of a team any more, and one by name alone is left to the operator', async () => {
    const { full_name, phone, email } = s.marks;
    const team = (given: object) => testTeam(s.deps, { name: 'Nhà', contact_name: full_name, ...given });
    const other = { contact_email: 'lan@example.com', contact_phone: '+84 1 23 45 67' };
    const theirs = [
      await team({ ...other, contact_email: email }),
      await team({ ...other, contact_phone: phone.replaceAll(' ', '-') }),
    ];
    const named = await team(other);
    expect(Object.keys(answerOf<{ records: object }>(await run('export')).records)).toContain('Team');
    const { changed, mentions } = await erase();
    expect(changed).toMatchObject({ Team: 2 });
    expect(mentions).toContainEqual(expect.objectContaining({ entity: 'Team', path: 'contact_name' }));
    const now = await Promise.all([...theirs, named].map((one) => s.deps.table.get(TeamEntity, one)));
    expect(now.map((one) => one?.contact_name)).toEqual([undefined, undefined, full_name]);
    for (const one of now.slice(0, 2))
      expect(Object.keys(one ?? {}).sort()).toEqual(['created_at', 'name', 'team_id']);
    await s.deps.table.transact([remove(TeamEntity, named)]);
  });

  test('has no account where it logs in, and no token that works', async () => {
    const subject = s.user.auth0_id!;
    await erase();
    expect(s.deps.provider.accounts.has(subject)).toBe(false);
    expect((await s.call('GET', '/api/v1/auth/me', s.me)).status).toBe(401);
  });

  test('is erased once: a second run finds nothing, by id too', async () => {
    expect((await erase()).repeat_at).toBe('2027-01-15T03:02:00.000Z');
    const again = answerOf<Answer>(
      await playOperator(s.deps, ['person', 'erase', '--user', String(s.user.user_id)]),
    );
    expect(again).toMatchObject({ changed: {}, removed: {}, is_complete: true, repeat_at: null });
    expect(await erase()).toMatchObject({ changed: {}, removed: {}, is_complete: true, repeat_at: null });
  });

  test('is erased by a run that died after any of its writes, and one that was repeated', async () => {
    for (const at of [0, 1, 5, 20]) {
      if (at > 0) s = await personScene();
      const table = crashingTable(s.deps.table, at, 'after');
      const died = await playOperator({ ...s.deps, table }, ['person', 'erase', '--email', s.marks.email]);
      expect(died.exitCode).toBe(1);
      await erase();
      expect((await traces()).map((one) => one.split(' ')[0])).toEqual(['AvailabilityEntry']);
    }
  }, 30_000);

  test('is erased although a host writes to them at that moment', async () => {
    const table = interruptedTable(
      s.deps.table,
      (writes) => writes.some(({ entity }) => entity === 'ChatThread'),
      () => sendMessage(s.asHost, s.bookings.over, { text: s.marks.answer }),
    );
    answerOf(await playOperator({ ...s.deps, table }, ['person', 'erase', '--email', s.marks.email]));
    expect((await traces()).map((one) => one.split(' ')[0])).toEqual(['AvailabilityEntry']);
  });

  test('leaves the accounts of others unchanged', async () => {
    const { user: other } = await testUser(s.deps, { full_name: s.user.full_name, phone: s.user.phone });
    await erase();
    expect((await readUser(s.deps.table, other.user_id))?.user).toEqual(other);
    const host = await readUser(s.deps.table, s.host.user.user_id);
    expect(host?.user).toEqual(s.host.user);
  });
});

describe('a person is not erased', () => {
  test('while a booking is not over; with --after-stays the rest is', async () => {
    const future = await s.book(20);
    const { code, message } = refusalOf(await run('erase'));
    expect(code).toBe('INVALID_STATE_TRANSITION');
    expect(message).toContain(String(orderIdOf(future)));
    const answer = await erase('--after-stays');
    expect(answer).toMatchObject({ left: [orderIdOf(future)], is_complete: false });
    expect((await stayOf(future))?.guest.full_name).toBe(s.marks.full_name);
    expect((await stayOf(s.bookings.over))?.guest.full_name).toBe('[erased]');
    expect((await s.call('GET', '/api/v1/auth/me', s.me)).status).toBe(200);
    await cancelBooking(s.asPerson, future);
    await erase();
    expect((await traces()).map((one) => one.split(' ')[0])).toEqual(['AvailabilityEntry']);
  });

  test('while the identity provider does not answer, unless the account is gone there', async () => {
    s.deps.provider.isDown = true;
    expect(refusalOf(await run('erase')).code).toBe('IDENTITY_PROVIDER_UNAVAILABLE');
    expect((await stayOf(s.bookings.over))?.guest.full_name).toBe(s.marks.full_name);
    await erase('--account-gone');
    expect((await stayOf(s.bookings.over))?.guest.full_name).toBe('[erased]');
  });

  test('while they are a host or staff of the platform', async () => {
    const { user } = s.host;
    const host = await playOperator(s.deps, ['person', 'erase', '--user', String(user.user_id)]);
    expect(refusalOf(host).message).toContain('is a host');
    const { user: staff } = await testUser(s.deps, { system_role: 'ADMIN' });
    const refused = await playOperator(s.deps, ['person', 'erase', '--email', staff.email]);
    expect(refusalOf(refused).message).toContain('platform staff');
    expect(refusalOf(await playOperator(s.deps, ['person', 'erase', '--user', '1'])).code).toBe('NOT_FOUND');
  });

  test('by a dry run, which counts', async () => {
    const before = await traces();
    const { would_write } = answerOf<{ would_write: Record<string, number> }>(
      await run('erase', '--dry-run'),
    );
    expect(would_write).toMatchObject({ User: 1, EmailOwner: 1, Reservation: 3, Order: 3, Review: 1 });
    expect(await traces()).toEqual(before);
    expect(s.deps.provider.calls.filter((call) => call.startsWith('deleteUser'))).toEqual([]);
  });
});

test('the export of a person has their records and no credentials, before and nothing personal after', async () => {
  const answer = await run('export');
  const { user_ids, records } = answerOf<{ user_ids: number[]; records: Record<string, unknown[]> }>(answer);
  expect(user_ids).toEqual([s.user.user_id]);
  const counts = Object.fromEntries(Object.entries(records).map(([name, items]) => [name, items.length]));
  expect(counts).toMatchObject({ User: 1, Reservation: 3, Order: 3, Review: 1, ChatMessage: 3, CartItem: 1 });
  expect(answer.stdout).not.toContain('token_hash');
  for (const text of [s.marks.question, s.marks.comment, s.marks.reason])
    expect(answer.stdout).toContain(text);
  await erase();
  const later = answerOf<{ records: Record<string, unknown[]> }>(
    await playOperator(s.deps, ['person', 'export', '--user', String(s.user.user_id)]),
  );
  for (const text of Object.values(s.marks)) expect(JSON.stringify(later)).not.toContain(text);
});

test('the refunds of a stay that two payments paid are the person’s: exported, and without the reason once erased', async () => {
  const paying = await paymentScene();
  const home = await paying.listing({ refund_rule: 'Full refund until check-in' });
  const { id } = (await paying.confirm([home], 'tok_ok')).reservations[0]!;
  const longer = { check_out_date: '2027-02-07', payment_gateway_token: 'tok_ok' };
  await changeBooking(paying.guest, id, longer);
  const reason = 'My knee was operated.';
  await cancelBooking(paying.guest, id, reason);
  await paying.reconcile();
  const stay = await stayOf(id);
  const refunds = async () =>
    (await Promise.all(chargesOf(stay!).map(({ payment_id }) => paying.order(payment_id)))).flatMap((order) =>
      order.refunds.map((refund) => refund.reason),
    );
  expect(await refunds()).toEqual([reason, reason]);
  const person = ['--user', String(paying.guest.caller.user_id)];
  const exported = answerOf<{ records: Record<string, unknown[]> }>(
    await playOperator(paying.deps, ['person', 'export', ...person]),
  );
  expect(exported.records['Payment']).toHaveLength(2);
  expect(exported.records['PaymentRefund']).toHaveLength(2);
  await playOperator(paying.deps, ['person', 'erase', ...person]);
  expect(await refunds()).toEqual([null, null]);
});

test('a name that a partner has for its teams is exported, and erased everywhere', async () => {
  const other = await testKey(s.deps, { team_ids: [s.b.team_id] });
  const { user_id } = s.user;
  const member = { user_id, team_id: s.b.team_id, role: 'CUSTOMER', state: 'ACTIVE' } as const;
  await s.deps.table.transact([put(MembershipEntity, { ...member, created_at: s.user.created_at })]);
  const named = { full_name: 'Madame Kín Phụ', phone: '+84 911 004 005' };
  await updateCustomer(testContext(s.deps, other.caller), user_id, named);
  const listing = await testListing(s.deps, { team_id: s.b.team_id });
  const { reservations } = ok(
    await s.confirm(s.me, { items: [stay(listing)], payment_method: 'CASH' }, key('named')),
    201,
  );
  await s.end(reservations[0]!.id);
  expect((await stayOf(reservations[0]!.id))?.guest).toMatchObject(named);
  const { records } = answerOf<{ records: Record<string, object[]> }>(await run('export'));
  expect(records['Membership']).toContainEqual(expect.objectContaining(named));
  expect(await itemsWith(Object.values(named))).not.toEqual([]);
  await erase();
  expect(await itemsWith(Object.values(named))).toEqual([]);
});
