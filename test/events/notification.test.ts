import { SendEmailCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { mockClient } from 'aws-sdk-client-mock';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { notificationWorker } from '../../functions/workers/notification/index.ts';
import { cancelBooking } from '../../shared/domain/booking/cancel-booking.ts';
import { acceptInvitation, addMember } from '../../shared/domain/people/index.ts';
import { type User, UserEntity } from '../../shared/domain/people/model.ts';
import type { Mail, Mailer } from '../../shared/platform/mail/mailer.ts';
import { sesMailer } from '../../shared/platform/mail/ses-mailer.ts';
import type { EventMessage } from '../../shared/platform/events/index.ts';
import { newEventId, orderIdOf } from '../../shared/platform/ids.ts';
import { change as changeItem, present } from '../../shared/platform/table/index.ts';
import { bookStay, eventScene, eventsOf, queueEvent } from '../support/events.ts';
import { apiAddress, mailedSecret, testPerson } from '../support/invitations.ts';
import { testListing } from '../support/listings.ts';
import { testUser } from '../support/table.ts';

const stay = (listing_id: number) => ({
  listing_id,
  check_in_date: '2027-02-04',
  check_out_date: '2027-02-07',
});
const done = { batchItemFailures: [] };

let s: Awaited<ReturnType<typeof eventScene>>;
let sent: Mail[];
beforeEach(async () => {
  s = await eventScene();
  sent = [];
});

const worker = (mailer: Mailer = { send: async (mail) => void sent.push(mail) }) =>
  notificationWorker(() => ({ ...s.deps, mailer }));
const addresses = () => sent.map(({ to }) => to).sort();
const both = () => [s.guest.user.email, s.owner.user.email].sort();

describe('notification', () => {
  it('writes to guest and host of a new booking, each in the own language', async () => {
    const { created } = await bookStay(s.asGuest, stay(s.listing.id));
    expect(await worker()(queueEvent(created))).toEqual(done);
    expect(addresses()).toEqual(both());
    const to = (address: string) => sent.find((mail) => mail.to === address)!;
    expect(to(s.guest.user.email).subject).toMatch(/^Đặt phòng thành công/);
    expect(to(s.owner.user.email).subject).toMatch(/^New booking/);
    expect(to(s.owner.user.email).text).toContain(s.guest.user.full_name);
  });

  it('reaches managers and staff, not customers, and no person twice', async () => {
    const team_id = s.team_id;
    const [manager, staff] = await Promise.all([
      testUser(s.deps, { memberships: [{ team_id, role: 'MANAGER' }] }),
      testUser(s.deps, { memberships: [{ team_id, role: 'STAFF' }] }),
      testUser(s.deps, { memberships: [{ team_id, role: 'CUSTOMER' }] }),
    ]);
    const { created } = await bookStay(s.asOwner, stay(s.listing.id));
    await worker()(queueEvent(created));
    expect(addresses()).toEqual([s.owner, manager, staff].map(({ user }) => user.email).sort());
  });

  it('reaches an invited person once the invitation is accepted', async () => {
    const { team_id, deps } = s;
    const person = await testPerson(deps);
    const { email } = person;
    await addMember(deps, { team_id, email, role: 'MANAGER', api_url: apiAddress });
    const mailed = async (listing_id: number): Promise<string[]> => {
      sent = [];
      const { created } = await bookStay(s.asGuest, stay(listing_id));
      await worker()(queueEvent(created));
      return addresses();
    };
    expect(await mailed(s.listing.id)).toEqual(both());
    await acceptInvitation(person.as(), await mailedSecret(deps, { team_id, email }));
    const other = await testListing(s.deps, { team_id: s.team_id });
    expect(await mailed(other.id)).toEqual([...both(), email].sort());
  });

  it('says that a booking waits for the host when it does', async () => {
    s = await eventScene({ instant_book_enabled: false });
    const { created } = await bookStay(s.asGuest, stay(s.listing.id));
    await worker()(queueEvent(created));
    expect(sent.map(({ subject }) => subject.split(':')[0]).sort()).toEqual([
      'New booking request',
      'Đã gửi yêu cầu đặt phòng',
    ]);
  });

  it('writes about a cancellation', async () => {
    const { booking_id } = await bookStay(s.asGuest, stay(s.listing.id));
    await cancelBooking(s.asGuest, booking_id);
    const events = await eventsOf(s.deps.table, `ORDER#${orderIdOf(booking_id)}`);
    const cancelled = events.find(({ event_type }) => event_type === 'booking.cancelled')!;
    await worker()(queueEvent(cancelled));
    expect(sent.map(({ subject }) => subject.split(':')[0]).sort()).toEqual([
      'Booking cancelled',
      'Đặt phòng đã bị hủy',
    ]);
    expect(sent.every(({ text }) => /Cancelled|Đã hủy/.test(text))).toBe(true);
  });
});

describe('notification of a person whose address has changed', () => {
  const change = (user: User, set: Partial<User>) =>
    s.deps.table.transact([changeItem(UserEntity, user, { set }, { when: present() })]);
  const mailedAfter = async (user: User, set: Partial<User>): Promise<string[]> => {
    const { created } = await bookStay(s.asGuest, stay(s.listing.id));
    await change(user, set);
    await worker()(queueEvent(created));
    return addresses();
  };
  const next = 'changed@example.org';

  it('goes to the guest’s new address, and not to the one of the booking', async () => {
    const mailed = await mailedAfter(s.guest.user, { email: next });
    expect(mailed).toEqual([next, s.owner.user.email].sort());
  });

  it('goes to no address of the guest while the new one is not verified', async () => {
    const mailed = await mailedAfter(s.guest.user, { email: next, email_verified: false });
    expect(mailed).toEqual([s.owner.user.email]);
  });

  it('goes to the address of the booking while that one is to be verified again, or after the account ended', async () => {
    expect(await mailedAfter(s.guest.user, { email_verified: false })).toEqual(both());
    sent = [];
    s = await eventScene();
    expect(await mailedAfter(s.guest.user, { status: 'DELETED', email: next })).toEqual(both());
  });

  it('goes to no host at an address that is not verified', async () => {
    const mailed = await mailedAfter(s.owner.user, { email: next, email_verified: false });
    expect(mailed).toEqual([s.guest.user.email]);
  });
});

describe('notification under repetition', () => {
  const booked = async (): Promise<EventMessage> => (await bookStay(s.asGuest, stay(s.listing.id))).created;

  it('writes once when the queue delivers again', async () => {
    const created = await booked();
    await worker()(queueEvent(created));
    expect(await worker()(queueEvent(created, created))).toEqual(done);
    expect(addresses()).toEqual(both());
  });

  it('writes once under two simultaneous deliveries, and the late one is delivered again', async () => {
    const created = await booked();
    const slow = worker({
      send: async (mail) => {
        await pause(100);
        sent.push(mail);
      },
    });
    const answers = await Promise.all([slow(queueEvent(created)), slow(queueEvent(created))]);
    expect(addresses()).toEqual(both());
    expect(answers.flatMap(({ batchItemFailures }) => batchItemFailures).length).toBeGreaterThan(0);
    expect(await slow(queueEvent(created))).toEqual(done);
    expect(sent).toHaveLength(2);
  });

  it('writes for events in any order', async () => {
    const { booking_id } = await bookStay(s.asGuest, stay(s.listing.id));
    await cancelBooking(s.asGuest, booking_id);
    const events = await eventsOf(s.deps.table, `ORDER#${orderIdOf(booking_id)}`);
    for (const event of events.toReversed()) await worker()(queueEvent(event));
    // What was created is cancelled: nothing else is true by now.
    expect(sent.map(({ subject }) => subject.split(':')[0]).sort()).toEqual([
      'Booking cancelled',
      'Đặt phòng đã bị hủy',
    ]);
  });

  it('keeps no mail back because another one fails, and sends that one later', async () => {
    const created = await booked();
    const down = worker({
      send: async (mail) => {
        if (mail.to === s.owner.user.email) throw new Error('mailbox full');
        sent.push(mail);
      },
    });
    expect(await down(queueEvent(created))).toEqual({ batchItemFailures: [{ itemIdentifier: 'message-0' }] });
    expect(addresses()).toEqual([s.guest.user.email]);
    expect(await worker()(queueEvent(created))).toEqual(done);
    expect(addresses()).toEqual(both());
  });

  it('sends when the mail service is back', async () => {
    const ses = mockClient(SESv2Client);
    const mailer = sesMailer(ses, { MAIL_SENDER: 'stay@example.com', MAIL_CONFIGURATION_SET: 'stays' });
    const created = await booked();
    ses.on(SendEmailCommand).rejects(new Error('down'));
    expect((await worker(mailer)(queueEvent(created))).batchItemFailures).toHaveLength(1);
    ses.reset();
    ses.on(SendEmailCommand).resolves({ MessageId: '1' });
    expect(await worker(mailer)(queueEvent(created))).toEqual(done);
    const inputs = ses.commandCalls(SendEmailCommand).map(({ args }) => args[0].input);
    expect(inputs.flatMap(({ Destination }) => Destination?.ToAddresses ?? []).sort()).toEqual(both());
    expect(inputs.every(({ FromEmailAddress }) => FromEmailAddress === 'stay@example.com')).toBe(true);
    expect(inputs.every(({ ConfigurationSetName }) => ConfigurationSetName === 'stays')).toBe(true);
    expect(inputs[0]?.Content?.Simple?.Body?.Html?.Charset).toBe('UTF-8');
  });

  it('sends nothing to a name that no one can have', async () => {
    const ses = mockClient(SESv2Client);
    ses.on(SendEmailCommand).resolves({ MessageId: '1' });
    const mailer = sesMailer(ses, { MAIL_SENDER: 'stay@example.com' });
    const mail = { subject: 'Booked', text: 'Booked', html: 'Booked' };
    for (const to of ['canary@nightlatch.invalid', 'A@B.INVALID ', 'a@invalid.example.com'])
      await mailer.send({ ...mail, to });
    const inputs = ses.commandCalls(SendEmailCommand).map(({ args }) => args[0].input);
    expect(inputs.map(({ Destination }) => Destination?.ToAddresses)).toEqual([['a@invalid.example.com']]);
  });

  it('lets an event without its booking fail', async () => {
    const created = { ...(await booked()), data: { id: 17 } };
    expect((await worker()(queueEvent(created))).batchItemFailures).toHaveLength(1);
  });
});

describe('a webhook that is failing', () => {
  const failing = (): EventMessage => ({
    id: newEventId(s.deps.clock),
    event_type: 'webhook.failing',
    occurred_at: '2027-01-18T07:00:00.000Z',
    team_id: s.team_id,
    actor: 'system:webhook',
    data: {
      id: 4712,
      team_ids: [s.team_id],
      url: 'https://partner.example.com/hooks?token=1',
      description: null,
      problem: 'answers with status 500',
      troubled_since: '2027-01-15T03:00:00.000Z',
    },
  });

  it('is mailed to the owners alone, once', async () => {
    await testUser(s.deps, { memberships: [{ team_id: s.team_id, role: 'MANAGER' }] });
    const other = await testUser(s.deps, { memberships: [{ team_id: s.team_id, role: 'OWNER' }] });
    const event = failing();
    expect(await worker()(queueEvent(event, event))).toEqual(
      expect.objectContaining({ batchItemFailures: expect.any(Array) as unknown }),
    );
    expect(await worker()(queueEvent(event))).toEqual(done);
    expect(addresses()).toEqual([s.owner.user.email, other.user.email].sort());
    const english = sent.find(({ to }) => to === s.owner.user.email)!;
    expect(english.subject).toBe('A webhook is failing: partner.example.com');
    expect(english.text).not.toContain('token');
    for (const fact of ['4712', 'https://partner.example.com/hooks', 'answers with status 500'])
      expect(english.text).toContain(fact);
    expect(sent.find(({ to }) => to === other.user.email)!.subject).toMatch(/^Webhook không hoạt động/);
  });

  it('comes again to those alone who have no mail yet', async () => {
    const event = failing();
    const answer = await worker({ send: () => Promise.reject(new Error('down')) })(queueEvent(event));
    expect(answer.batchItemFailures).toHaveLength(1);
    expect(await worker()(queueEvent(event))).toEqual(done);
    expect(addresses()).toEqual([s.owner.user.email]);
  });
});
