import type { APIGatewayProxyEvent, Context as LambdaContext } from 'aws-lambda';
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  calendarFetcher,
  exportCalendar,
  type FetchCalendar,
  followCalendar,
  listFeeds,
  rotateToken,
  unfollowCalendar,
} from '../../shared/domain/ical/index.ts';
import type { Dependencies } from '../../shared/platform/context.ts';
import { isLocal } from '../../shared/platform/env.ts';
import { environment } from '../../shared/platform/environment.ts';
import { notModified } from '../../shared/platform/http/not-modified.ts';
import type { Answer } from '../../shared/platform/http/reply.ts';
import { serve } from '../../shared/platform/http/serve.ts';
import { apiUrlOf } from './api-url.ts';
import { feedsRoutes } from './routes.ts';

/** The base address of the current request. */
const apiUrl = new AsyncLocalStorage<string>();

const here = (): string => apiUrl.getStore() ?? '';

const group = (fetchCalendar: FetchCalendar) =>
  serve(feedsRoutes, {
    exportCalendar: (ctx, { params, query }) => exportCalendar(ctx, params.listing_id, query),
    listFeeds: (ctx, { params }) => listFeeds(ctx, params.listing_id, here()),
    followCalendar: (ctx, { params, body }) =>
      followCalendar(ctx, params.listing_id, body, { fetchCalendar, apiUrl: here() }),
    unfollowCalendar: (ctx, { params }) => unfollowCalendar(ctx, params.listing_id, params.feed_id),
    rotateExportToken: (ctx, { params }) => rotateToken(ctx, params.listing_id, here()),
  });

type FeedsHandler = (event: APIGatewayProxyEvent, context: LambdaContext) => Promise<Answer>;

/** The feed routes over any dependencies. */
export const feeds = (
  deps: () => Dependencies,
  fetchCalendar: FetchCalendar = calendarFetcher(isLocal),
): FeedsHandler => {
  const answer = group(fetchCalendar)(deps).use(notModified());
  return (event, context) => apiUrl.run(apiUrlOf(event), () => answer(event, context));
};

/** The Lambda handler of the feed routes. */
export const handler = feeds(environment);
