import type { Role } from '../../platform/auth.ts';
import { writtenLanguage, type WrittenLanguage } from '../../platform/text/language.ts';
import type { Mail } from '../../platform/mail/mailer.ts';
import { nameInMail } from '../../platform/mail/name-in-mail.ts';
import { listMembers } from '../people/index.ts';
import { type NotificationDependencies, sendOnce, throwIfFailed } from './send-once.ts';

/**
 * Mails each person once for `eventId` (D66). If some mails fail or wait the others are still sent, and a repetition sends only
 * the missing ones.
 * @param by - on whose behalf the mail to a person is, if it counts
 */
export const notifyPeople = <Person extends { ref: string; email: string }>(
  deps: NotificationDependencies,
  eventId: string,
  people: readonly Person[],
  mailTo: (person: Person) => Mail,
  by: (person: Person) => readonly string[] | undefined = () => undefined,
): Promise<PromiseSettledResult<boolean>[]> =>
  Promise.allSettled(
    people.map((person) =>
      sendOnce(deps, { once: eventId, person, by: by(person), mail: () => mailTo(person) }),
    ),
  );

/** A member of a team, by the account. */
export interface TeamMember {
  email: string;
  full_name: string;
  language: WrittenLanguage;
}

interface Addressed {
  event_id: string;
  team_ids: readonly number[];
  /** Default: owners alone. */
  roles?: readonly Role[];
  /** A user who gets none. */
  except?: number | undefined;
}

/** Mails each member of the teams with one of the roles once for an event. */
export const notifyTeamMembers = async (
  deps: NotificationDependencies,
  { event_id, team_ids, roles = ['OWNER'], except }: Addressed,
  mailOf: (member: TeamMember) => Mail,
): Promise<void> => {
  const members = await Promise.all(team_ids.map((team) => listMembers(deps, team)));
  const addressed = members
    .flat()
    .filter(
      ({ role, state, email_verified, user_id }) =>
        roles.includes(role) && state === 'ACTIVE' && email_verified && user_id !== except,
    );
  const byId = new Map(addressed.map((member) => [member.user_id, member]));
  const people = [...byId.values()].map(({ user_id, email, full_name, language }) => ({
    ref: `user:${user_id}`,
    email,
    full_name: nameInMail(full_name),
    language: writtenLanguage(language),
  }));
  throwIfFailed(await notifyPeople(deps, event_id, people, mailOf));
};
