import { type EventDataOf, type EventOf, events } from '../../events.ts';
import type { NotificationDependencies } from './notification-dependencies.ts';
import { notifyOwners } from './notify-owners.ts';
import { webhookMail } from './webhook-mail.ts';

export type FailingWebhook = EventDataOf<'webhook.failing'>;

/** Tells the owners of a webhook's teams that it is failing, each of them once (D62). */
export const notifyFailingWebhook = (
  deps: NotificationDependencies,
  { id, data }: EventOf<'webhook.failing'>,
): Promise<void> => {
  const webhook = events['webhook.failing'].data.parse(data);
  return notifyOwners(deps, { event_id: id, team_ids: webhook.team_ids }, (owner) =>
    webhookMail(owner, webhook),
  );
};
