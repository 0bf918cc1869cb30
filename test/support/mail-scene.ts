import { notificationWorker } from '../../functions/workers/notification/index.ts';
import { ExternalBookingRequest } from '../../shared/domain/booking/external-booking.schema.ts';
import { bookExternally } from '../../shared/domain/checkout/book-externally.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import type { Listing } from '../../shared/domain/listing/listing.entity.ts';
import type { Mail } from '../../shared/platform/mail/mailer.ts';
import { sendDueMails } from '../../shared/domain/notification/send-due-mails.ts';
import { handlePaymentWebhook, reconcilePayment } from '../../shared/domain/payment/reconcile-payments.ts';
import type { EventType } from '../../shared/events.ts';
import { systemContext } from '../../shared/platform/context.ts';
import type { EventMessage } from '../../shared/platform/events/index.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import type { WrittenLanguage } from '../../shared/platform/text/language.ts';
import { eventsOf, queueEvent } from './events.ts';
import { testListing } from './listings.ts';
import { testContext, testDependencies, testKey, testTeam, testUser } from './table.ts';

/** A name with markup, as an attacker would enter it. */
export const guestName = 'An <b>&"\'';
export const listingName = 'Biệt thự "Mây & Gió" <Đà Lạt>';

export interface MailCell {
  guest: WrittenLanguage;
  host: WrittenLanguage;
  /** Whether the guest has an account; otherwise a partner has booked. */
  account: boolean;
}

/** Creates a booking whose users have the given languages, and the notification worker. */
export const mailScene = async (cell: MailCell, given: Partial<Listing> = {}) => {
  const deps = await testDependencies();
  const { team_id } = await testTeam(deps);
  const listing = await testListing(deps, {
    team_id,
    name: listingName,
    address: '1 Trần Hưng Đạo',
    wifi_name: 'Mây',
    wifi_password: 'hoang-hon-2027',
    door_code: { gate: '4711#' },
    ...given,
  });
  const [guest, owner] = await Promise.all([
    testUser(deps, { full_name: guestName, language: cell.guest }),
    testUser(deps, { language: cell.host, memberships: [{ team_id, role: 'OWNER' }] }),
  ]);
  const asGuest = testContext(deps, guest.caller);
  const asOwner = testContext(deps, owner.caller);
  const asPartner = testContext(deps, (await testKey(deps, { team_ids: [team_id] })).caller);
  const sent: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void sent.push(mail) };
  const worker = notificationWorker(() => ({ ...deps, mailer }));
  const stay = { check_in_date: '2027-02-04', check_out_date: '2027-02-07', guest_number: 2 };
  const events = (id: number) => eventsOf(deps.table, `ORDER#${orderIdOf(id)}`);

  const book = async (
    payment_method: 'CASH' | 'BANK_TRANSFER' | 'ONLINE_GATEWAY' = 'CASH',
    more: object = {},
  ): Promise<number> => {
    const item = { listing_id: listing.id, ...stay, ...more };
    if (cell.account) {
      const { reservations } = await confirmCheckout(asGuest, { items: [item], payment_method });
      return reservations[0]!.id;
    }
    const nights = (Date.parse(item.check_out_date) - Date.parse(item.check_in_date)) / (24 * 60 * 60 * 1000);
    const guest_info = {
      full_name: guestName,
      phone: '+84 912 345 678',
      email: guest.user.email,
      language: cell.guest,
    };
    const request = ExternalBookingRequest.parse({ ...item, nights, guest_info, payment_method });
    return (await bookExternally(asPartner, request)).booking.id;
  };
  const eventOf = async (id: number, type: EventType): Promise<EventMessage> => {
    const event = (await events(id)).findLast(({ event_type }) => event_type === type);
    if (!event) throw new Error(`the booking has no event ${type}`);
    return event;
  };
  const deliverEvent = async (event: EventMessage): Promise<void> => {
    const answer = await worker(queueEvent(event));
    if (answer.batchItemFailures.length > 0) throw new Error(`${event.event_type} failed`);
  };
  return {
    ...{
      deps,
      team_id,
      listing,
      guest,
      owner,
      asGuest,
      asOwner,
      asPartner,
      sent,
      mailer,
      worker,
      book,
      events,
    },
    eventOf,
    /** Delivers an event of a booking to the worker. */
    deliver: async (id: number, type: EventType): Promise<void> => deliverEvent(await eventOf(id, type)),
    /** Delivers one that was read before. */
    deliverEvent,
    mailTo: (side: 'guest' | 'host'): Mail => {
      const address = side === 'guest' ? guest.user.email : owner.user.email;
      const mails = sent.filter(({ to }) => to === address);
      if (mails.length !== 1) throw new Error(`${mails.length} mails to the ${side}`);
      return mails[0]!;
    },
    /** Pays on the gateway's page. */
    pay: async (id: number): Promise<void> => {
      const payment = deps.sandbox.server.find(orderIdOf(id))!;
      deps.sandbox.server.decide(payment, 'success');
      const { headers, body } = deps.sandbox.notificationOf(deps.sandbox.server.find(orderIdOf(id))!);
      const raw = { body, headers, query: {} };
      await handlePaymentWebhook(systemContext(deps, 'anonymous'), {
        provider: 'sandbox',
        method: 'POST',
        raw,
      });
    },
    /** Runs the schedule. */
    due: () => sendDueMails({ ...deps, mailer }),
    /** Runs the schedule's work for one order. */
    settle: (id: number) => reconcilePayment(systemContext(deps, 'reconcile-payments'), orderIdOf(id)),
  };
};
export type MailScene = Awaited<ReturnType<typeof mailScene>>;

/** Intl separates amount and currency by a no-break space. */
export const plain = (text: string): string => text.replaceAll('\u00a0', ' ');
