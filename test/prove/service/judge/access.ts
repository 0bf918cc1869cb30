import type { HostRole } from '../../../../shared/domain/people/team.schema.ts';
import type { Item } from '../../memory/values.ts';
import { hostApplication } from '../identity/tenant.ts';
import type { SentMail } from '../post.ts';

export type Permission = 'operate' | 'manage' | 'own';

/** When a request was under way, epoch milliseconds; a change that was not answered may still come: its end is never. */
export interface Span {
  begin: number;
  end: number;
}

/** A token of a person; `iat` and `exp` in epoch seconds. */
export interface Pass {
  text: string;
  subject: string;
  azp: string;
  iat: number;
  exp: number;
  /** Who has it. */
  by: string;
  /** Its bearer is not the person of the account. */
  isForeign: boolean;
}

interface Answered {
  at: Span;
  /** Undefined: no answer, or one that does not say what was done. */
  status: number | undefined;
  code?: string | undefined;
}

/** An address of an account at the identity provider from a time on. */
interface Held {
  subject: string;
  email: string;
  isVerified: boolean;
  at: number;
}

interface Invited extends Answered {
  team: number;
  email: string;
  role: HostRole;
  /** The invitation, or the user whose role was changed. */
  id?: number | undefined;
  isMember: boolean;
}

interface Removed extends Answered {
  team: number;
  /** A user, or an invitation. */
  id: number;
}

interface Accepted extends Answered {
  pass: Pass;
  link: Link;
  role?: HostRole | undefined;
}

interface Tried extends Answered {
  pass: Pass;
  team: number;
  verb: string;
  permission: Permission;
  /** What would be found in a record if it took effect. */
  mark?: string | undefined;
}

/** What `/auth/me` said. */
interface Shown {
  at: Span;
  pass: Pass;
  userId: number;
  email: string;
  isVerified: boolean;
}

interface Blocked {
  subject: string;
  isBlocked: boolean;
  at: Span;
}

/** A mailed link of an invitation. */
export interface Link {
  secret: string;
  team: number;
  email: string;
  /** The end that the mail says, epoch milliseconds. */
  until: number;
}

/** A role that a person has accepted. */
interface Membership {
  subject: string;
  team: number;
  from: Span;
  isSure: boolean;
  tokens: Set<string>;
  roles: { role: HostRole; at: Span }[];
  until?: Span;
}

interface AccessTeam {
  team: number;
  name: string;
  owner: number;
}

/** The gateway keeps an answer of the authorizer for 60 seconds, which took up to 10; clocks differ by a second. */
export const lateMs = 71_000;
const clocksMs = 1000;
/** A mail's readers of an index that lags, and the tries of its message. */
const mailLateMs = 20 * 60_000;

const permissions: Record<Permission, readonly HostRole[]> = {
  operate: ['STAFF', 'MANAGER', 'OWNER'],
  manage: ['MANAGER', 'OWNER'],
  own: ['OWNER'],
};

const of = <Type>(items: readonly Item[], entity: string): Type[] =>
  items.filter((item) => item['entity'] === entity) as Type[];

const seconds = (ms: number): number => Math.floor(ms / 1000);
const isDone = ({ status }: Answered): boolean => status !== undefined && status < 300;
const maybeDone = (one: Answered): boolean => one.status === undefined || isDone(one);
const during = (one: Span, other: Span): boolean => one.begin <= other.end && other.begin <= one.end;

/**
 * Who may do what in the teams that people are invited to, by what was asked and answered alone: who holds an address at the
 * provider since when, who has accepted which invitation with which token, who was removed or blocked when.
 */
export class Access {
  readonly teams: AccessTeam[] = [];
  readonly #held: Held[] = [];
  readonly #invited: Invited[] = [];
  readonly #removed: Removed[] = [];
  readonly #accepted: Accepted[] = [];
  readonly #tried: Tried[] = [];
  readonly #shown: Shown[] = [];
  readonly #blocked: Blocked[] = [];
  /** Accounts whose first password a partner chose, with the time of the last reset. */
  readonly #resets = new Map<string, number>();
  #memberships: Membership[] = [];

  holds(held: Held): void {
    this.#held.push(held);
  }

  /** Whether an account is of one of these people. */
  isKnown(subject: string): boolean {
    return this.#held.some((one) => one.subject === subject);
  }

  firstPasswordIsOfPartner(subject: string): void {
    this.#resets.set(subject, Infinity);
  }

