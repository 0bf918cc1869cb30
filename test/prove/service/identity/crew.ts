import type { Outcome } from '../../../../infra/operator/operate.ts';
import type { HostRole } from '../../../../shared/domain/people/team.schema.ts';
import { testTeam, testUser } from '../../../support/builders.ts';
import { type Access, lateMs, type Link, type Pass, type Permission, type Span } from '../judge/access.ts';
import type { Credential, Reply, Request } from '../client.ts';
import type { SentMail } from '../post.ts';
import type { ServiceTable } from '../table.ts';
import { directDependencies, type Town } from '../town.ts';
import { type Account, claimsOf, hostApplication, partnerApplication, type Tenant } from './tenant.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
const passSeconds = 86_400;

/** A person who is invited. */
interface Person {
  name: string;
  password: string;
  passes: Pass[];
}

interface Owner extends Credential {
  team: number;
  listing: number;
}

interface Tools {
  operate: (args: readonly string[]) => Promise<Outcome>;
  count: (command: string) => void;
}

/** What hosts do, with what it takes. */
interface Deed {
  verb: string;
  permission: Permission;
  request: (mark: string, owner: Owner) => Omit<Request, 'verb'>;
}

const api = '/api/v1';
const members = `${api}/team/members`;

const deeds: readonly Deed[] = [
  {
    verb: 'listTeamBookings',
    permission: 'operate',
    request: () => ({ method: 'GET', path: `${api}/bookings` }),
  },
  { verb: 'listTeamMembers', permission: 'own', request: () => ({ method: 'GET', path: members }) },
  { verb: 'listTeamKeys', permission: 'own', request: () => ({ method: 'GET', path: `${api}/team/keys` }) },
  {
    verb: 'updateListing',
    permission: 'manage',
    request: (mark, { listing }) => ({
      method: 'PATCH',
      path: `${api}/listings/${listing}`,
      body: { description: `${mark}.` },
    }),
  },
  {
    verb: 'createTeamKey',
    permission: 'own',
    request: (mark) => ({
      method: 'POST',
      path: `${api}/team/keys`,
      body: { name: `${mark}.`, scopes: ['read'] },
    }),
  },
  {
    verb: 'setTeamMember',
    permission: 'own',
    request: (mark) => ({
      method: 'POST',
      path: members,
      body: { email: `${mark}.x@thief.example`, role: 'STAFF' },
    }),
  },
];

/**
 * Two teams whose owners invite people, give them roles and take them back; the people, whose addresses change hands; one who
 * has signed up with an address of another by a partner; and a thief with copies of their tokens and every mailed link.
 */
