import type { PartnerCaller, UserCaller } from '../../shared/platform/auth.ts';
import { exampleIds as ids, exampleInvitations } from '../../shared/platform/http/example-records.ts';

/** The records that the files of `events/` name, those of the documentation's examples; the test that runs them creates them. */
export const sampleWorld = {
  now: '2027-01-15T03:00:00.000Z',
  stage: 'dev',
  team_id: ids.team,
  guest_id: ids.guest,
  host_id: ids.host,
  listing_id: ids.listing,
  order_id: ids.booking - 1,
  followed_feed_id: ids.feed,
  webhook_id: ids.webhook,
  /** A webhook whose key has expired: nothing is sent. */
  ended_webhook: { key_id: 10, webhook_id: 17_402_345_670_200 },
  api_key: 'nl_dev_Sample0000000000000000000000000000000000_3RiLo4',
  publishable_key: 'pk_dev_Sample0000000000000000000000000000000000_1uVIS4',
  /** The secret of an open invitation. */
  invitation: exampleInvitations.toRead,
  vnpay: { tmn_code: 'NIGHTL01', secret: 'sample-vnpay-secret' },
} as const;

const { team_id, guest_id, host_id } = sampleWorld;

const person = { kind: 'user', language: 'vi', email_verified: true, system_role: 'USER' } as const;

export const guest: UserCaller = {
  ...person,
  user_id: guest_id,
  subject: 'auth0|65a1f0c2',
  email: 'an@example.com',
  full_name: 'Nguyễn Văn An',
  phone: '+84901234567',
  memberships: [],
};

export const host: UserCaller = {
  ...person,
  user_id: host_id,
  subject: 'auth0|64b0e1d3',
  email: 'linh@example.com',
  full_name: 'Trần Thị Linh',
  phone: '+84907654321',
  memberships: [{ team_id, role: 'OWNER' }],
};

export const partner: PartnerCaller = {
  kind: 'partner',
  key_id: 9,
  team_ids: [team_id],
  collects_payment: false,
  rate_limit: null,
};
