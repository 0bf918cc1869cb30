import {
  changeOrdersOf,
  type Order,
  OrderEntity,
  type Reservation,
  ReservationEntity,
} from '../../../shared/domain/booking/model.ts';
import { readUser, type UserWithTeams } from '../../../shared/domain/people/model.ts';
import { type PersonRef, requirePerson } from '../../../shared/domain/people/index.ts';
import type { Dependencies } from '../../../shared/platform/context.ts';
import { ServiceError } from '../../../shared/platform/errors.ts';
import { orderIdOf } from '../../../shared/platform/ids.ts';
import { addressDigest } from '../../../shared/platform/mail/allowance.rules.ts';
import { normalEmail } from '../../../shared/platform/text/normal-email.ts';
import type { Fields, Reading } from '../stored-items.ts';
import { eachRecord, fieldsOf } from './stored-records.ts';
import { personalValues } from './replace.ts';

/** A person, or the guest of a booking. */
export type StoredPersonRef = PersonRef | { booking_id: number };

/** What the records of a person have in common. */
export interface Person {
  userIds: Set<number>;
  /** In lower case. */
  emails: Set<string>;
  orderIds: Set<number>;
  /** Orders with a stay or a checkout that is not over. */
  liveOrderIds: Set<number>;
  users: UserWithTeams[];
  /** The personal values that are stored of them. */
  values: Set<string>;
}

interface Sources extends Reading {
  deps: Pick<Dependencies, 'table' | 'clock'>;
}

const liveStates: readonly string[] = ['PENDING', 'CONFIRMED', 'CHECKED_IN'];

/** Finds the accounts, addresses and orders of a person: reads the table twice. */
export const findPerson = async (sources: Sources, asked: StoredPersonRef): Promise<Person> => {
  const person: Person = {
    ...{ userIds: new Set(), emails: new Set(), orderIds: new Set(), liveOrderIds: new Set() },
    users: [],
    values: new Set(),
  };
  const ref = 'booking_id' in asked ? await guestOfBooking(sources, asked.booking_id, person) : asked;
  if (ref) await findAccounts(sources, ref, person);
  await eachRecord(sources, (record) => {
    const order = fieldsOf(OrderEntity, record);
    if (order) noteOrder(person, order, sources.deps.clock.now());
    const stay = fieldsOf(ReservationEntity, record);
    if (stay) noteStay(person, stay);
  });
  return person;
};

/** Returns the account or address of the guest of a booking; one who has neither is known by the order alone. */
const guestOfBooking = async (
  { deps }: Sources,
  bookingId: number,
  person: Person,
): Promise<PersonRef | undefined> => {
  const order = await deps.table.get(OrderEntity, { order_id: orderIdOf(bookingId) });
  if (!order?.guest) throw new ServiceError('NOT_FOUND', 'There is no such booking.');
  const { user_id, email } = order.guest;
  if (user_id !== null) return { user_id };
  if (email.includes('@')) return { email: normalEmail(email) };
  person.orderIds.add(order.order_id);
  return undefined;
};

/** An address may be that of several accounts, verified or not. */
const findAccounts = async (sources: Sources, ref: PersonRef, person: Person) => {
  const { deps } = sources;
  if ('user_id' in ref) person.userIds.add(ref.user_id);
  else if ('subject' in ref) person.userIds.add((await requirePerson(deps.table, ref)).user.user_id);
  else {
    person.emails.add(ref.email);
    await eachRecord(sources, ({ entity, fields }) => {
      const isTheirs = entity.name === 'User' || entity.name === 'EmailOwner';
      if (isTheirs && fields['email'] === ref.email) person.userIds.add(Number(fields['user_id']));
    });
  }
  for (const userId of person.userIds) {
    const found = await readUser(deps.table, userId);
    if (!found && 'user_id' in ref) throw new ServiceError('NOT_FOUND', 'There is no such user.');
    if (!found) continue;
    person.users.push(found);
    if (found.user.email.includes('@')) person.emails.add(found.user.email);
    for (const value of personalValues('User', found.user)) person.values.add(value);
    for (const membership of found.memberships)
      for (const value of personalValues('Membership', membership)) person.values.add(value);
  }
};

const isGuest = ({ userIds, emails }: Person, guest: Order['guest']): boolean =>
  guest !== null &&
  ((guest.user_id !== null && userIds.has(guest.user_id)) || emails.has(normalEmail(guest.email)));

