import type { Dependencies } from '../../platform/context.ts';
import { writtenLanguage, type WrittenLanguage } from '../../platform/text/language.ts';
import { normalEmail } from '../../platform/text/normal-email.ts';
import type { Table } from '../../platform/table/index.ts';
import { type Guest, guestRef, type Reservation } from '../booking/model.ts';
import { listMembers } from '../people/index.ts';
import { EmailOwnerEntity, type User, UserEntity } from '../people/model.ts';
import type { Side } from './words/words.ts';

/** The recipient of a mail. */
export interface Recipient {
  side: Side;
  /** `user:<id>`, or `mail:<address>` for a guest without an account. */
  ref: string;
  email: string;
  full_name: string;
  language: WrittenLanguage;
  /** An account has verified the address (D110). */
  isKnown: boolean;
}

/**
 * Returns the recipients of mails about a booking: its guest and the hosts of its team, each address once, the guest
 * first (D66).
 */
export const recipientsOf = async (
  deps: Pick<Dependencies, 'table'>,
  reservation: Reservation,
): Promise<Recipient[]> => {
  // The platform writes to its guests (D120).
  const [guests, members] = await Promise.all([
    reservation.payment_method === 'PLATFORM'
      ? []
      : guestOf(deps, reservation.guest).then((guest) => [guest]),
    listMembers(deps, reservation.team_id),
  ]);
  const hosts = members
    .filter(({ role, state, email_verified }) => role !== 'CUSTOMER' && state === 'ACTIVE' && email_verified)
    .map(({ user_id, email, full_name, language, email_verified }) => ({
      side: 'host' as const,
      ref: `user:${user_id}`,
      email,
      full_name,
      language: writtenLanguage(language),
      isKnown: email_verified,
    }));
  const byAddress = new Map<string, Recipient>();
  for (const recipient of [...guests, ...hosts]) {
    const address = normalEmail(recipient.email);
    if (address !== '' && !byAddress.has(address)) byAddress.set(address, recipient);
  }
  return [...byAddress.values()];
};

/**
 * Returns the guest as named in the booking, with the present language and address of the account (D108). The address is empty
 * while the account has another one that is not verified.
 */
export const guestOf = async (
  { table }: Pick<Dependencies, 'table'>,
  { user_id, email, full_name, language }: Guest,
): Promise<Recipient> => {
  const account = user_id === null ? undefined : await table.get(UserEntity, { user_id });
  const holder = account ?? (await holderOf(table, email));
  const address = account ? presentAddress(account, email) : email;
  return {
    side: 'guest',
    ref: guestRef({ user_id, email }),
    email: address,
    full_name,
    language: writtenLanguage(account?.language ?? language),
    isKnown: holder?.email_verified === true && holder.email === normalEmail(address),
  };
};

const presentAddress = ({ status, email, email_verified }: User, booked: string): string => {
  if (status === 'DELETED' || email === normalEmail(booked)) return booked;
  return email_verified ? email : '';
};

/** Returns the account of an address, if there is one. */
const holderOf = async (table: Table, email: string): Promise<User | undefined> => {
  const owner = await table.get(EmailOwnerEntity, { email: normalEmail(email) });
  return owner && table.get(UserEntity, owner);
};
