import { beforeEach, describe, expect, it } from 'vitest';
import { notificationWorker } from '../../functions/workers/notification/index.ts';
import { getBooking } from '../../shared/domain/booking/read-bookings.ts';
import { readGuest, rotateGuestLink } from '../../shared/domain/booking/guest-link.ts';
import type { Mail } from '../../shared/platform/mail/mailer.ts';
import { queueEvent } from '../support/events.ts';
import { type MailScene, mailScene } from '../support/mail-scene.ts';

const pages = 'https://stay.example.com';
const linkIn = ({ text }: Mail): string | undefined =>
  /https:\/\/stay\.example\.com\/g#(\S+)/.exec(text)?.[1];

let s: MailScene;
beforeEach(async () => {
  s = await mailScene({ guest: 'en', host: 'en', account: false });
});
const deliver = async (id: number, given: object = { pages }) => {
  const worker = notificationWorker(() => ({ ...s.deps, mailer: s.mailer, ...given }));
  const { batchItemFailures } = await worker(queueEvent(await s.eventOf(id, 'booking.created')));
  expect(batchItemFailures).toEqual([]);
};

describe('a mail to a guest', () => {
  it('has the link to the stay, in text and HTML, and a mail to the hosts has none', async () => {
    const id = await s.book();
    await deliver(id);
    const mail = s.mailTo('guest');
    const token = linkIn(mail) ?? '';
    expect(mail.text).toContain(`See the booking: ${pages}/g#${token}`);
    expect(mail.html).toContain(`href="${pages}/g#${token}"`);
    expect(await readGuest(s.deps, token)).toEqual({ kind: 'guest', reservation_id: id, from: 'm' });
    expect(s.mailTo('host').text).not.toContain('/g#');
  });

  it('has the link that is open when it is sent', async () => {
    const id = await s.book();
    const { guest_url } = await rotateGuestLink(s.asOwner, id, pages);
    await deliver(id);
    const token = linkIn(s.mailTo('guest')) ?? '';
    expect(token).not.toBe(guest_url.split('#')[1]);
    expect(await readGuest(s.deps, token)).toMatchObject({ reservation_id: id });
    expect((await getBooking(s.asOwner, id, pages)).guest_url).toBe(guest_url);
  });

  it('has none where the stage has no name of its own', async () => {
    const id = await s.book();
    await deliver(id, {});
    expect(s.mailTo('guest').text).not.toContain('/g#');
    expect(s.mailTo('guest').text).not.toContain('See the booking');
  });
});
