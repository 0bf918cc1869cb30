import { waitUntil } from '../../support/wait-until.ts';
import { mailsOf } from './client.ts';
import { confirmOf } from './storms.ts';
import { entriesOf, type World } from './world.ts';

/** The delay of each consequence after the response. */
interface Consequences {
  guest_mail_ms: number;
  host_mail_ms: number;
  chat_ms: number;
  calendar_ms: number;
}

/** Books a night as the demo guest and waits for the mails to guest and host, a chat thread, and the entry in calendar.ics. */
export const consequencesOfABooking = async (
  world: World,
  date: string,
  withinMs = 3000,
): Promise<Consequences> => {
  const { ready, call, guest, host } = world;
  const home = world.lone[0];
  if (!home) throw new Error('the demo has no lone home');
  const feeds = await call(host, { method: 'GET', path: `/api/v1/listings/${home.id}/calendar/ical` });
  const booked = await call(guest, confirmOf([home], date));
  if (booked.status !== 201) throw new Error(`the booking failed: ${booked.text}`);
  const [{ id } = { id: 0 }] = booked.json['reservations'] as { id: number }[];
  const startedAt = performance.now();
  const seen = async (what: string, look: () => Promise<boolean>): Promise<number> => {
    await waitUntil(what, look, withinMs);
    return Math.round(performance.now() - startedAt);
  };
  const mailTo = (email: string) => async () =>
    (await mailsOf(ready)).some((mail) => mail.to === email && mail.text.includes(String(id)));
  const [guest_mail_ms, host_mail_ms, chat_ms, calendar_ms] = await Promise.all([
    seen('the guest has mail', mailTo(ready.demo.guest.email)),
    seen('the host has mail', mailTo(ready.demo.host.email)),
    seen('there is a chat thread', async () => {
      const { json } = await call(guest, { method: 'GET', path: '/api/v1/chats' });
      return (json['items'] as { booking_id: number }[]).some(({ booking_id }) => booking_id === id);
    }),
    seen('the stay is in calendar.ics', async () => {
      const text = await (await fetch(String(feeds.json['export_url']))).text();
      const [entry] = await entriesOf(world, home, date);
      return entry?.reservation_id === id && text.includes(`UID:${entry.id}@`);
    }),
  ]);
  return { guest_mail_ms, host_mail_ms, chat_ms, calendar_ms };
};
