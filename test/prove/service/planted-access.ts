import { TransactWriteCommand } from '../../../shared/platform/dynamodb/index.ts';
import type { IdentityProvider } from '../../../shared/platform/identity/index.ts';
import type { Item } from '../memory/values.ts';
import type { ServiceBug } from './bug.ts';
import { hostApplication } from './identity/tenant.ts';
import type { Tamper } from './table.ts';

/** Changes the items of an entity as they are read. */
const readingAs =
  (entity: string, change: (item: Item) => Item): NonNullable<ServiceBug['reading']> =>
  (item) =>
    item['entity'] === entity ? change(item) : item;

/** Leaves out the removal of memberships. */
const keepingMembers: Tamper = (command) => {
  if (!(command instanceof TransactWriteCommand)) return command;
  const all = command.input.TransactItems ?? [];
  const TransactItems = all.filter(({ Delete }) => !String(Delete?.Key?.['sk']).startsWith('MEMBER#'));
  return new TransactWriteCommand({ ...command.input, TransactItems });
};

/** Takes the account for the invited one: the address that an instance of the function has just read. */
const anyAddress = (): Pick<ServiceBug, 'reading' | 'identity'> => {
  const invited = new Map<string, string>();
  return {
    reading: (item, by) => {
      if (item['entity'] === 'Invitation') invited.set(by, String(item['email']));
      return item;
    },
    identity: (client, by) => ({
      ...client,
      readUser: async (subject) => {
        const account = await client.readUser(subject);
        const email = by.startsWith('invitations') ? invited.get(by) : undefined;
        return account && email !== undefined ? { ...account, email } : account;
      },
    }),
  };
};

/** An instance keeps the address with which it has seen an account first. */
const rememberingAddresses = (client: IdentityProvider): IdentityProvider => {
  const seen = new Map<string, string>();
  return {
    ...client,
    readUser: async (subject) => {
      const account = await client.readUser(subject);
      if (!account) return account;
      const email = seen.get(subject) ?? account.email;
      seen.set(subject, email);
      return { ...account, email };
    },
  };
};

/** Mistakes about who may see and do what (D105, D106, D108). */
export const accessBugs: readonly ServiceBug[] = (
  [
    { name: 'an invitation is accepted without a comparison of the address', ...anyAddress() },
    {
      name: 'a token from before the acceptance has the role',
      reading: readingAs('Membership', ({ accepted_at: _, accepted_token: __, ...item }) => item),
    },
    {
      name: 'an invitation is accepted with a first password that a partner chose',
      reading: readingAs('User', (item) => ({ ...item, first_password_by: null })),
    },
    { name: 'a member who is taken out keeps the role', tamper: keepingMembers },
    { name: 'an address that moves to another account is not noticed', identity: rememberingAddresses },
    {
      name: 'a block is not looked at',
      reading: readingAs('User', (item) =>
        item['status'] === 'BLOCKED' ? { ...item, status: 'ACTIVE' } : item,
      ),
    },
    {
      name: "a token of an application for guests has a host's rights",
      claims: (claims) => ({ ...claims, azp: hostApplication }),
    },
  ] satisfies ServiceBug[]
).map((bug) => ({ ...bug, isOfCrew: true }));
