import type { PartnerCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { equals, remove } from '../../platform/table/index.ts';
import { customerNotAccessible } from './accessible-customer.ts';
import type { RemovedCustomer } from './customer.schema.ts';
import { MembershipEntity } from './membership.entity.ts';

/** Takes a customer out of a team of the key; hosts are no customers, so they stay. */
export const removeCustomer = async (
  ctx: Context<PartnerCaller>,
  ids: { user_id: number; team_id: number },
): Promise<RemovedCustomer> => {
  if (!ctx.caller.team_ids.includes(ids.team_id)) throw customerNotAccessible();
  const isCustomer = { when: equals('role', 'CUSTOMER'), onConflict: customerNotAccessible };
  return ctx.commit([remove(MembershipEntity, ids, isCustomer)], {
    message: 'The customer was removed from the team.',
    ...ids,
  });
};
