import { actingTeam, type UserCaller } from '../../platform/auth.ts';
import type { Context, Dependencies } from '../../platform/context.ts';
import { invalid, ServiceError } from '../../platform/errors.ts';
import {
  change,
  type Condition,
  equals,
  lacks,
  put,
  remove,
  retryOnConflict,
  type Write,
} from '../../platform/table/index.ts';
import { instantText } from '../../platform/time/clock.ts';
import { isOrderId } from '../../platform/ids.ts';
import type { WrittenLanguage } from '../../platform/text/language.ts';
import { readReservation } from '../booking/model.ts';
import { requireTeam, type Team, TeamEntity, teamPartition } from '../people/model.ts';
import { type BookingFacts, readBookingFacts } from './booking-facts.ts';
import { bookingMail } from './booking-mail.ts';
import { guestOf, type Recipient } from './recipients.ts';
import { type StoredTeamMail, TeamMailEntity, teamMailPrefix } from './team-mail.entity.ts';
import type { MailWords } from './mail-words.ts';
import { guestMailNames, placeholdersOf, wordIssues } from './mail-placeholders.ts';
import type {
  MailPreview,
  PreviewTeamMail,
  TeamMail,
  TeamMailRequest,
  TeamMails,
} from './team-mail.schema.ts';
import { bookingWords } from './words/booking-words.ts';
import type { BookingMailName } from './words/words.ts';

type Ctx = Context<UserCaller>;
type Name = TeamMail['name'];

const languages = ['vi', 'en'] as const;

/** What a team notes of its own words, so that a mail without any reads none. */
const noteOf = (name: string, language: string): string => `${name}#${language}`;

const wordsOfService = (name: BookingMailName, language: WrittenLanguage): MailWords => {
  const opening = bookingWords[language].openings.guest[name];
  if (!opening) throw new Error(`guests get no mail ${name}`);
  return { subject: opening.subject('{{listing}}'), text: opening.sentence('{{listing}}') };
};

const present = (name: Name, language: WrittenLanguage, own?: StoredTeamMail): TeamMail => ({
  name,
  language,
  is_own: own !== undefined,
  subject: own?.subject ?? wordsOfService(name, language).subject,
  text: own?.text ?? wordsOfService(name, language).text,
  placeholders: placeholdersOf(name),
  updated_at: own?.updated_at ?? null,
});

/** Returns the words of every mail to the guests of the acting team, in both languages. */
export const listTeamMails = async (ctx: Ctx): Promise<TeamMails> => {
  const pk = teamPartition(actingTeam(ctx.caller, ctx.teamHeader, 'manage'));
  const own = await ctx.table.queryAll(TeamMailEntity, { pk, prefix: teamMailPrefix });
  const byKey = new Map(own.map((mail) => [noteOf(mail.name, mail.language), mail]));
  return {
    items: (guestMailNames as Name[]).flatMap((name) =>
      languages.map((language) => present(name, language, byKey.get(noteOf(name, language)))),
    ),
  };
};

/** Gives a mail the team's own words in a language, from the next mail on. Throws VALIDATION_ERROR for what they may not have. */
export const setTeamMail = (
  ctx: Ctx,
  name: Name,
  { language, ...words }: TeamMailRequest,
): Promise<TeamMail> =>
  withTeam(ctx, (team) => {
    requireWords(name, words);
    const mail = {
      team_id: team.team_id,
      name,
      language,
      ...words,
      updated_at: instantText(ctx.clock.now()),
    };
    const noted = new Set([...(team.own_mails ?? []), noteOf(name, language)]);
    return {
      writes: [put(TeamMailEntity, mail), noteOwn(team, [...noted])],
      answer: present(name, language, mail),
    };
  });

/** Gives a mail the words of the service again, in one language or both. */
export const removeTeamMail = (
  ctx: Ctx,
  name: Name,
  language: WrittenLanguage | undefined,
): Promise<TeamMails> =>
  withTeam(ctx, (team) => {
    const removed = languages.filter((one) => language === undefined || one === language);
    const notes = removed.map((one) => noteOf(name, one));
    const left = (team.own_mails ?? []).filter((note) => !notes.includes(note));
    return {
      writes: [
        ...removed.map((one) => remove(TeamMailEntity, { team_id: team.team_id, name, language: one })),
        noteOwn(team, left),
      ],
      answer: { items: removed.map((one) => present(name, one)) },
    };
  });

const withTeam = <Answer>(
  ctx: Ctx,
  plan: (team: Team) => { writes: Write[]; answer: Answer },
): Promise<Answer> => {
  const teamId = actingTeam(ctx.caller, ctx.teamHeader, 'manage');
  return retryOnConflict(async () => {
    const { writes, answer } = plan(await requireTeam(ctx.table, teamId));
    return ctx.commit(writes, answer);
  });
};

const noteOwn = ({ team_id, own_mails: before }: Team, after: string[]): Write => {
  const isSame: Condition = before === undefined ? lacks('own_mails') : equals('own_mails', before);
  return change(TeamEntity, { team_id }, { set: { own_mails: after } }, { when: isSame });
};

const requireWords = (name: Name, words: MailWords): void => {
  const issues = wordIssues(name, words);
  if (issues.length > 0) throw invalid(...issues);
};

/** Returns the mail about a stay of the acting team as its guest would get it with these words. */
export const previewTeamMail = async (
  ctx: Ctx,
  name: Name,
  { language, booking_id, ...own }: PreviewTeamMail,
): Promise<MailPreview> => {
  const teamId = actingTeam(ctx.caller, ctx.teamHeader, 'manage');
  requireWords(name, own);
  const stay = isOrderId(booking_id) ? undefined : await readReservation(ctx.table, booking_id);
  if (stay?.team_id !== teamId) throw new ServiceError('BOOKING_NOT_FOUND');
  const [about, guest] = await Promise.all([readBookingFacts(ctx, booking_id), guestOf(ctx, stay.guest)]);
  const { subject, text, html } = bookingMail({ ...guest, language }, name, { ...about, access: null, own });
  return { subject, text, html };
};

/** Returns the facts of a mail with the team's own words for it, if its guest's language has any. */
export const withOwnWords = async (
  { table }: Pick<Dependencies, 'table'>,
  name: BookingMailName,
  about: BookingFacts,
  people: readonly Recipient[],
): Promise<BookingFacts> => {
  const language = people.find(({ side }) => side === 'guest')?.language;
  if (language === undefined || !about.host.ownMails.includes(noteOf(name, language))) return about;
  const own = await table.get(TeamMailEntity, { team_id: about.stay.team_id, name, language });
  return own ? { ...about, own } : about;
};