  reset(subject: string, at: number): void {
    if (this.#resets.has(subject)) this.#resets.set(subject, at);
  }

  invited(one: Invited): void {
    this.#invited.push(one);
  }

  removed(one: Removed): void {
    this.#removed.push(one);
  }

  accepted(one: Accepted): void {
    this.#accepted.push(one);
  }

  tried(one: Tried): void {
    this.#tried.push(one);
  }

  shown(one: Shown): void {
    this.#shown.push(one);
  }

  blocked(one: Blocked): void {
    this.#blocked.push(one);
  }

  /** Compares every answer, every mail and what is stored when all is quiet. */
  problems(items: readonly Item[], mails: readonly SentMail[]): string[] {
    const ids = new Map(
      of<{ subject: string; user_id: number }>(items, 'Subject').map((one) => [one.subject, one.user_id]),
    );
    this.#memberships = this.#accepted
      .filter(maybeDone)
      .reduce<Membership[]>((all, one) => this.#join(all, one, ids), []);
    for (const membership of this.#memberships) this.#follow(membership, ids.get(membership.subject));
    return [
      ...this.#accepted.flatMap((one) => this.#acceptProblems(one)),
      ...this.#tried.flatMap((one) => this.#tryProblems(one)),
      ...this.#markProblems(items),
      ...this.#shown.flatMap((one) => this.#shownProblems(one, ids)),
      ...this.#addressProblems(items, ids),
      ...this.#memberProblems(items, ids),
      ...this.#mailProblems(mails),
    ];
  }

  #join(all: Membership[], one: Accepted, ids: ReadonlyMap<string, number>): Membership[] {
    const { at, pass, link } = one;
    const { subject, text } = pass;
    const { team } = link;
    const id = ids.get(subject);
    const isSure = isDone(one);
    const known = all.find(
      (other) =>
        other.subject === subject &&
        other.team === team &&
        !this.#removed.some(
          (gone) =>
            gone.team === team && gone.id === id && during(gone.at, { begin: other.from.begin, end: at.end }),
        ),
    );
    if (known) {
      known.tokens.add(text);
      if (isSure && !known.isSure) Object.assign(known, { isSure, from: { ...known.from, end: at.end } });
      return all;
    }
    const possible = one.role ? [one.role] : this.#rolesOf(link);
    const roles = possible.map((role) => ({ role, at }));
    return [...all, { subject, team, from: at, isSure, tokens: new Set([text]), roles }];
  }

  #rolesOf({ team, email }: Link): HostRole[] {
    return this.#invited.filter((one) => one.team === team && one.email === email).map(({ role }) => role);
  }

