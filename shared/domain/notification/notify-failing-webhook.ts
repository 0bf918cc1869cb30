import type { EventDataOf, EventOf } from '../../events.ts';
import type { WrittenLanguage } from '../../platform/text/language.ts';
import type { Mail } from '../../platform/mail/mailer.ts';
import { webhookEvents } from '../webhook/model.ts';
import { renderMail } from './mail-layout.ts';
import { notifyTeamMembers, type TeamMember } from './notify-people.ts';
import type { NotificationDependencies } from './send-once.ts';

interface Words {
  subject: (host: string) => string;
  greeting: (name: string) => string;
  paragraphs: readonly string[];
  labels: Record<'webhook' | 'url' | 'problem' | 'since', string>;
  footer: string;
}

const words: Record<WrittenLanguage, Words> = {
  vi: {
    subject: (host) => `Webhook không hoạt động: ${host}`,
    greeting: (name) => `Xin chào ${name},`,
    paragraphs: [
      'Một webhook nhận sự kiện của nhóm bạn đã không trả lời sau tất cả các lần gửi lại.',
      'Từ bây giờ mỗi sự kiện chỉ được gửi một lần, cho đến khi địa chỉ này trả lời. Những gì đã lỡ vẫn nằm trong danh sách sự kiện (GET /api/v1/external/events) trong 30 ngày.',
    ],
    labels: { webhook: 'Webhook', url: 'Địa chỉ', problem: 'Vấn đề', since: 'Từ' },
    footer: 'Thư này được gửi cho chủ sở hữu nhóm vì một đối tác sử dụng webhook của Nightlatch.',
  },
  en: {
    subject: (host) => `A webhook is failing: ${host}`,
    greeting: (name) => `Hello ${name},`,
    paragraphs: [
      "A webhook that receives your team's events has not answered after all retries.",
      'From now on each event is sent once, until the address answers again. What it has missed stays in the feed of events (GET /api/v1/external/events) for 30 days.',
    ],
    labels: { webhook: 'Webhook', url: 'Address', problem: 'Problem', since: 'Since' },
    footer: 'This mail goes to the owners of a team whose partner uses webhooks of Nightlatch.',
  },
};

/** Returns the mail about a failing webhook to an owner of one of its teams (D62). */
const webhookMail = (
  { email, full_name, language }: TeamMember,
  { id, url, problem, troubled_since }: FailingWebhook,
): Mail => {
  const { host, origin, pathname } = new URL(url);
  const { subject, greeting, paragraphs, labels, footer } = words[language];
  return renderMail(email, {
    language,
    subject: subject(host),
    greeting: greeting(full_name),
    paragraphs,
    facts: [
      [labels.webhook, String(id)],
      // The query may contain a secret of the partner.
      [labels.url, `${origin}${pathname}`],
      [labels.problem, problem],
      ...(troubled_since === null ? [] : ([[labels.since, troubled_since]] as const)),
    ],
    footer,
  });
};

type FailingWebhook = EventDataOf<'webhook.failing'>;

/** Mails each owner of a webhook's teams once that it is failing (D62). */
export const notifyFailingWebhook = (
  deps: NotificationDependencies,
  { id, data }: EventOf<'webhook.failing'>,
): Promise<void> => {
  const webhook = webhookEvents['webhook.failing'].data.parse(data);
  return notifyTeamMembers(deps, { event_id: id, team_ids: webhook.team_ids }, (owner) =>
    webhookMail(owner, webhook),
  );
};
