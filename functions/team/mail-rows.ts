import * as z from 'zod';
import {
  MailPreview,
  PreviewTeamMail,
  TeamMail,
  TeamMailName,
  teamMailQuery,
  TeamMailRequest,
  TeamMails,
} from '../../shared/domain/notification/team-mail.schema.ts';
import { exampleIds } from '../../shared/platform/http/example-records.ts';

const ofMails = { access: 'host', permission: 'manage', tag: 'Team' } as const;
const params = z.strictObject({ name: TeamMailName });
const named = { params: { name: 'booked' } } as const;

const words = {
  language: 'vi',
  subject: 'Hẹn gặp bạn ở {{listing}}',
  text: 'Cảm ơn {{guest}} đã chọn chúng tôi.\nChúng tôi chờ bạn lúc {{check_in}}.',
} as const;

const mail: TeamMail = {
  name: 'booked',
  ...words,
  is_own: true,
  placeholders: {
    subject: ['booking', 'listing', 'check_in', 'check_out', 'guest'],
    text: [
      ...['booking', 'listing', 'address', 'check_in', 'check_out', 'nights', 'guests', 'total', 'payment'],
      ...['amount_due', 'state', 'pay_until', 'transfer', 'balance', 'guest', 'host'],
    ],
  },
  updated_at: '2027-01-15T03:00:00.000Z',
};

const ofService = {
  subject: 'Đặt phòng thành công: {{listing}}',
  text: 'Bạn đã đặt phòng thành công tại {{listing}}. Hẹn gặp bạn!',
};

/** A team's own words for the mails to its guests (D91). */
export const mailRows = {
  listTeamMails: {
    ...ofMails,
    method: 'GET',
    path: '/api/v1/team/mails',
    summary: 'The words of each mail to guests, in both languages',
    status: 200,
    reply: TeamMails,
    errors: [],
    examples: { reply: { items: [mail] } },
  },
  setTeamMail: {
    ...ofMails,
    method: 'PUT',
    path: '/api/v1/team/mails/{name}',
    summary: 'Gives a mail to guests the team’s own words in a language',
    description:
      'Its subject, and what it says before the facts of the booking: greeting, links, facts and footer stay. A placeholder that the mail does not have, and an address of a page or mailbox, is a VALIDATION_ERROR.',
    params,
    body: TeamMailRequest,
    status: 200,
    reply: TeamMail,
    errors: ['NOT_FOUND'],
    examples: { ...named, body: words, reply: mail },
  },
  removeTeamMail: {
    ...ofMails,
    method: 'DELETE',
    path: '/api/v1/team/mails/{name}',
    summary: 'Gives a mail to guests the words of the service again',
    params,
    query: teamMailQuery,
    status: 200,
    reply: TeamMails,
    errors: ['NOT_FOUND'],
    examples: {
      ...named,
      query: { language: 'vi' },
      reply: { items: [{ ...mail, ...ofService, is_own: false, updated_at: null }] },
    },
  },
  previewTeamMail: {
    ...ofMails,
    method: 'POST',
    path: '/api/v1/team/mails/{name}/preview',
    summary: 'A mail with these words, as the guest of a stay would get it',
    description: 'Sends and stores nothing.',
    params,
    body: PreviewTeamMail,
    status: 200,
    reply: MailPreview,
    errors: ['BOOKING_NOT_FOUND'],
    examples: {
      ...named,
      body: { ...words, booking_id: exampleIds.booking },
      reply: {
        subject: 'Hẹn gặp bạn ở Biệt thự Đà Lạt',
        text: 'Xin chào Nguyễn Văn An,\n\nCảm ơn Nguyễn Văn An đã chọn chúng tôi.',
        html: '<!doctype html><html lang="vi"></html>',
      },
    },
  },
} as const;
