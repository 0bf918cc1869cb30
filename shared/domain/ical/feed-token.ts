import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context } from '../../platform/context.ts';
import { instantText } from '../../platform/clock.ts';
import { create, ConflictError } from '../../platform/table/index.ts';
import { type FeedToken, FeedTokenEntity } from './ical.entity.ts';

export const newToken = (): string => randomBytes(24).toString('base64url');

/** The token of a followed feed's own export: it says whose it is. */
export const newFeedToken = (feedId: number): string => `${feedId.toString(36)}.${newToken()}`;

/** The feed that a token names; undefined: it is the listing's general one. */
export const feedOfToken = (token: string | undefined): number | undefined => {
  const [, feed] = /^([\da-z]{1,11})\./.exec(token ?? '') ?? [];
  return feed === undefined ? undefined : Number.parseInt(feed, 36);
};

/** The address of a listing's calendar with a token. */
export const exportAddress = (apiUrl: string, listingId: number, token: string): string =>
  `${apiUrl}/api/v1/listings/${listingId}/calendar.ics?token=${token}`;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether the token opens the feed, in a time that tells nothing about it. */
export const opens = (feed: Pick<FeedToken, 'token'> | undefined, token: string | undefined): boolean => {
  const same = timingSafeEqual(digest(token ?? ''), digest(feed?.token ?? ''));
  return same && feed !== undefined && token !== undefined;
};

/** The feed token of a listing, made at the first need; whoever comes at the same moment gets the same. */
export const tokenOf = async (
  { table, clock }: Pick<Context, 'table' | 'clock'>,
  listing_id: number,
): Promise<string> => {
  const known = await table.get(FeedTokenEntity, { listing_id });
  if (known) return known.token;
  const token = newToken();
  try {
    const created_at = instantText(clock.now());
    await table.transact([create(FeedTokenEntity, { listing_id, token, created_at })]);
    return token;
  } catch (error) {
    if (error instanceof ConflictError) return (error.current as unknown as FeedToken).token;
    throw error;
  }
};
