import type { ClassifiedFields } from '../../platform/table/personal-data.ts';

/** The classes of the texts of people, teams and keys. */
export const peopleData: Record<string, ClassifiedFields> = {
  Team: {
    none: `name created_at logo_url default_standard_check_in_time default_standard_check_out_time default_timezone
      default_currency default_refund_rule own_mails[]`,
    personal: 'contact_name contact_phone contact_email',
  },
  User: {
    none: `timezone host_status host_application_at host_approved_at created_at updated_at deleted_at account_seen_at blocked_at
      unblocked_at first_password_by`,
    personal: `email phone full_name avatar_url date_of_birth gender auth0_id rejection_reason last_login_at`,
    secret: 'admin_accepted_token',
  },
  Subject: { personal: 'subject' },
  EmailOwner: { personal: 'email' },
  Membership: {
    none: 'created_at',
    personal: 'full_name replaced_full_name phone replaced_phone',
    secret: 'accepted_token',
  },
  FirstPassword: { none: 'set_by', personal: 'email' },
  Invitation: { none: 'api_url created_at valid_until', personal: 'email', secret: 'secret_hash' },
  InvitationSecret: { none: 'valid_until', personal: 'email', secret: 'secret_hash' },
  VerificationMails: {},
  PasswordMails: { personal: 'address' },
  InvitationMails: { personal: 'address' },
  LoginFailures: { none: 'by', personal: 'address' },
  SignedOutToken: { secret: 'token_hash' },
  ApiKey: {
    none: 'hint publishable.text publishable.allowed_origins[] valid_until allow_ip[] created_at revoked_at last_used',
    free: 'name',
    secret: 'hash',
  },
  ApiKeyId: { secret: 'hash' },
  PartnerKey: { secret: 'hash' },
  TeamKey: { secret: 'hash' },
};

/** The classes of the texts in the data of their events. */
export const peopleEventData: Record<string, ClassifiedFields> = {
  'customer.registered': {},
  'team.member_invited': {},
  'team.member_joined': {},
  'team.member_role_changed': {},
  'team.member_removed': {},
  'team.created': {},
  'team.updated': { none: 'changed[]' },
  'team.key_created': {},
  'team.key_rotated': {},
  'team.transfer_reports_changed': { none: 'reporter' },
  'team.bank_account_changed': { none: 'account effective_at' },
};
