import { beforeEach, describe, expect, it } from 'vitest';
import { listTeamMails, removeTeamMail, setTeamMail } from '../../shared/domain/notification/team-mails.ts';
import { TeamEntity } from '../../shared/domain/people/model.ts';
import { type MailScene, mailScene } from '../support/mail-scene.ts';

let s: MailScene;
beforeEach(async () => {
  s = await mailScene({ guest: 'vi', host: 'en', account: true });
});
const words = {
  language: 'vi' as const,
  subject: 'Hẹn gặp ở {{listing}}',
  text: 'Chào {{guest}}.\n\nTổng: {{total}}{{transfer}}',
};

describe("a team's own words", () => {
  it('are in the mail to its guest, with facts and footer as before, and in no mail to hosts', async () => {
    await setTeamMail(s.asOwner, 'booked', words);
    const id = await s.book();
    await s.deliver(id, 'booking.created');
    const { subject, text, html } = s.mailTo('guest');
    expect(subject).toMatch(/^Hẹn gặp ở Biệt thự/);
    expect(text).toMatch(/Chào An <b>&"'\.\n\nTổng: [\d.]+/);
    expect(text).toContain(`Mã đặt phòng: ${id}`);
    expect(text).not.toContain('{{');
    expect(html).toContain('Chào An &lt;b&gt;');
    expect(s.mailTo('host').subject).not.toContain('Hẹn gặp');
  });

  it('are of one language and one mail, until they are taken out', async () => {
    await setTeamMail(s.asOwner, 'booked', { ...words, language: 'en' });
    await setTeamMail(s.asOwner, 'cancelled', { ...words, text: 'Tạm biệt' });
    await removeTeamMail(s.asOwner, 'cancelled', 'vi');
    const id = await s.book();
    await s.deliver(id, 'booking.created');
    expect(s.mailTo('guest').subject).not.toContain('Hẹn gặp');
  });

  it('are in mails that are due, too', async () => {
    await setTeamMail(s.asOwner, 'reminder', words);
    const id = await s.book();
    await s.deliver(id, 'booking.created');
    s.sent.length = 0;
    s.deps.clock.set('2027-02-03T08:00:00.000Z');
    await s.due();
    expect(s.mailTo('guest').subject).toMatch(/^Hẹn gặp ở/);
  });

  it('of another mail, written between the read and the write of these, are kept too', async () => {
    let isFirst = true;
    const overtaken: typeof s.asOwner = {
      ...s.asOwner,
      commit: async (writes, answer) => {
        if (isFirst) await setTeamMail(s.asOwner, 'review', { ...words, text: 'Cảm ơn' });
        isFirst = false;
        return s.asOwner.commit(writes, answer);
      },
    };
    await setTeamMail(overtaken, 'booked', words);
    const { items } = await listTeamMails(s.asOwner);
    expect(items.filter(({ is_own }) => is_own).map(({ name }) => name)).toEqual(['booked', 'review']);
    const team = await s.deps.table.get(TeamEntity, { team_id: s.team_id });
    expect(team?.own_mails?.toSorted()).toEqual(['booked#vi', 'review#vi']);
  });
});
