import { addMember, removeMember } from '../../../../shared/domain/people/index.ts';
import type { HostRole } from '../../../../shared/domain/people/team.schema.ts';
import type { Dependencies } from '../../../../shared/platform/context.ts';
import { ServiceError } from '../../../../shared/platform/errors.ts';
import type { Credential, Reply } from '../client.ts';
import type { Town } from '../town.ts';
import { type Account, claimsOf, partnerApplication, type Tenant } from './tenant.ts';

const minuteMs = 60_000;
/** How long the gateway may keep an answer of the authorizer, with the difference of two clocks. */
const cachedMs = 61_000;

/** A person who comes to the service through partners. */
export interface Newcomer {
  name: string;
  email: string;
  password: string;
  /** Since when mails of the provider are expected. */
  hasBegun: boolean;
  token?: string;
  /** From then on the token has been logged out, epoch milliseconds. */
  loggedOutAt?: number;
  /** Whether the last look at a team was with a stolen token. */
  wasThief?: boolean;
  /** Of answers about this person. */
  userIds: Set<number>;
  /** Teams with an open invitation, which grants nothing. */
  invited: Set<number>;
  /** What was accepted and not removed, by team. */
  roles: Map<number, HostRole>;
  /** When the last role in a team was taken back, epoch milliseconds. */
  endedAt: Map<number, number>;
}

/** People who register, verify, log in and out; an operator who grants and removes; and a stranger with another's address. */
export class Newcomers {
  readonly people: Newcomer[];
  readonly #town: Town;
  readonly #tenant: Tenant;
  readonly #operator: Dependencies;

  constructor(town: Town, tenant: Tenant, operator: Dependencies) {
    this.#town = town;
    this.#tenant = tenant;
    this.#operator = operator;
    this.people = ['nga', 'oanh', 'phuc', 'quan'].map((name) => ({
      name,
      email: `${name}@new.example`,
      password: `Secret-of-${name}-1`,
      hasBegun: false,
      userIds: new Set(),
      invited: new Set(),
      roles: new Map(),
      endedAt: new Map(),
    }));
  }

  async live(): Promise<void> {
    for (const person of this.people) void this.#livePerson(person);
    const [first, second] = this.people as [Newcomer, Newcomer];
    for (const person of [first, second]) void this.#employ(person);
    if (this.#town.sim.chance(0.5)) void this.#intrude(this.#town.sim.pick(this.people));
  }

  /** Logs in when all is quiet, after what is still to be done for that. */
  async enter(person: Newcomer): Promise<Reply | undefined> {
    const [partner] = this.#town.partners as [Credential];
    await this.#register(person, partner);
    const account = this.#tenant.byEmail(person.email);
    if (account) Object.assign(account, { isVerified: true, password: person.password });
    await this.#logIn(person, partner);
    return person.token === undefined ? undefined : this.#me(person);
  }

  /** A link in the mailbox is used if it was expected; that of a new password verifies too. */
  read(account: Account, what: 'verify' | 'reset'): void {
    const person = this.people.find(({ email }) => email === account.email);
    if (!person?.hasBegun) return;
    if (what === 'reset') account.password = person.password;
    else if (account.password !== person.password) return;
    account.isVerified = true;
    this.#town.sim.note(`${person.name} uses the link to ${what}`);
  }

  async #livePerson(person: Newcomer): Promise<void> {
    const { sim, partners } = this.#town;
    await sim.sleep(sim.between(0, 60) * minuteMs);
    const isElsewhere = sim.chance(0.5) && this.#signUpElsewhere(person);
    const known = isElsewhere || sim.chance(0.4) ? partners : [sim.pick(partners)];
    await Promise.all(known.map((partner) => this.#register(person, partner)));
    while (await this.#town.think(15)) {
      if (person.token === undefined) await this.#logIn(person, sim.pick(known));
      else if (sim.chance(0.15)) await this.#logOut(person);
      else if (sim.chance(0.4)) await this.#readTeam(person, sim.pick(this.#town.hosts).team!);
      else await this.#me(person);
    }
  }

  /** Has an account of the provider before the service knows of it: both partners meet it at the same moment. */
  #signUpElsewhere({ name, email, password }: Newcomer): boolean {
    if (this.#tenant.byEmail(email)) return false;
    this.#tenant.addAccount({ subject: `auth0|elsewhere-${name}`, email, password, full_name: name });
    return true;
  }

  #external(partner: Credential, verb: string, path: string, body: object): Promise<Reply | undefined> {
    return this.#town.client.ask(partner, {
      verb,
      method: 'POST',
      path: `/api/v1/external/customers/${path}`,
      body,
      ...(verb === 'logInCustomer' ? {} : { key: this.#town.newKey() }),
    });
  }

  async #register(person: Newcomer, partner: Credential): Promise<void> {
    person.hasBegun = true;
    const { email, password, name } = person;
    const body = { email, password, full_name: name };
    const reply = await this.#external(partner, 'registerCustomer', 'register', body);
    if (reply?.status === 201) this.#noteId(person, reply);
    else await this.#external(partner, 'requestPasswordReset', 'password-reset', { email });
  }

