import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import type { teamRoutes } from '../../functions/team/routes.ts';
import { bookingMails } from '../../shared/domain/notification/booking-mails.ts';
import { guestMailNames } from '../../shared/domain/notification/mail-placeholders.ts';
import { TeamMailName } from '../../shared/domain/notification/team-mail.schema.ts';
import { ok, refusal, type ReplyOf, stay, times, useOrderScene } from '../support/order-scene.ts';

type Routes = (typeof teamRoutes)['routes'];
type Body<Id extends 'listTeamMails' | 'setTeamMail' | 'previewTeamMail'> = z.output<Routes[Id]['reply']>;

const s = useOrderScene();
const path = '/api/v1/team/mails';
const words = {
  language: 'vi',
  subject: 'Hẹn gặp ở {{listing}}',
  text: 'Chào {{ guest }}.\nGặp bạn lúc {{check_in}}!',
};

const list = async () => ok<Body<'listTeamMails'>>(await s.call('GET', path, s.host)).items;
const write = (name: string, body: object, who = s.host): Promise<ReplyOf<Body<'setTeamMail'>>> =>
  s.call('PUT', `${path}/${name}`, { ...who, body });
const reset = (name: string, query = {}): Promise<ReplyOf<Body<'listTeamMails'>>> =>
  s.call('DELETE', `${path}/${name}`, { ...s.host, query });
const ownOnes = async () =>
  (await list()).filter(({ is_own }) => is_own).map(({ name, language }) => `${name} ${language}`);

describe('the words of mails to guests', () => {
  it('are those of the service until the team writes its own, for each mail that guests get', async () => {
    expect(TeamMailName.options).toEqual(guestMailNames);
    const items = await list();
    expect(items).toHaveLength(2 * guestMailNames.length);
    expect(items.every(({ is_own, updated_at }) => !is_own && updated_at === null)).toBe(true);
    const booked = items.find(({ name, language }) => name === 'booked' && language === 'en');
    expect(booked).toMatchObject({ subject: expect.stringContaining('{{listing}}') as string });
    expect(items.map(({ name }) => name)).not.toContain('window_of_host');
    expect(Object.keys(bookingMails)).toContain('window_of_host');
  });

  it('are written and taken out for one language or both', async () => {
    for (const language of ['vi', 'en'])
      expect(ok(await write('booked', { ...words, language }))).toMatchObject({
        ...words,
        language,
        is_own: true,
      });
    ok(await write('review', words));
    expect(await ownOnes()).toEqual(['booked vi', 'booked en', 'review vi']);
    expect(ok(await reset('booked', { language: 'en' })).items).toMatchObject([
      { language: 'en', is_own: false },
    ]);
    expect(await ownOnes()).toEqual(['booked vi', 'review vi']);
    expect(ok(await reset('booked')).items).toHaveLength(2);
    ok(await reset('review'));
    expect(await ownOnes()).toEqual([]);
  });

  it('are kept each, when several are written at once', async () => {
    const names = guestMailNames.slice(0, 6);
    for (const reply of await times(6, (at) => write(names[at]!, words))) ok(reply);
    expect((await ownOnes()).toSorted()).toEqual(names.map((name) => `${name} vi`).toSorted());
    for (const name of names) ok(await reset(name));
  });

  it.each([
    ['a placeholder that the mail does not have', 'booked', { text: 'Code: {{door_code}}' }, 'text'],
    ['money in the subject', 'booked', { subject: '{{total}}' }, 'subject'],
    ['what would open the door', 'paid', { text: '{{wifi_password}}' }, 'text'],
    ['the name of another record', 'booked', { text: '{{commission}}' }, 'text'],
    ['half a placeholder', 'booked', { text: 'Hi {{guest}' }, 'text'],
    ['an address of a page', 'booked', { text: 'See evil.example/pay' }, 'text'],
    ['an address with a scheme', 'booked', { text: 'https://evil' }, 'text'],
    ['a mailbox', 'booked', { subject: 'me@example.com' }, 'subject'],
    ['no text', 'booked', { text: ' ' }, 'text'],
    ['two lines in the subject', 'booked', { subject: 'A\nB' }, 'subject'],
  ])('have no %s', async (_, name, given, at) => {
    expect(refusal(await write(name, { ...words, ...given })).paths).toEqual([at]);
    expect(await ownOnes()).toEqual([]);
  });

  it('are of known mails, and for managers of the team', async () => {
    expect(refusal(await write('window_of_host', words)).code).toBe('VALIDATION_ERROR');
    expect(refusal(await write('booked', words, s.staff)).code).toBe('FORBIDDEN');
    ok(await write('booked', words, s.otherHost));
    expect(await ownOnes()).toEqual([]);
  });
});

describe('the preview of a mail', () => {
  const preview = (booking_id: number, who = s.host): Promise<ReplyOf<Body<'previewTeamMail'>>> =>
    s.call('POST', `${path}/booked/preview`, { ...who, body: { ...words, booking_id } });

  it('shows the mail of a stay of the team with these words, and stores nothing', async () => {
    const home = await s.listing({ name: 'Nhà <b>Mây</b>' });
    const { reservations } = ok(
      await s.confirm(s.guest, { items: [stay(home)], payment_method: 'CASH' }),
      201,
    );
    const { subject, text, html } = ok(await preview(reservations[0]!.id));
    expect(subject).toBe('Hẹn gặp ở Nhà <b>Mây</b>');
    expect(text).toMatch(/Chào [^{]+\.\n\nGặp bạn lúc 14:00/);
    expect(text).toContain(`Mã đặt phòng: ${reservations[0]!.id}`);
    expect(html).toContain('Hẹn gặp ở Nhà &lt;b&gt;Mây');
    expect(await ownOnes()).toEqual([]);
  });

  it('is not found for a stay of others', async () => {
    const home = await s.listing();
    const { id, reservations } = ok(
      await s.confirm(s.guest, { items: [stay(home)], payment_method: 'CASH' }),
      201,
    ) as { id?: number; reservations: { id: number }[] };
    for (const [booking, who] of [
      [reservations[0]!.id, s.otherHost],
      [id ?? 16, s.host],
      [17, s.host],
    ] as const)
      expect(refusal(await preview(booking, who)).code).toBe('BOOKING_NOT_FOUND');
  });
});
