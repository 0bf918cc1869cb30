import { customers } from '../../functions/customers/index.ts';
import { customersRoutes } from '../../functions/customers/routes.ts';
import type { RunningIdentityProvider } from '../../infra/local/identity/index.ts';
import type { PartnerCaller } from '../../shared/platform/auth.ts';
import { systemClock } from '../../shared/platform/time/clock.ts';
import { createAuth0, type IdentityProvider } from '../../shared/platform/identity/index.ts';
import type { Table } from '../../shared/platform/table/index.ts';
import { client, configOf, createMailbox, start } from './embedded-identity.ts';
import { groupCalls } from './group-calls.ts';
import { freshEmail, strongPassword } from './identity-contract.ts';
import { type TestDependencies, testDependencies, testKey, testTeam } from './table.ts';

/** The customer routes with the embedded identity provider, as a partner's back end calls them. */
export interface PartnerScene {
  deps: TestDependencies;
  provider: RunningIdentityProvider;
  /** The provider's client; a method may be replaced by one that fails. */
  identity: IdentityProvider;
  calls: ReturnType<typeof callsOn>;
  /** Returns the calls over another table, for crashes and lost tables. */
  callsOver: (table: Table) => ReturnType<typeof callsOn>;
  partner: (teams?: number) => Promise<PartnerCaller>;
  newPerson: () => { email: string; password: string; full_name: string; phone: string };
  /** Follows the last mailed link. */
  verify: (email: string) => Promise<void>;
  /** Sets a new password by the last mailed link. */
  setPassword: (email: string, password: string) => Promise<void>;
  mailsTo: (email: string) => number;
  /** Changes an account at the provider, as its administrator does. */
  changeAccount: (subject: string, change: object) => Promise<void>;
}

export const partnerScene = async (): Promise<PartnerScene> => {
  const mailbox = createMailbox();
  const provider = await start({ sendMail: mailbox.sendMail });
  const identity = createAuth0(configOf(provider), { clock: systemClock });
  const deps = { ...(await testDependencies()), identity: () => identity };
  return {
    deps,
    provider,
    identity,
    calls: callsOn(deps),
    callsOver: (table) => callsOn({ ...deps, table }),
    partner: async (teams = 1) => {
      const team_ids: number[] = [];
      for (let at = 0; at < teams; at++) team_ids.push((await testTeam(deps)).team_id);
      return (await testKey(deps, { team_ids })).caller;
    },
    newPerson: () => ({
      email: freshEmail(),
      password: strongPassword(),
      full_name: 'Trần Thị Bình',
      phone: '+84 912 345 678',
    }),
    verify: async (email) => {
      await fetch(mailbox.linkMailedTo(email) ?? 'http://no-mail.invalid');
    },
    setPassword: async (email, password) => {
      const link = mailbox.linkMailedTo(email) ?? 'http://no-mail.invalid';
      await fetch(link, { method: 'POST', body: new URLSearchParams({ password }) });
    },
    changeAccount: async (subject, change) => {
      const json = { 'content-type': 'application/json' };
      const grant = { grant_type: 'client_credentials', audience: provider.managementAudience, ...client };
      const issued = await fetch(`${provider.url}/oauth/token`, {
        ...{ method: 'POST', headers: json, body: JSON.stringify(grant) },
      });
      const { access_token } = (await issued.json()) as { access_token: string };
      const changed = await fetch(`${provider.url}/api/v2/users/${encodeURIComponent(subject)}`, {
        ...{ method: 'PATCH', headers: { ...json, authorization: `Bearer ${access_token}` } },
        body: JSON.stringify(change),
      });
      if (!changed.ok) throw new Error(await changed.text());
    },
    mailsTo: (email) => mailbox.mails.filter(({ to }) => to === email).length,
  };
};

const callsOn = (deps: TestDependencies) =>
  groupCalls(
    customers(() => deps),
    customersRoutes,
  );
