import * as z from 'zod';
import type { EventMessage } from '../../platform/events/index.ts';
import { Id } from '../../platform/schema.ts';
import type { NotificationDependencies } from './notification-dependencies.ts';
import { notifyOwners } from './notify-owners.ts';
import { webhookMail } from './webhook-mail.ts';

const Failing = z.object({
  id: Id,
  team_ids: z.array(Id),
  url: z.string(),
  problem: z.string(),
  troubled_since: z.string().nullable(),
});
export type FailingWebhook = z.infer<typeof Failing>;

/** Tells the owners of a webhook's teams that it is failing, each of them once (D62). */
export const notifyFailingWebhook = (
  deps: NotificationDependencies,
  { id, data }: EventMessage,
): Promise<void> => {
  const webhook = Failing.parse(data);
  return notifyOwners(deps, { event_id: id, team_ids: webhook.team_ids }, (owner) =>
    webhookMail(owner, webhook),
  );
};
