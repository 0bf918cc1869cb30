import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listDeliveries,
  listWebhooks,
  readEvents,
  readTeamEvents,
  redeliver,
  rotateSecret,
  testWebhook,
  updateWebhook,
  webhookPoster,
} from '../../shared/domain/webhook/index.ts';
import type { AddressCheck, SendingDependencies } from '../../shared/domain/webhook/model.ts';
import { machineClock } from '../../shared/platform/time/clock.ts';
import type { Dependencies } from '../../shared/platform/context.ts';
import { isLocal } from '../../shared/platform/environment/env.ts';
import { environment } from '../../shared/platform/environment/environment.ts';
import { type GroupHandler, serve } from '../../shared/platform/http/serve.ts';
import { withSealing } from '../../shared/platform/environment/sealing-environment.ts';
import { teamsOf } from '../../shared/platform/http/team-ids.ts';
import { webhooksRoutes } from './routes.ts';

/** The outgoing calls of this group; tests replace them. */
export interface Outside extends Pick<SendingDependencies, 'post' | 'signingClock'> {
  address: () => AddressCheck;
}

const here: Outside = {
  post: webhookPoster(isLocal),
  signingClock: machineClock,
  address: () => ({ local: isLocal() }),
};

/** The webhook routes over any dependencies. */
export const webhooks = (
  deps: () => Dependencies,
  { post, signingClock, address }: Outside = here,
): GroupHandler =>
  serve(webhooksRoutes, {
    createWebhook: (ctx, { body }) => createWebhook(ctx, body, address()),
    listWebhooks,
    getWebhook: (ctx, { params }) => getWebhook(ctx, params.webhook_id),
    updateWebhook: (ctx, { params, body }) => updateWebhook(ctx, params.webhook_id, body, address()),
    deleteWebhook: (ctx, { params }) => deleteWebhook(ctx, params.webhook_id),
    rotateWebhookSecret: (ctx, { params }) => rotateSecret(ctx, params.webhook_id),
    testWebhook: (ctx, { params }) => testWebhook({ ...ctx, post, signingClock }, params.webhook_id),
    listWebhookDeliveries: (ctx, { params, query }) => listDeliveries(ctx, params.webhook_id, query),
    redeliverWebhook: (ctx, { params }) =>
      redeliver({ ...ctx, post, signingClock }, params.webhook_id, params.delivery_id),
    readEvents: (ctx, { query: { after, limit, team_ids } }) =>
      readEvents(ctx, { after, limit, teams: teamsOf(ctx.caller, team_ids) }),
    readTeamEvents: (ctx, { query }) => readTeamEvents(ctx, { after: query.after, limit: query.limit }),
  })(deps);

/** The Lambda handler of the webhook routes. */
export const handler = webhooks(withSealing(environment));