  /** What became of a membership. */
  #follow(membership: Membership, id: number | undefined): void {
    const { team, from, subject } = membership;
    for (const { at, status, ...gone } of this.#removed) {
      if (gone.team !== team || gone.id !== id || at.end < from.begin) continue;
      const isSure = from.end <= at.begin && (status === 200 || status === 404);
      const { until = { begin: Infinity, end: Infinity } } = membership;
      membership.until = {
        begin: Math.min(until.begin, at.begin),
        end: isSure ? Math.min(until.end, at.end) : until.end,
      };
    }
    const changes = this.#invited.filter(
      (one) =>
        one.team === team &&
        one.at.end >= from.begin &&
        (one.status === undefined
          ? this.#held.some((held) => held.subject === subject && held.email === one.email)
          : one.isMember && one.id === id),
    );
    for (const { role, at, status } of changes)
      membership.roles.push({ role, at: status === undefined ? { ...at, end: Infinity } : at });
  }

  #rolesAt({ roles }: Membership, { begin, end }: Span): HostRole[] {
    return roles
      .filter(
        ({ at }) =>
          at.begin <= end && !roles.some((later) => later.at.begin > at.end && later.at.end + lateMs < begin),
      )
      .map(({ role }) => role);
  }

  /** Whether some course of what was answered lets a token do this. */
  #mayHave({ pass, team, permission, at }: Tried): boolean {
    const { subject, text, azp, iat, exp, isForeign } = pass;
    if (isForeign || azp !== hostApplication || exp * 1000 + lateMs < at.begin) return false;
    if (this.#isSurelyBlocked(subject, at)) return false;
    return this.#memberships.some(
      (one) =>
        one.subject === subject &&
        one.team === team &&
        one.from.begin <= at.end &&
        !(one.until && one.until.end + lateMs < at.begin) &&
        (one.tokens.has(text) || iat > seconds(one.from.begin)) &&
        this.#rolesAt(one, at).some((role) => permissions[permission].includes(role)),
    );
  }

  /** Whether every course of what was answered lets a token do this. */
  #mustHave({ pass, team, permission, at }: Tried): boolean {
    const { subject, azp, iat, exp } = pass;
    if (azp !== hostApplication || exp * 1000 - 2000 < at.end) return false;
    if (this.#mayBeBlocked(subject, at)) return false;
    return this.#memberships.some(
      (one) =>
        one.subject === subject &&
        one.team === team &&
        one.isSure &&
        one.from.end + lateMs < at.begin &&
        !(one.until && one.until.begin <= at.end) &&
        iat > seconds(one.from.end) &&
        this.#rolesAt(one, at).every((role) => permissions[permission].includes(role)),
    );
  }

  #isSurelyBlocked(subject: string, at: Span): boolean {
    const own = this.#blocked.filter((one) => one.subject === subject);
    return own.some(
      (block) =>
        block.isBlocked &&
        block.at.end + lateMs < at.begin &&
        !own.some((end) => !end.isBlocked && end.at.end >= block.at.begin && end.at.begin <= at.end),
    );
  }

  #mayBeBlocked(subject: string, at: Span): boolean {
    const own = this.#blocked.filter((one) => one.subject === subject);
    return own.some(
      (block) =>
        block.isBlocked &&
        block.at.begin <= at.end &&
        !own.some((end) => !end.isBlocked && end.at.begin >= block.at.end && end.at.end + lateMs < at.begin),
    );
  }

  /** The times at which an account has a verified address. */
  #spansOf(subject: string, email: string): Span[] {
    const own = this.#held.filter((one) => one.subject === subject);
    return own.flatMap((one, at) =>
      one.email === email && one.isVerified ? [{ begin: one.at, end: own[at + 1]?.at ?? Infinity }] : [],
    );
  }

  #acceptProblems(one: Accepted): string[] {
    const { pass, link, at, code } = one;
    const { subject, by } = pass;
    const { team, email } = link;
    const name = `${by} as ${subject}, invited as ${email} to ${team}`;
    const spans = this.#spansOf(subject, email);
    if (
      code === 'INVITATION_FOR_ANOTHER_ADDRESS' &&
      spans.some((s) => s.begin <= at.begin && s.end >= at.end)
    )
      return [`${name}: refused for another address`];
    if (!isDone(one) || this.#isRepeated(one)) return [];
    const isOpen = this.#invited.some(
      (invited) =>
        invited.team === team &&
        invited.email === email &&
        invited.role === one.role &&
        invited.at.begin <= at.end &&
        !this.#removed.some(
          (gone) =>
            gone.team === team &&
            gone.id === invited.id &&
            (gone.status === 200 || gone.status === 404) &&
            gone.at.end < at.begin,
        ),
    );
    const reset = this.#resets.get(subject);
    return [
      ...(isOpen ? [] : [`${name}: accepted what is not open`]),
      ...(at.begin > link.until + clocksMs ? [`${name}: accepted after its end`] : []),
      ...(spans.some((span) => during(span, at)) ? [] : [`${name}: accepted with another address`]),
      ...(pass.isForeign || (reset !== undefined && pass.iat < seconds(reset))
        ? [`${name}: accepted with a first password of another`]
        : []),
    ];
  }

  /** Whether the same person may have accepted it before. */
  #isRepeated({ pass: { subject }, link: { team }, at }: Accepted): boolean {
    return this.#memberships.some(
      (one) =>
        one.subject === subject &&
        one.team === team &&
        one.from.begin < at.begin &&
        !(one.until && one.until.end < at.begin),
    );
  }

  #tryProblems(one: Tried): string[] {
    const { pass, team, verb, status, at } = one;
    const name = `${new Date(at.begin).toISOString().slice(5, 19)} ${pass.by} ${verb} in ${team} as ${pass.subject}`;
    if (isDone(one) && !this.#mayHave(one)) return [`${name}: done without the right`];
    if ((status === 401 || status === 403) && this.#mustHave(one)) return [`${name}: refused with the right`];
    return [];
  }

  /** What was tried without the right has changed nothing. */
  #markProblems(items: readonly Item[]): string[] {
    const marks = this.#tried.filter(({ mark }) => mark !== undefined).filter((one) => !this.#mayHave(one));
    const text = JSON.stringify(items);
    return marks
      .filter(({ mark }) => text.includes(`${mark}.`))
      .map(({ mark, pass, verb, team }) => `${verb} of ${pass.by} in ${team} left ${mark}`);
  }

  /** One user for each account; an address is shown to the one who holds it. */
  #shownProblems(one: Shown, ids: ReadonlyMap<string, number>): string[] {
    const { pass, userId, email, isVerified, at } = one;
    const { subject, by } = pass;
    const has = this.#held.some(
      (held) => held.subject === subject && held.email === email && held.at <= at.end,
    );
    const known = this.#knownHolder(email, at.begin - lateMs);
    const isOthers =
      isVerified &&
      known !== undefined &&
      known !== subject &&
      !this.#spansOf(subject, email).some((span) => during(span, at));
    return [
      ...(ids.get(subject) === userId ? [] : [`${by} as ${subject} is taken for user ${userId}`]),
      ...(has ? [] : [`${by} as ${subject} is taken for ${email}`]),
      ...(isOthers ? [`${by} as ${subject} is still ${email}, which ${known} was shown to have`] : []),
    ];
  }

  /** The last holder of an address to whom the service has confirmed that it is theirs: it knows of the change since then. */
  #knownHolder(email: string, before: number): string | undefined {
    return this.#shown.findLast(
      ({ at, pass, isVerified, ...one }) =>
        one.email === email &&
        isVerified &&
        at.end < before &&
        this.#spansOf(pass.subject, email).some((span) => span.begin <= at.begin && span.end >= at.end),
    )?.pass.subject;
  }

  /** When all are in, an address is of the one who holds it. */
  #addressProblems(items: readonly Item[], ids: ReadonlyMap<string, number>): string[] {
    const owners = new Map(
      of<{ email: string; user_id: number }>(items, 'EmailOwner').map((one) => [one.email, one.user_id]),
    );
    const users = of<{ email: string; user_id: number }>(items, 'User');
    const last = new Map(this.#held.map((one) => [one.subject, one]));
    return [...last.values()].flatMap(({ subject, email, isVerified }) => {
      const id = ids.get(subject);
      const stored = users.find(({ user_id }) => user_id === id)?.email;
      if (!isVerified || (owners.get(email) === id && stored === email)) return [];
      return [`${email} is of user ${owners.get(email)}, and ${subject} is ${id} as ${stored}`];
    });
  }

  #memberProblems(items: readonly Item[], ids: ReadonlyMap<string, number>): string[] {
    const stored = of<{ user_id: number; team_id: number; role: HostRole | 'CUSTOMER' }>(items, 'Membership');
    const now = { begin: Infinity, end: Infinity };
    const lost = this.#memberships
      .filter(({ isSure, until }) => isSure && until === undefined)
      .filter((one) => {
        const found = stored.find(
          ({ user_id, team_id }) => user_id === ids.get(one.subject) && team_id === one.team,
        );
        return !found || !this.#rolesAt(one, now).includes(found.role as HostRole);
      })
      .map(({ subject, team }) => `${subject} is no member of ${team}, or has another role`);
    const invented = stored
      .filter(({ role, team_id }) => role !== 'CUSTOMER' && this.teams.some(({ team }) => team === team_id))
      .filter(({ user_id }) => !this.teams.some(({ owner }) => owner === user_id))
      .filter(
        ({ user_id, team_id }) =>
          !this.#memberships.some(
            (one) =>
              ids.get(one.subject) === user_id &&
              one.team === team_id &&
              !(one.until && one.until.end < Infinity),
          ),
      )
      .map(({ user_id, team_id, role }) => `user ${user_id} is ${role} of ${team_id}, and should not be`);
    return [...lost, ...invented];
  }

  /** What is for owners goes to owners, not to one who has the address of a former one. */
  #mailProblems(mails: readonly SentMail[]): string[] {
    return mails.flatMap(({ to, subject: title, at, text }) => {
      const team = this.teams.find(({ name }) => title.includes(name));
      if (!team || text.includes('/invitation#')) return [];
      const known = this.#knownHolder(to, at - mailLateMs);
      if (known === undefined) return [];
      const span = { begin: at - mailLateMs, end: at };
      if (!this.#spansOf(known, to).some((held) => held.begin <= span.begin && held.end >= span.end))
        return [];
      const isOwner = this.#memberships.some(
        (one) =>
          one.subject === known &&
          one.team === team.team &&
          one.from.begin <= at &&
          !(one.until && one.until.end < span.begin) &&
          this.#rolesAt(one, span).includes('OWNER'),
      );
      return isOwner ? [] : [`"${title}" went to ${to}, of ${known}, who is no owner`];
    });
  }
}
