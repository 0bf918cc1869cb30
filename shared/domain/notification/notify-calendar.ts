import type { EventOf } from '../../events.ts';
import type { Mail } from '../../platform/mail/mailer.ts';
import { nameInMail } from '../../platform/mail/name-in-mail.ts';
import { calendarEvents } from '../ical/model.ts';
import { readListing } from '../listing/model.ts';
import { renderMail } from './mail-layout.ts';
import { notifyTeamMembers, type TeamMember } from './notify-people.ts';
import type { NotificationDependencies } from './send-once.ts';
import { calendarWords } from './words/calendar-words.ts';

type Words = (typeof calendarWords)['en'];
type CalendarMail = keyof Words['mails'];
export type CalendarFact = readonly [keyof Words['labels'], string];

/** Returns a mail about calendars of other platforms to a member of their team. */
export const calendarMail = (
  { email, full_name, language }: TeamMember,
  name: CalendarMail,
  { about, facts }: { about: string; facts: readonly CalendarFact[] },
): Mail => {
  const { greeting, labels, footer, mails } = calendarWords[language];
  const { subject, paragraphs } = mails[name];
  return renderMail(email, {
    language,
    subject: subject(about),
    greeting: greeting(full_name),
    paragraphs,
    facts: facts.map(([label, value]) => [labels[label], value] as const),
    footer,
  });
};

type Told = EventOf<'calendar.conflict' | 'calendar.quarantined' | 'calendar.read_in_part'>;

/** Mails each OWNER and MANAGER of a listing's team once about a conflict, a quarantine, or what was read in part (D118). */
export const notifyCalendar = async (deps: NotificationDependencies, event: Told): Promise<void> => {
  const { name, feed, facts } = toldOf(event);
  const listing = await readListing(deps.table, feed.listing_id);
  const about = nameInMail(listing?.name ?? String(feed.listing_id));
  await notifyTeamMembers(
    deps,
    { event_id: event.id, team_ids: [feed.team_id], roles: ['OWNER', 'MANAGER'] },
    (member) =>
      calendarMail(member, name, { about, facts: [['listing', about], ['host', feed.host], ...facts] }),
  );
};

interface Contents {
  name: CalendarMail;
  feed: { listing_id: number; team_id: number; host: string };
  facts: CalendarFact[];
}

const localText = (local: string): string => local.slice(0, 16).replace('T', ' ');

const toldOf = ({ event_type, data }: Told): Contents => {
  if (event_type === 'calendar.conflict') {
    const feed = calendarEvents[event_type].data.parse(data);
    const { start_at, end_at, booking_id } = feed;
    const booking: CalendarFact[] = booking_id === null ? [] : [['booking', String(booking_id)]];
    return {
      name: 'conflict',
      feed,
      facts: [['from', localText(start_at)], ['until', localText(end_at)], ...booking],
    };
  }
  if (event_type === 'calendar.quarantined') {
    const feed = calendarEvents[event_type].data.parse(data);
    return { name: 'quarantined', feed, facts: [['nights', String(feed.nights)]] };
  }
  const feed = calendarEvents[event_type].data.parse(data);
  return {
    name: 'read_in_part',
    feed,
    facts: feed.problems.map((problem): CalendarFact => ['read', problem]),
  };
};
