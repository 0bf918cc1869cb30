import type { Dependencies } from '../../platform/context.ts';
import { drainDueList, type DrainResult } from '../../platform/due/index.ts';
import { put, remove } from '../../platform/table/index.ts';
import { waitsForPayment } from '../booking/index.ts';
import { readBookingEvent } from '../booking/model.ts';
import {
  type BookingFacts,
  readBalanceFacts,
  readBookingFacts,
  readChangeFacts,
  readDepositFacts,
} from './booking-facts.ts';
import { bookingMail } from './booking-mail.ts';
import { bookingMailOf, countedFor, mailFor } from './booking-mails.ts';
import { type DueMail, DueMailEntity, dueMails } from './due-mail.entity.ts';
import { mailOutage } from './gather-outages.ts';
import { mailUnread } from './mail-unread.ts';
import { notifyBooking } from './notify-booking.ts';
import { notifyPeople } from './notify-people.ts';
import { recipientsOf } from './recipients.ts';
import { withOwnWords } from './team-mails.ts';
import { windowReminderMs } from './schedule-mails.ts';
import { firstTurn, type NotificationDependencies, throwIfFailed } from './send-once.ts';

/** Sends the due mails that still apply, once for each person (D91); a failing one is deferred, and one that waits (D110) put off. */
export const sendDueMails = (
  deps: NotificationDependencies & Pick<Dependencies, 'log'>,
): Promise<DrainResult> =>
  drainDueList(deps, 'send-due-mails', dueMails, async (due) => {
    const turn = await send[due.kind](deps, due);
    const later = turn === undefined ? [] : [put(DueMailEntity, { ...due, due_at: turn })];
    await deps.table.transact([remove(DueMailEntity, due), ...later]);
  });

/** Returns when the first mail that waits has its turn; undefined: none waits. */
type Send = (deps: NotificationDependencies, due: DueMail) => Promise<number | undefined>;

/**
 * Sends the reminder of a booking once for each home and check-in that it was changed to; none if it was cancelled. A guest in
 * house who has got none for this home gets how to enter it, unless the host's release has a mail of its own.
 */
const remind: Send = async (deps, { id }) => {
  const about = await readBookingFacts(deps, id);
  const { state, listing_id, start_at, access_released_at } = about.stay;
  const isInHouse = state === 'CHECKED_IN';
  if (isInHouse && (access_released_at !== undefined || !hasEntry(about))) return undefined;
  const kind = isInHouse ? 'booking.access_released' : 'reminder';
  return mail(deps, kind, about, `reminder_${id}_${listing_id}_${start_at}`);
};

const hasEntry = ({ access }: BookingFacts): boolean =>
  access !== null && Object.values(access).some(Boolean);

/** Sends the page of a change that a host asks for, once; none if it no longer waits for its payment (D84). */
const askForPayment: Send = async (deps, { id }) => {
  const about = await readChangeFacts(deps, id);
  return mail(deps, 'change_to_pay', about, `change_${about.stay.pending_change}`);
};

/** Sends the page for what is due, once for each page; none if it can no longer be paid (D127). */
const askForDue: Send = async (deps, { id, due_at }) => {
  const about = await readBookingFacts(deps, id);
  return mail(deps, 'due_to_pay', about, `due_${about.stay.due_page}_${due_at}`);
};

/** Reminds of the balance of a payment plan, or asks for it once it has fallen due; none if it is paid (D129). */
const askForBalance: Send = async (deps, { id, due_at }) => {
  const about = await readBalanceFacts(deps, id, due_at);
  return about && mail(deps, 'balance', about, `balance_${id}_${due_at}`);
};

/** Sends the page on which a security deposit is authorised, once for each page (D131). */
const askForDeposit: Send = async (deps, { id }) => {
  const about = await readDepositFacts(deps, id);
  return mail(deps, 'deposit', about, `deposit_${about.stay.deposit_hold?.payment_id}`);
};

/** Reminds the guest, later the hosts, that the time for a bank transfer ends; not if it is paid or has another end (D123). */
const remindOfWindow: Send = async (deps, { id, due_at }) => {
  const about = await readBookingFacts(deps, id);
  const { pay_until: until = Infinity } = about.stay;
  const before = until - due_at;
  if (before > windowReminderMs.guest || about.now >= until || !waitsForPayment(about.stay)) return undefined;
  const kind = before > windowReminderMs.host ? 'window' : 'window_of_host';
  return mail(deps, kind, about, `${kind}_${id}_${until}`);
};

const mail = async (
  deps: NotificationDependencies,
  kind:
    | 'reminder'
    | 'booking.access_released'
    | 'change_to_pay'
    | 'due_to_pay'
    | 'balance'
    | 'deposit'
    | 'window'
    | 'window_of_host',
  about: BookingFacts,
  once: string,
): Promise<number | undefined> => {
  const name = mailFor(kind, about);
  if (name === undefined) return undefined;
  const { to } = bookingMailOf(name);
  const people = (await recipientsOf(deps, about.stay)).filter(({ side }) => to.includes(side));
  const worded = await withOwnWords(deps, name, about, people);
  const outcomes = await notifyPeople(
    deps,
    once,
    people,
    (person) => bookingMail(person, name, worded),
    (person) => countedFor(person, name, about),
  );
  throwIfFailed(outcomes);
  return firstTurn(outcomes);
};

/** Sends the mails of an event that waited, as the event would now: those that still wait are put off by it. */
const sendWaiting: Send = async (deps, { booking_id = 0, event_id = '' }) => {
  const event = await readBookingEvent(deps.table, booking_id, event_id);
  if (event) await notifyBooking(deps, event);
  return undefined;
};

const send: Record<DueMail['kind'], Send> = {
  reminder: remind,
  messages: (deps, { id }) => mailUnread(deps, id),
  event: sendWaiting,
  outage: mailOutage,
  change_to_pay: askForPayment,
  due_to_pay: askForDue,
  balance: askForBalance,
  deposit: askForDeposit,
  window: remindOfWindow,
};