  async #logIn(person: Newcomer, partner: Credential): Promise<void> {
    const { email, password } = person;
    const reply = await this.#external(partner, 'logInCustomer', 'login', { email, password });
    if (reply?.status === 200) {
      this.#noteId(person, reply);
      person.token = (reply.json as { access_token: string }).access_token;
      delete person.loggedOutAt;
    } else if (reply?.code === 'EMAIL_NOT_VERIFIED' || reply?.code === 'INVALID_CREDENTIALS')
      await this.#external(partner, 'requestPasswordReset', 'password-reset', { email });
  }

  /** Uses the token, also one that has ended. */
  async #me(person: Newcomer): Promise<Reply | undefined> {
    const { sim, client } = this.#town;
    const { token = '', loggedOutAt = Infinity, name, email } = person;
    const askedAt = sim.now();
    const path = '/api/v1/auth/me';
    const reply = await client.ask({ name, token }, { verb: 'getMe', method: 'GET', path });
    const endsAt = Math.min((claimsOf(token)?.exp ?? 0) * 1000 + 1000, loggedOutAt + cachedMs);
    if (reply?.status === 200) {
      this.#noteId(person, reply);
      const shown = (reply.json as { email: string }).email;
      if (shown !== email) this.#town.problems.push(`${name} is taken for ${shown}`);
      if (askedAt > endsAt) this.#town.problems.push(`${name} is let in with a token that has ended`);
    } else if (reply?.status === 401) {
      const isLoggedOut = person.loggedOutAt !== undefined;
      if (!isLoggedOut && sim.now() < endsAt - 2000)
        this.#town.problems.push(`${name} is refused with a good token`);
      delete person.token;
    }
    return reply;
  }

  /** Bookings of a team are for its hosts, and no longer for one whose role was taken back. */
  async #readTeam(person: Newcomer, team: number): Promise<void> {
    const { sim, client, problems } = this.#town;
    const { name, roles, endedAt } = person;
    person.wasThief = person.wasThief !== true;
    if (person.wasThief) return this.#steal(name, team);
    const token = this.#tenant.signIn(person) ?? '';
    const isStranger = !roles.has(team) && (endedAt.get(team) ?? 0) + cachedMs < sim.now();
    const path = '/api/v1/bookings';
    const reply = await client.ask({ name, token, team }, { verb: 'listTeamBookings', method: 'GET', path });
    if (isStranger && !roles.has(team) && reply?.status === 200)
      problems.push(`${name} reads the bookings of ${team} without a role there`);
  }

  /** Tries what a partner could with the token of a host's login there. */
  async #steal(name: string, team: number): Promise<void> {
    const { client, hosts, problems } = this.#town;
    const host = hosts.find((one) => one.team === team);
    const token = this.#tenant.tokenOf(host?.token ?? '', partnerApplication);
    const path = '/api/v1/bookings';
    const reply = await client.ask({ name, token, team }, { verb: 'listTeamBookings', method: 'GET', path });
    if (reply?.status === 200) problems.push(`${host?.name} is a host with a partner's token: ${reply.text}`);
  }

  async #logOut(person: Newcomer): Promise<void> {
    const { name, token = '' } = person;
    const path = '/api/v1/auth/logout';
    const reply = await this.#town.client.ask({ name, token }, { verb: 'logOut', method: 'POST', path });
    // Without an answer it may have been done.
    person.loggedOutAt = reply?.status === 200 ? this.#town.sim.now() : Infinity;
  }

  #noteId(person: Newcomer, reply: Reply): void {
    const { user_id, id } = reply.json as { user_id?: number; id?: number };
    person.userIds.add(user_id ?? id ?? 0);
  }

  /** The operator gives a person a role in a team and takes it back; a command that fails is given again. */
  async #employ(person: Newcomer): Promise<void> {
    const { sim, hosts } = this.#town;
    // Mostly invited before they come.
    for (let minutes = 5; await this.#town.think(minutes); minutes = 40) {
      const team_id = sim.pick(hosts).team!;
      const { email } = person;
      if (person.invited.has(team_id)) {
        await this.#command(`withdraws the invitation of ${email} to ${team_id}`, (isRepeated) =>
          this.#withdraw(person, team_id, isRepeated),
        );
        continue;
      }
      const role = sim.pick(['STAFF', 'MANAGER', 'OWNER'] as const);
      await this.#command(`invites ${email} as ${role} of ${team_id}`, () =>
        addMember(this.#operator, { team_id, email, role, api_url: 'https://api.example.com' }),
      );
      person.invited.add(team_id);
    }
  }

  async #withdraw(person: Newcomer, team_id: number, isRepeated: boolean): Promise<void> {
    const { email, name } = person;
    try {
      await removeMember(this.#operator, { team_id, email });
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'NOT_FOUND') throw error;
      // After a week it has ended by itself.
      if (!isRepeated && !this.#town.isSlow)
        this.#town.problems.push(`${name} is not invited to ${team_id}, where the operator did it`);
    }
    person.invited.delete(team_id);
    person.endedAt.set(team_id, this.#town.sim.now());
  }

  async #command(what: string, run: (isRepeated: boolean) => Promise<unknown>): Promise<void> {
    const { sim } = this.#town;
    for (let tries = 0; ; tries++) {
      try {
        await sim.inside(() => run(tries > 0));
        sim.note(`operator ${what}`);
        return;
      } catch (error) {
        sim.note(`operator ${what}: ${(error as Error).name} ${(error as Error).message}`);
        await sim.sleep(sim.between(1, 60) * 1000);
      }
    }
  }

  /** Signs up with another person's address before that person, and tries to get in. */
  async #intrude({ email }: Newcomer): Promise<void> {
    const [, partner] = this.#town.partners as [Credential, Credential];
    const password = 'Secret-of-eve-1';
    await this.#external(partner, 'registerCustomer', 'register', { email, password, full_name: 'eve' });
    while (await this.#town.think(30)) {
      const reply = await this.#external(partner, 'logInCustomer', 'login', { email, password });
      if (reply && reply.status < 300) this.#town.problems.push(`a stranger is let in as ${email}`);
    }
  }
}
