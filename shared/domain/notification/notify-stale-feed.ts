import type { EventOf } from '../../events.ts';
import type { WrittenLanguage } from '../../platform/language.ts';
import type { Mail } from '../../platform/mail/mailer.ts';
import { nameInMail } from '../../platform/mail/name-in-mail.ts';
import { calendarFeedEvents } from '../ical/model.ts';
import { readListing } from '../listing/model.ts';
import { renderMail } from './mail-layout.ts';
import { notifyOwners, type Owner } from './notify-people.ts';
import type { NotificationDependencies } from './send-once.ts';

interface Words {
  subject: (listing: string) => string;
  greeting: (name: string) => string;
  paragraphs: readonly string[];
  labels: Record<'listing' | 'host' | 'problem' | 'since', string>;
  footer: string;
}

const words: Record<WrittenLanguage, Words> = {
  vi: {
    subject: (listing) => `Lịch bên ngoài không cập nhật: ${listing}`,
    greeting: (name) => `Xin chào ${name},`,
    paragraphs: [
      'Một lịch mà chỗ ở của bạn theo dõi đã không đọc được trong ba giờ qua. Đặt phòng mới ở nền tảng đó chưa được chặn tại đây, nên một đêm có thể bị bán hai lần.',
      'Những đêm đã chặn vẫn được giữ. Chúng tôi thử lại mỗi 30 phút và sau mỗi lần đặt phòng. Hãy kiểm tra địa chỉ lịch ở nền tảng kia và thêm lại nếu địa chỉ đã đổi.',
    ],
    labels: { listing: 'Chỗ ở', host: 'Lịch', problem: 'Vấn đề', since: 'Lần đọc tốt cuối cùng' },
    footer: 'Thư này được gửi cho chủ sở hữu nhóm của chỗ ở, một lần cho mỗi lần gián đoạn.',
  },
  en: {
    subject: (listing) => `A calendar is out of date: ${listing}`,
    greeting: (name) => `Hello ${name},`,
    paragraphs: [
      'A calendar that your listing follows could not be read for three hours. New bookings of that platform are not blocked here meanwhile, so a night may be sold twice.',
      'What was blocked stays blocked. We try again every 30 minutes and after each booking. Please check the address of the calendar at the other platform, and add it again if it has changed.',
    ],
    labels: { listing: 'Listing', host: 'Calendar', problem: 'Problem', since: 'Last good fetch' },
    footer: "This mail goes to the owners of the listing's team, once for each outage.",
  },
};

interface StaleFeed {
  listing_name: string;
  /** The host name of the calendar's address. */
  host: string;
  problem: string | null;
  last_synced_at: string | null;
}

/** Returns the mail about a stale calendar to an owner of the listing's team (D94). */
const feedMail = ({ email, full_name, language }: Owner, feed: StaleFeed): Mail => {
  const { subject, greeting, paragraphs, labels, footer } = words[language];
  return renderMail(email, {
    language,
    subject: subject(feed.listing_name),
    greeting: greeting(full_name),
    paragraphs,
    facts: [
      [labels.listing, feed.listing_name],
      [labels.host, feed.host],
      ...(feed.problem === null ? [] : ([[labels.problem, feed.problem]] as const)),
      ...(feed.last_synced_at === null ? [] : ([[labels.since, feed.last_synced_at]] as const)),
    ],
    footer,
  });
};

/** Mails each owner of a listing's team once that a followed calendar could not be fetched for hours (D94). */
export const notifyStaleFeed = async (
  deps: NotificationDependencies,
  { id, data }: EventOf<'calendar_feed.stale'>,
): Promise<void> => {
  const feed = calendarFeedEvents['calendar_feed.stale'].data.parse(data);
  const listing = await readListing(deps.table, feed.listing_id);
  const named = { ...feed, listing_name: nameInMail(listing?.name ?? String(feed.listing_id)) };
  await notifyOwners(deps, { event_id: id, team_ids: [feed.team_id] }, (owner) => feedMail(owner, named));
};
