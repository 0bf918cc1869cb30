import {
  type AddressCheck,
  createWebhook,
  deleteWebhook,
  getWebhook,
  isLocal,
  listDeliveries,
  listWebhooks,
  postHere,
  readEvents,
  redeliver,
  rotateSecret,
  type SendingDependencies,
  testWebhook,
  updateWebhook,
} from '../../shared/domain/webhook/index.ts';
import { machineClock } from '../../shared/platform/clock.ts';
import type { Dependencies } from '../../shared/platform/context.ts';
import { environment } from '../../shared/platform/environment.ts';
import { type GroupHandler, serve } from '../../shared/platform/http/serve.ts';
import { teamsOf } from '../../shared/platform/http/team-ids.ts';
import { webhooksRoutes } from './routes.ts';

/** How this group meets the world outside; tests bring their own. */
export interface Outside extends Pick<SendingDependencies, 'post' | 'signingClock'> {
  address: () => AddressCheck;
}

const here: Outside = {
  post: postHere,
  signingClock: machineClock,
  address: () => ({ local: isLocal() }),
};

/** The webhook routes over any dependencies. */
export const webhooks = (
  deps: () => Dependencies,
  { post, signingClock, address }: Outside = here,
): GroupHandler =>
  serve(webhooksRoutes, {
    createWebhook: (ctx, input) => createWebhook(ctx, input, address()),
    listWebhooks,
    getWebhook,
    updateWebhook: (ctx, input) => updateWebhook(ctx, input, address()),
    deleteWebhook,
    rotateWebhookSecret: rotateSecret,
    testWebhook: (ctx, input) => testWebhook({ ...ctx, post, signingClock }, input),
    listWebhookDeliveries: listDeliveries,
    redeliverWebhook: (ctx, input) => redeliver({ ...ctx, post, signingClock }, input),
    readEvents: (ctx, { query: { after, limit, team_ids } }) =>
      readEvents(ctx, { after, limit, teams: teamsOf(ctx.caller, team_ids) }),
  })(deps);

/** The Lambda handler of the webhook routes. */
export const handler = webhooks(environment);
