import { createHash } from 'node:crypto';
import type { EventOf } from '../../events.ts';
import {
  absent,
  equals,
  put,
  readOf,
  remove,
  retryOnConflict,
  sortable,
} from '../../platform/table/index.ts';
import { minuteMs } from '../../platform/time/time.ts';
import { nameInMail } from '../../platform/mail/name-in-mail.ts';
import { calendarEvents, feedsOf, isStale } from '../ical/model.ts';
import { readListing } from '../listing/model.ts';
import { type DueMail, DueMailEntity } from './due-mail.entity.ts';
import { type CalendarFact, calendarMail } from './notify-calendar.ts';
import { notifyTeamMembers } from './notify-people.ts';
import { type Outage, OutageEntity } from './outage.entity.ts';
import type { NotificationDependencies } from './send-once.ts';

const gatherMs = 10 * minuteMs;
/** A mail names so many; of more it is said how many there are. */
const mostNamed = 50;

/**
 * Adds a calendar that is out of date to those of its team at the same platform, which are mailed together ten minutes after the
 * first (D118). A message that comes again adds nothing; one that comes after the mail begins another.
 */
export const gatherOutage = async (
  { table, clock }: Pick<NotificationDependencies, 'table' | 'clock'>,
  { data }: EventOf<'calendar.stale'>,
): Promise<void> => {
  const { id, listing_id, team_id, host } = calendarEvents['calendar.stale'].data.parse(data);
  const feed = { listing_id, feed_id: id };
  await retryOnConflict(async () => {
    const { items } = await table.query(OutageEntity, {
      pk: OutageEntity.partition({ team_id }),
      from: `${host}#${sortable(clock.now())}`,
      to: `${host}#~`,
      consistent: true,
    });
    const [open] = items;
    if (!open) {
      const dueAt = clock.now() + gatherMs;
      const outage: Outage = { team_id, host, due_at: dueAt, feeds: [feed], version: 1 };
      return table.transact([
        put(OutageEntity, outage, { when: absent() }),
        put(DueMailEntity, { kind: 'outage', id: outageNumber(team_id, host), team_id, host, due_at: dueAt }),
      ]);
    }
    if (open.feeds.some(({ feed_id }) => feed_id === id)) return undefined;
    const feeds = [...open.feeds, feed];
    const after = { ...open, feeds, version: open.version + 1 };
    return table.put(put(OutageEntity, after, { when: equals('version', open.version) }));
  });
};

const outageNumber = (teamId: number, host: string): number =>
  createHash('sha256').update(`${teamId} ${host}`).digest().readUIntBE(0, 6);

/** Mails the OWNERs and MANAGERs of a team which calendars at a platform are still out of date; nothing if none is. */
export const mailOutage = async (
  deps: NotificationDependencies,
  { team_id = 0, host = '', due_at }: DueMail,
): Promise<undefined> => {
  const [outage] = await deps.table.getAll([readOf(OutageEntity, { team_id, host, due_at })]);
  if (!outage) return undefined;
  const facts = await factsOf(deps, outage);
  if (facts.length > 0)
    await notifyTeamMembers(
      deps,
      {
        event_id: `outage_${team_id}_${host}_${due_at}_${outage.version}`,
        team_ids: [team_id],
        roles: ['OWNER', 'MANAGER'],
      },
      (member) => calendarMail(member, 'stale', { about: host, facts: [['host', host], ...facts] }),
    );
  // A calendar that was added meanwhile is mailed at the next run.
  await deps.table.transact([remove(OutageEntity, outage, { when: equals('version', outage.version) })]);
  return undefined;
};

const factsOf = async (deps: NotificationDependencies, { feeds }: Outage): Promise<CalendarFact[]> => {
  const named = await Promise.all(
    feeds.slice(0, mostNamed).map(async ({ listing_id, feed_id }): Promise<CalendarFact[]> => {
      const followed = await feedsOf(deps.table, listing_id);
      const feed = followed.find((one) => one.feed_id === feed_id);
      if (!feed || feed.state !== 'FOLLOWING' || !isStale(feed, deps.clock.now())) return [];
      const listing = await readListing(deps.table, listing_id);
      const name = nameInMail(listing?.name ?? String(listing_id));
      return [
        ['listing', name],
        ...(feed.problem === null ? [] : ([['problem', feed.problem]] as const)),
        ...(feed.last_synced_at === null ? [] : ([['since', feed.last_synced_at]] as const)),
      ];
    }),
  );
  const more = feeds.length - mostNamed;
  return [...named.flat(), ...(more > 0 ? ([['listing', `+ ${more}`]] as const) : [])];
};
