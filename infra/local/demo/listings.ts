import { ListingCreate } from '../../../shared/domain/listing/listing.schema.ts';
import { createListing } from '../../../shared/domain/listing/index.ts';
import type { UserCaller } from '../../../shared/platform/auth.ts';
import type { Context, Dependencies } from '../../../shared/platform/context.ts';

const listings = [
  {
    name: 'Căn hộ nhìn ra Hồ Tây',
    listing_type: 'ENTIRE_PLACE',
    property_type: 'APARTMENT',
    address: '25 Quảng An, Tây Hồ, Hà Nội',
    province_code: 'HN',
    latitude: 21.0689,
    longitude: 105.8236,
    capacity: 4,
    full_rate: 1_200_000,
    cleaning_fee: 150_000,
    state: 'ACTIVE',
  },
  {
    name: 'Biệt thự Đà Lạt',
    listing_type: 'ENTIRE_PLACE',
    property_type: 'VILLA',
    address: '12 Trần Hưng Đạo, Đà Lạt',
    province_code: 'LD',
    latitude: 11.9404,
    longitude: 108.4583,
    capacity: 8,
    full_rate: 3_500_000,
    cleaning_fee: 300_000,
    state: 'ACTIVE',
  },
];

/** The demo team's homes. */
export const seedListings = async (
  deps: Dependencies,
  { team_id, user_id }: { team_id: number; user_id: number },
): Promise<number[]> => {
  const ctx = contextOf(deps, { team_id, user_id });
  const ids: number[] = [];
  for (const listing of listings)
    ids.push((await createListing(ctx, { body: ListingCreate.parse(listing) })).id);
  return ids;
};

const contextOf = (
  deps: Dependencies,
  { team_id, user_id }: { team_id: number; user_id: number },
): Context => {
  const caller: UserCaller = {
    kind: 'user',
    user_id,
    subject: 'demo',
    email: '',
    full_name: '',
    phone: '',
    language: 'vi',
    email_verified: true,
    system_role: 'USER',
    memberships: [{ team_id, role: 'OWNER' }],
  };
  return {
    ...deps,
    caller,
    requestId: 'demo',
    teamHeader: team_id,
    commit: async (writes, body) => {
      await deps.table.transact(writes);
      return body;
    },
  };
};
