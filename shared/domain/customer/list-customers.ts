import type { PartnerCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import type { PageOf, PagingQuery } from '../../platform/schema.ts';
import { pageThrough } from '../../platform/table/index.ts';
import { customerSide, type Membership, teamMembersPartition } from './membership.entity.ts';
import { presentCustomer } from './present-customer.ts';
import type { UserRecord } from './user.schema.ts';
import { readUser } from './user.store.ts';

/** The customers of the key's teams, newest first (D55); who belongs to several teams is listed once. */
export const listCustomers = async (
  ctx: Context<PartnerCaller>,
  { team_ids }: { team_ids: readonly number[] },
  paging: PagingQuery,
): Promise<PageOf<UserRecord>> => {
  const sources = team_ids.map((teamId) => ({
    index: 'by_team' as const,
    pk: teamMembersPartition(teamId),
    prefix: customerSide,
    descending: true,
  }));
  const page = await pageThrough<Membership>(ctx.table, sources, paging, { distinct: true });
  const found = await Promise.all(page.items.map(({ user_id }) => readUser(ctx.table, user_id)));
  return { ...page, items: found.flatMap((one) => (one ? [presentCustomer(ctx.caller, one)] : [])) };
};
