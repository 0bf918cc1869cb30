import {
  calendarFetcher,
  changeFeed,
  exportCalendar,
  type FetchCalendar,
  followCalendar,
  listFeeds,
  rotateToken,
  unfollowCalendar,
} from '../../shared/domain/ical/index.ts';
import type { Dependencies } from '../../shared/platform/context.ts';
import { isLocal } from '../../shared/platform/environment/env.ts';
import { environment } from '../../shared/platform/environment/environment.ts';
import { apiUrl, knowingApiUrl } from '../../shared/platform/http/api-url.ts';
import { notModified } from '../../shared/platform/http/not-modified.ts';
import { serve } from '../../shared/platform/http/serve.ts';
import { feedsRoutes } from './routes.ts';

const group = (fetchCalendar: FetchCalendar) =>
  serve(feedsRoutes, {
    exportCalendar: (ctx, { params, query }) => exportCalendar(ctx, params.listing_id, query),
    listFeeds: (ctx, { params }) => listFeeds(ctx, params.listing_id, apiUrl()),
    followCalendar: (ctx, { params, body }) =>
      followCalendar(ctx, params.listing_id, body, { fetchCalendar, apiUrl: apiUrl() }),
    changeFeed: (ctx, { params, body }) =>
      changeFeed(ctx, params.listing_id, params.feed_id, { change: body, apiUrl: apiUrl() }),
    unfollowCalendar: (ctx, { params }) => unfollowCalendar(ctx, params.listing_id, params.feed_id),
    rotateExportToken: (ctx, { params }) => rotateToken(ctx, params.listing_id, apiUrl()),
  });

/** The feed routes over any dependencies. */
export const feeds = (deps: () => Dependencies, fetchCalendar: FetchCalendar = calendarFetcher(isLocal)) =>
  knowingApiUrl(group(fetchCalendar)(deps).use(notModified()));

/** The Lambda handler of the feed routes. */
export const handler = feeds(environment);