const noteOrder = (person: Person, order: Order, now: number): void => {
  if (!person.orderIds.has(order.order_id) && !isGuest(person, order.guest)) return;
  person.orderIds.add(order.order_id);
  for (const value of personalValues('Order', order)) person.values.add(value);
  const isHeld = order.state === 'HELD' && order.locked_until > now;
  if (isHeld || order.state === 'CHARGING') person.liveOrderIds.add(order.order_id);
};

const noteStay = (person: Person, stay: Reservation): void => {
  if (!person.orderIds.has(stay.order_id) && !isGuest(person, stay.guest)) return;
  for (const id of [stay.order_id, ...changeOrdersOf(stay)]) person.orderIds.add(id);
  for (const value of personalValues('Reservation', stay)) person.values.add(value);
  if (liveStates.includes(stay.state)) person.liveOrderIds.add(stay.order_id);
};

const hasOrder = ({ orderIds }: Person, id: unknown): boolean =>
  typeof id === 'number' && orderIds.has(orderIdOf(id));
const hasUser = ({ userIds }: Person, id: unknown): boolean => typeof id === 'number' && userIds.has(id);

/** Returns whether a reference to a caller or reader is the person: `user:<id>`, or `mail:<address>`. */
export const isRefOf = ({ userIds, emails }: Person, ref: unknown): boolean => {
  const [kind, name = ''] = typeof ref === 'string' ? ref.split(/:(.*)/s) : [];
  return kind === 'user' ? userIds.has(Number(name)) : kind === 'mail' && emails.has(normalEmail(name));
};

type IsOf = (person: Person, fields: Fields) => boolean;
const byUser: IsOf = (person, { user_id }) => hasUser(person, user_id);
const byHolder: IsOf = (person, { holder }) => isRefOf(person, holder);
const byThread: IsOf = (person, { thread_id }) => hasOrder(person, thread_id);
const byPayment: IsOf = (person, { payment_id }) => hasOrder(person, payment_id);
const byAddress: IsOf = ({ emails }, { address }) =>
  [...emails].some((email) => addressDigest(email) === address);
const digitsOf = (text: unknown): string => String(text).replaceAll(/\D/g, '');

/** The contact of a team is known by address or telephone number: a name may be another's. */
const byContact: IsOf = ({ emails, values }, { contact_email, contact_phone }) =>
  emails.has(String(contact_email)) ||
  (contact_phone !== undefined && [...values].some((value) => digitsOf(value) === digitsOf(contact_phone)));

const byStay: IsOf = (person, { reservation_id }) => hasOrder(person, reservation_id);

const byEmail: IsOf = ({ emails }, { email }) => emails.has(String(email));

/** How the records of a person are known, by entity. All others are not of a person. */
const owners: Readonly<Record<string, IsOf>> = {
  User: byUser,
  Subject: byUser,
  EmailOwner: (person, fields) => byUser(person, fields) || person.emails.has(String(fields['email'])),
  Membership: byUser,
  Team: byContact,
  FirstPassword: byEmail,
  Invitation: byEmail,
  InvitationSecret: byEmail,
  InvitationMails: byAddress,
  VerificationMails: byUser,
  LoginFailures: byAddress,
  PasswordMails: byAddress,
  MailTurns: (person, fields) => byAddress(person, fields) || isRefOf(person, fields['by']),
  SignedOutToken: byUser,
  UnpaidStays: byUser,
  CartItem: byUser,
  CartAddition: byUser,
  CallerCheckouts: byHolder,
  Quote: byHolder,
  Order: (person, { order_id }) => hasOrder(person, order_id),
  Reservation: byStay,
  AvailabilityEntry: byStay,
  ExternalReference: byStay,
  Payment: byPayment,
  PaymentRefund: byPayment,
  ChatThread: byThread,
  ChatMessage: byThread,
  ChatMark: (person, fields) => byThread(person, fields) && isRefOf(person, fields['reader']),
  Review: (person, fields) => byUser(person, fields) || byStay(person, fields),
  HandledEvent: (person, { recipient }) => isRefOf(person, recipient),
};

/** Returns whether a record is one of the person's own. */
export const isRecordOf = (person: Person, entity: string, fields: Fields): boolean =>
  owners[entity]?.(person, fields) ?? false;
