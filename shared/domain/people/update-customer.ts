import type { PartnerCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { all, change, equals, retryOnConflict, type Write } from '../../platform/table/index.ts';
import { type CustomerName, isCustomerOnly, replacedName } from './customer-name.rules.ts';
import type { Customer, UpdateCustomer } from './customer.schema.ts';
import { accessibleCustomer, presentCustomer } from './customers.ts';
import {
  type Membership,
  MembershipEntity,
  nextUpdate,
  UserEntity,
  type UserWithTeams,
} from './user.store.ts';

/**
 * Changes name or telephone number of a customer; absent fields stay. The person's own record changes only while the person
 * is a customer of the key's teams and nothing else, otherwise what these teams see (D107).
 */
export const updateCustomer = (
  ctx: Context<PartnerCaller>,
  userId: number,
  body: UpdateCustomer,
): Promise<Customer> =>
  retryOnConflict(async () => {
    const found = await accessibleCustomer(ctx, userId);
    // JSON has no undefined: a field that is present has a value.
    const given = body as Partial<CustomerName>;
    const { changed, writes } = isCustomerOnly(found, ctx.caller.team_ids)
      ? renamePerson(ctx, found, given)
      : renameForTeams(ctx, found, replacedName(given, found.user));
    return ctx.commit(writes, presentCustomer(ctx.caller, changed));
  });

interface Renamed {
  changed: UserWithTeams;
  writes: Write[];
}

type Ctx = Pick<Context<PartnerCaller>, 'clock' | 'caller'>;

/** A membership that was added since it was read has changed the time. What the teams had in place of the own name ends. */
const renamePerson = (ctx: Ctx, found: UserWithTeams, given: Partial<CustomerName>): Renamed => {
  const { user_id, status, updated_at } = found.user;
  const set = { ...given, updated_at: nextUpdate(ctx.clock, found.user) };
  const when = all(equals('status', status), equals('updated_at', updated_at));
  const own = { ...found, user: { ...found.user, ...set } };
  const { changed, writes } = renameForTeams(ctx, own, replacedName(given, undefined));
  return { changed, writes: [change(UserEntity, { user_id }, { set }, { when }), ...writes] };
};

const renameForTeams = (
  { caller }: Ctx,
  found: UserWithTeams,
  set: ReturnType<typeof replacedName>,
): Renamed => {
  const names = Object.keys(set) as (keyof typeof set)[];
  const isChanged = (membership: Membership): boolean =>
    membership.role === 'CUSTOMER' &&
    caller.team_ids.includes(membership.team_id) &&
    names.some((name) => membership[name] !== set[name]);
  const memberships = found.memberships.map((membership) =>
    isChanged(membership) ? withChanges(membership, set) : membership,
  );
  return {
    changed: { ...found, memberships },
    writes: found.memberships
      .filter(isChanged)
      .map((membership) =>
        change(MembershipEntity, membership, { set }, { when: equals('role', 'CUSTOMER') }),
      ),
  };
};

/** Returns a membership with the attributes, without those that are undefined. */
const withChanges = (membership: Membership, set: ReturnType<typeof replacedName>): Membership =>
  Object.fromEntries(
    Object.entries({ ...membership, ...set }).filter(([, value]) => value !== undefined),
  ) as Membership;
