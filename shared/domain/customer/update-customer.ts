import type { PartnerCaller } from '../../platform/auth.ts';
import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { change, equals, retryOnConflict } from '../../platform/table/index.ts';
import { accessibleCustomer } from './accessible-customer.ts';
import type { UpdateCustomer } from './customer.schema.ts';
import { presentCustomer } from './present-customer.ts';
import { UserEntity, type User } from './user.entity.ts';
import type { UserRecord } from './user.schema.ts';

/** Changes name or telephone number of a customer of the key's teams; what is absent stays. */
export const updateCustomer = (
  ctx: Context<PartnerCaller>,
  userId: number,
  body: UpdateCustomer,
): Promise<UserRecord> =>
  retryOnConflict(async () => {
    const found = await accessibleCustomer(ctx, userId);
    // JSON knows no undefined: what is in the body has a value.
    const given = body as Partial<Pick<User, keyof UpdateCustomer>>;
    const set = { ...given, updated_at: instantText(ctx.clock.now()) };
    const user = { ...found.user, ...set };
    const { user_id } = user;
    const write = change(UserEntity, { user_id }, { set }, { when: equals('status', found.user.status) });
    return ctx.commit([write], presentCustomer(ctx.caller, { ...found, user }));
  });
