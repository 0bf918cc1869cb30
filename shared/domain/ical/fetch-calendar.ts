import type { Dependencies } from '../../platform/context.ts';
import { fetchOutgoing, OutgoingFailure, type OutgoingReply } from '../../platform/outgoing/index.ts';
import type { FollowedFeed } from './ical.store.ts';
import { fingerprintOf } from './reading/components.ts';

/** Fetches a calendar of another platform from a checked address, with limits of time and size (D63). */
export type FetchCalendar = (url: string, headers: Record<string, string>) => Promise<OutgoingReply>;

/** Dependencies of the verbs that follow calendars. */
export interface FeedDependencies extends Pick<Dependencies, 'table' | 'clock' | 'log'> {
  fetchCalendar: FetchCalendar;
}

/**
 * Returns a function that fetches calendars from checked addresses.
 * @param isLocal - whether local addresses may be called too
 */
export const calendarFetcher =
  (isLocal: () => boolean): FetchCalendar =>
  (url, headers) =>
    fetchOutgoing(url, { headers, local: isLocal() });

/** The text of a calendar, and the validators for the next conditional fetch. */
export interface RemoteText extends Pick<FollowedFeed, 'etag' | 'last_modified'> {
  text: string;
  fingerprint: string;
}

type Known = Pick<FollowedFeed, 'etag' | 'last_modified'>;

/** Fetches a calendar; undefined if it is unchanged (304). Throws {@link OutgoingFailure} unless it answers a calendar. */
export const remoteText = async (
  fetchCalendar: FetchCalendar,
  url: string,
  known?: Known,
): Promise<RemoteText | undefined> => {
  const reply = await fetchCalendar(url, {
    Accept: 'text/calendar, text/plain;q=0.9, */*;q=0.1',
    ...(known?.etag ? { 'If-None-Match': known.etag } : {}),
    ...(known?.last_modified ? { 'If-Modified-Since': known.last_modified } : {}),
  });
  if (reply.status === 304 && known) return undefined;
  if (reply.status !== 200) throw new OutgoingFailure(`answers with status ${reply.status}`);
  const encoding = reply.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw new OutgoingFailure(`answers in ${encoding}, which was not asked for`);
  const text = reply.body.toString('utf8');
  return {
    text,
    fingerprint: fingerprintOf(text),
    etag: shortText(reply.headers.etag),
    last_modified: shortText(reply.headers['last-modified']),
  };
};

const shortText = (text: string | undefined): string | null => (text && text.length <= 256 ? text : null);