export class Crew {
  readonly access: Access;
  readonly #town: Town;
  readonly #tenant: Tenant;
  readonly #tools: Tools;
  readonly #people: Person[] = ['rosa', 'son', 'tam', 'uyen'].map((name) => ({
    name,
    password: `Secret-of-${name}-1`,
    passes: [],
  }));
  readonly #owners: Owner[] = [];
  readonly #links: Link[] = [];
  readonly #loot: Pass[] = [];
  readonly #eve: Person = { name: 'eve', password: 'Secret-of-eve-1', passes: [] };
  #marks = 0;

  constructor(town: Town, tenant: Tenant, access: Access, tools: Tools) {
    this.#town = town;
    this.#tenant = tenant;
    this.access = access;
    this.#tools = tools;
    tenant.changed = (account) => this.#note(account);
  }

  async build(table: ServiceTable): Promise<void> {
    const deps = directDependencies(table, this.#town.sim);
    for (const name of ['yen', 'dao']) {
      const { team_id: team } = await testTeam(deps, { name: `Team ${name}` });
      const { user } = await testUser(deps, {
        full_name: name,
        email: `${name}@host.example`,
        auth0_id: `auth0|${name}`,
        memberships: [{ team_id: team, role: 'OWNER' }],
      });
      this.access.teams.push({ team, name: `Team ${name}`, owner: user.user_id });
      const who = { name: `owner-${name}`, token: `auth0|${name}`, team };
      const body = { ...this.#town.listingBody('Barn'), state: 'DRAFT' };
      const made = { verb: 'createListing', method: 'POST', path: `${api}/listings`, body } as const;
      const { json } = await this.#town.must(who, made);
      this.#owners.push({ ...who, listing: (json as { id: number }).id });
    }
  }

  async live(): Promise<void> {
    for (const person of this.#people) void this.#livePerson(person);
    for (const owner of this.#owners) void this.#liveOwner(owner);
    void this.#move();
    void this.#block();
    void this.#intrude();
    while (await this.#town.think(4)) await this.#steal();
  }

  /** A reader of the mailbox has the link, and so has the thief. */
  receive({ subject, to, text }: SentMail): void {
    const [, secret] = /\/invitation#([\w-]+)/.exec(text) ?? [];
    const [, day, time] = /(\d{4}-\d\d-\d\d) (\d\d:\d\d)/.exec(text) ?? [];
    const team = this.access.teams.find(({ name }) => subject.includes(name));
    if (secret === undefined || !team) return;
    const until = Date.parse(`${day}T${time}:59Z`);
    this.#links.push({ secret, team: team.team, email: to, until });
  }

  /** A link of the provider in the mailbox of an address: a new password is the holder's, and verification is for anyone. */
  read(account: Account, what: 'verify' | 'reset'): void {
    const person = this.#people.find((one) => this.#accountOf(one) === account);
    if (!person) return;
    const { sim } = this.#town;
    if (what === 'reset') {
      account.password = person.password;
      account.resetAt = sim.now();
      this.access.reset(account.subject, sim.now());
    }
    this.#tenant.change(account, { isVerified: true });
    sim.note(`${person.name} uses the link to ${what} ${account.email}`);
  }

  /** When all is quiet everyone signs in, is invited, accepts, works and is removed; each old token is tried once more. */
  async end(): Promise<string[]> {
    const { sim } = this.#town;
    const problems: string[] = [];
    const [owner] = this.#owners as [Owner];
    for (const person of this.#people) {
      const account = this.#accountOf(person) ?? this.#signUp(person);
      await this.#setBlock(account, false);
      if (account.password !== person.password) this.read(account, 'reset');
      this.#tenant.change(account, { isVerified: true });
      const old = [...this.#loot, ...this.#eve.passes].filter(({ subject }) => subject === account.subject);
      const id = await this.#me(this.#pass(person, account));
      if (id === undefined) problems.push(`${person.name} cannot come in`);
      else await this.#remove(owner, id);
      const before = this.#links.length;
      await this.#invite(owner, account.email, 'MANAGER');
      await sim.sleep(10 * minuteMs);
      const link = this.#links.slice(before).findLast(({ email }) => email === account.email);
      if (!link) {
        problems.push(`${account.email} has no link of an invitation`);
        continue;
      }
      const [first] = this.#people.filter((other) => other !== person);
      const others = this.#accountOf(first!);
      if (others) await this.#accept(this.#pass(first!, others), link);
      const pass = this.#pass(person, account);
      const answer = await this.#accept(pass, link);
      if (answer?.status !== 200) problems.push(`${person.name} cannot accept: ${answer?.text}`);
      await sim.sleep(lateMs + 1000);
      const mine = this.#pass(person, account);
      for (const one of [...old.slice(-4), pass, mine, this.#pass(person, account, partnerApplication)])
        await this.#try(one, owner, deeds[0]!);
      if (id === undefined) continue;
      await this.#remove(owner, id);
      await sim.sleep(lateMs + 1000);
      for (const one of [pass, mine]) await this.#try(one, owner, deeds[0]!);
    }
    return problems;
  }

  async #livePerson(person: Person): Promise<void> {
    const { sim } = this.#town;
    // The address of the last one is taken before she comes.
    await sim.sleep(sim.between(person.name === 'uyen' ? 40 : 0, 70) * minuteMs);
    while (await this.#town.think(this.#town.isSlow ? 1 : 8)) {
      const account = this.#accountOf(person) ?? this.#signUp(person);
      if (account.password !== person.password) await this.#recover(account);
      else if (!account.isVerified) this.#tenant.change(account, { isVerified: true });
      else await this.#act(person, account);
    }
  }

  async #act(person: Person, account: Account): Promise<unknown> {
    const { sim } = this.#town;
    const [pass] = person.passes.slice(-1);
    const dice = sim.random();
    if (!pass || pass.exp * 1000 < sim.now() || dice < 0.2)
      return this.#me(this.#pass(person, account, sim.chance(0.8) ? hostApplication : partnerApplication));
    if (dice < 0.3) return this.#me(sim.pick(person.passes));
    if (dice < 0.6) return this.#acceptSome(account, pass);
    return this.#try(pass, sim.pick(this.#owners), sim.pick(deeds));
  }

  /** Mostly the newest link for the address; now and then another, or twice at the same moment. */
  async #acceptSome({ email }: Account, pass: Pass): Promise<void> {
    const { sim } = this.#town;
    if (this.#links.length === 0) return;
    const own = this.#links.findLast((link) => link.email === email);
    // An invitation ends after 7 days.
    if (own && this.#town.isSlow && sim.chance(0.1)) {
      await sim.sleep(8 * dayMs);
      const account = this.#tenant.accounts.find(({ subject }) => subject === pass.subject);
      const person = this.#people.find(({ name }) => name === pass.by);
      if (account && person) await this.#accept(this.#pass(person, account), own);
      return;
    }
    const link = own && sim.chance(0.8) ? own : sim.pick(this.#links);
    const path = `${api}/invitations/${link.secret}`;
    if (sim.chance(0.2))
      await this.#town.client.ask({ name: pass.by }, { verb: 'getInvitation', method: 'GET', path });
    const times = sim.chance(0.2) ? 2 : 1;
    await Promise.all(Array.from({ length: times }, () => this.#accept(pass, link)));
  }

  /** Sets a password by a mailed link, of the invitation if there is one. */
  async #recover(account: Account): Promise<void> {
    const link = this.#links.findLast(({ email }) => email === account.email);
    if (!link) return;
    const path = `${api}/invitations/${link.secret}/reset`;
    await this.#town.client.ask({ name: 'uyen' }, { verb: 'requestInvitedReset', method: 'POST', path }, 1);
  }

  async #liveOwner(owner: Owner): Promise<void> {
    const { sim } = this.#town;
    while (await this.#town.think(6)) {
      const dice = sim.random();
      const { email } = sim.pick(this.#people.map((person) => this.#addressOf(person)));
      if (dice < 0.55) await this.#invite(owner, email, sim.pick(['STAFF', 'MANAGER', 'OWNER'] as const));
      else await this.#removeSome(owner);
    }
  }

  /** Takes a member out, or withdraws an invitation. */
  async #removeSome(owner: Owner): Promise<void> {
    const reply = await this.#town.client.ask(owner, {
      verb: 'listTeamMembers',
      method: 'GET',
      path: members,
    });
    if (reply?.status !== 200) return;
    const { items } = reply.json as { items: { user_id: number; email: string }[] };
    const others = items.filter(({ email }) => email !== `${owner.name.slice(6)}@host.example`);
    if (others.length > 0) await this.#remove(owner, this.#town.sim.pick(others).user_id);
  }

  async #invite(owner: Owner, email: string, role: HostRole): Promise<void> {
    const body = { email, role };
    const request = { verb: 'setTeamMember', method: 'POST', path: members, body } as const;
    const { at, reply } = await this.#ask(owner, { ...request, key: this.#town.newKey() });
    const { user_id: id, state } = (reply?.json ?? {}) as { user_id?: number; state?: string };
    const { team } = owner;
    this.access.invited({ ...answered(at, reply), team, email, role, id, isMember: state === 'ACTIVE' });
  }

  async #remove(owner: Owner, id: number): Promise<void> {
    const request = { verb: 'removeTeamMember', method: 'DELETE', path: `${members}/${id}` } as const;
    const { at, reply } = await this.#ask(owner, request);
    this.access.removed({ ...answered(at, reply), team: owner.team, id });
  }

  async #accept(pass: Pass, link: Link): Promise<Reply | undefined> {
    const path = `${api}/invitations/${link.secret}/accept`;
    const request = { verb: 'acceptInvitation', method: 'POST', path, key: this.#town.newKey() } as const;
    const { at, reply } = await this.#ask({ name: pass.by, token: pass.text }, request);
    const { role } = (reply?.json ?? {}) as { role?: HostRole };
    this.access.accepted({ ...answered(at, reply), pass, link, role });
    return reply;
  }

  async #try(pass: Pass, owner: Owner, { verb, permission, request }: Deed): Promise<void> {
    const mark = `mark-${++this.#marks}`;
    const { team } = owner;
    const { at, reply } = await this.#ask(
      { name: pass.by, token: pass.text, team },
      { verb, ...request(mark, owner), ...(verb === 'setTeamMember' ? { key: this.#town.newKey() } : {}) },
      1,
    );
    this.access.tried({ ...answered(at, reply), pass, team, verb, permission, mark });
  }

  async #me(pass: Pass): Promise<number | undefined> {
    const request = { verb: 'getMe', method: 'GET', path: `${api}/auth/me` } as const;
    const { at, reply } = await this.#ask({ name: pass.by, token: pass.text }, request);
    if (reply?.status !== 200) return undefined;
    const { id, email, email_verified } = reply.json as {
      id: number;
      email: string;
      email_verified: boolean;
    };
    this.access.shown({ at, pass, userId: id, email, isVerified: email_verified });
    return id;
  }

  /** Asks until the answer says what was done, some times at most; otherwise it may take effect later. */
  async #ask(who: Credential, request: Request, most = 6): Promise<{ at: Span; reply: Reply | undefined }> {
    const { sim, client } = this.#town;
    const begin = sim.now();
    for (let tries = 1; ; tries++) {
      const reply = await client.ask(who, request, 1);
      const isSaid = reply !== undefined && reply.status < 500;
      if (isSaid || tries === most)
        return {
          at: { begin, end: isSaid ? sim.now() : sim.now() + 5 * minuteMs },
          reply: isSaid ? reply : undefined,
        };
      await sim.sleep(sim.between(300, 3000) * 2 ** tries);
    }
  }

  /** The thief tries a host's work, or an invitation, with a copy of a token. */
  async #steal(): Promise<void> {
    const { sim } = this.#town;
    if (this.#loot.length === 0) return;
    const pass = { ...sim.pick(this.#loot), by: 'thief' };
    if (this.#links.length > 0 && sim.chance(0.2)) await this.#accept(pass, sim.pick(this.#links));
    else await this.#try(pass, sim.pick(this.#owners), sim.pick(deeds));
  }

  /** Signs up by a partner with the address of one who has not come yet, and signs in once it is verified. */
  async #intrude(): Promise<void> {
    const { sim, partners, client } = this.#town;
    const { password } = this.#eve;
    const email = 'uyen@crew.example';
    const body = { email, password, full_name: 'eve' };
    const path = `${api}/external/customers/register`;
    const request = { verb: 'registerCustomer', method: 'POST', path, body } as const;
    await sim.sleep(sim.between(0, 25) * minuteMs);
    await client.ask(sim.pick(partners), { ...request, key: this.#town.newKey() });
    while (await this.#town.think(10)) {
      const now = this.#tenant.byEmail(email);
      if (now?.password === password && now.isVerified) this.#pass(this.#eve, now);
      const [pass] = this.#eve.passes.slice(-1);
      const link = this.#links.findLast((one) => one.email === email);
      if (pass && link && sim.chance(0.5)) await this.#accept(pass, link);
      else if (pass) await this.#try(pass, sim.pick(this.#owners), sim.pick(deeds));
    }
  }

  /** Gives an address to another account: the one who had it has another from then on. */
  async #move(): Promise<void> {
    const { sim } = this.#town;
    while (await this.#town.think(30)) {
      const [from, to] = [sim.pick(this.#people), sim.pick(this.#people)];
      const [old, next] = [this.#accountOf(from), this.#accountOf(to)];
      if (!old || !next || old === next) continue;
      const { email } = old;
      sim.note(`${email} of ${from.name} becomes that of ${to.name}`);
      this.#tenant.change(old, { email: `${from.name}-${++this.#marks}@crew.example`, isVerified: true });
      await this.#town.pause(5);
      if (this.#tenant.byEmail(email)) continue;
      this.#tenant.change(next, { email, isVerified: sim.chance(0.7) });
    }
  }

  /** The operator blocks an account for a time. */
  async #block(): Promise<void> {
    const { sim } = this.#town;
    while (await this.#town.think(40)) {
      const account = this.#accountOf(sim.pick(this.#people));
      if (!account) continue;
      await this.#setBlock(account, true);
      await this.#town.pause(15);
      await this.#setBlock(account, false);
    }
  }

  async #setBlock({ subject }: Account, isBlocked: boolean): Promise<void> {
    const { sim } = this.#town;
    const verb = isBlocked ? 'block' : 'unblock';
    const begin = sim.now();
    for (let tries = 1; tries <= 8; tries++) {
      const outcome = await this.#tools.operate(['user', verb, '--subject', subject]).catch(() => undefined);
      const said = outcome?.exitCode === 0 ? 'done' : (outcome?.stderr ?? 'no answer');
      this.#tools.count(`operator user ${verb} ${said === 'done' ? said : 'not done'}`);
      sim.note(`operator user ${verb} ${subject} -> ${said}`);
      if (said === 'done') {
        this.access.blocked({ subject, isBlocked, at: { begin, end: sim.now() } });
        return;
      }
      if (said.includes('NOT_FOUND')) return;
      await sim.sleep(sim.between(1, 30) * 1000);
    }
    this.access.blocked({ subject, isBlocked, at: { begin, end: Infinity } });
  }

  /** Signs in on the provider's page; half of the tokens say the address, and many are copied. */
  #pass(person: Person, account: Account, azp = hostApplication): Pass {
    const { sim } = this.#town;
    const { subject, email, isVerified } = account;
    const said = sim.chance(0.5) ? { email, email_verified: isVerified } : {};
    const text = this.#tenant.tokenOf(subject, azp, { seconds: passSeconds, said });
    const { iat = 0, exp } = claimsOf(text)!;
    const pass = { text, subject, azp, iat, exp, by: person.name, isForeign: person === this.#eve };
    person.passes.push(pass);
    if (sim.chance(0.6)) this.#loot.push(pass);
    return pass;
  }

  #signUp({ name, password }: Person): Account {
    const email = `${name}@crew.example`;
    const taken = this.#tenant.byEmail(email);
    const subject = `auth0|crew-${name}`;
    // Someone holds the address already: an account of the own comes with another one.
    const own = taken ? `${name}-${++this.#marks}@crew.example` : email;
    return this.#tenant.addAccount({ subject, email: own, password, full_name: name });
  }

  /** The account of a person: of the own making, or that a stranger made with the address. */
  #accountOf({ name }: Person): Account | undefined {
    return this.#tenant.accounts.find(
      ({ subject, full_name }) =>
        subject === `auth0|crew-${name}` ||
        (name === 'uyen' && full_name === this.#eve.name && this.access.isKnown(subject)),
    );
  }

  #addressOf(person: Person): { email: string } {
    return this.#accountOf(person) ?? { email: `${person.name}@crew.example` };
  }

  #note({ subject, email, isVerified }: Account): void {
    if (!email.endsWith('@crew.example')) return;
    if (!subject.startsWith('auth0|crew-') && !this.access.isKnown(subject))
      this.access.firstPasswordIsOfPartner(subject);
    this.access.holds({ subject, email, isVerified, at: this.#town.sim.now() });
  }
}

const answered = (at: Span, reply: Reply | undefined) => ({ at, status: reply?.status, code: reply?.code });
