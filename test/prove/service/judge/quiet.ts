import type { Item } from '../../memory/values.ts';
import type { FeedReader } from '../actors/partner.ts';
import type { Bank } from '../bank.ts';
import type { Answers } from '../client.ts';
import type { Cloud } from '../cloud.ts';
import type { HostBank } from '../transfers/host-bank.ts';
import type { Received, SentMail } from '../post.ts';
import type { Town } from '../town.ts';
import { linkProblems } from './links.ts';
import { announcementProblems } from './announcements.ts';
import { changeProblems } from './changes.ts';
import { feedProblems, mailProblems, webhookProblems } from './messages.ts';
import { moneyProblems } from './money.ts';
import { nightProblems } from './nights.ts';
import { pageProblems } from './pages.ts';
import { stuckProblems } from './rest.ts';
import { stayRuleProblems } from './stay-rules.ts';
import { shownProblems, transferProblems, untakenProblems } from './transfers.ts';

/** What is there when all is quiet. */
interface Quiet {
  items: readonly Item[];
  /** Before the judge asked anything: who registers for the judge is in the feed only later. */
  quiet: readonly Item[];
  now: number;
  town: Town;
  answers: Answers;
  bank: Bank;
  hostBank: HostBank;
  cloud: Cloud;
  readers: readonly FeedReader[];
  received: Received;
  mails: readonly SentMail[];
  /** Since when the webhooks are there. */
  hooksSince: number;
}

/** Compares records with each other, with the bank and with what was answered, when nothing is under way. */
export const restProblems = ({
  items,
  now,
  bank,
  hostBank,
  cloud,
  answers,
}: Pick<Quiet, 'items' | 'now' | 'bank' | 'hostBank' | 'cloud' | 'answers'>): string[] => [
  ...moneyProblems(items, bank),
  ...transferProblems(items, hostBank),
  ...stuckProblems(items, cloud, now),
  ...nightProblems(items, now),
  ...announcementProblems(items),
  ...changeProblems(items, answers),
  ...stayRuleProblems(answers),
  ...pageProblems(items, now),
];

/** Compares what is stored with what others saw: the bank, readers of the feed, endpoints, mailboxes, callers. */
export const quietProblems = ({
  items,
  quiet,
  now,
  town,
  answers,
  ...others
}: Omit<Quiet, 'hostBank'>): string[] => {
  const { hostBank } = town;
  const [gio] = town.partners;
  const teams = town.hosts.map(({ team }) => team!);
  const teamsOf = (partner: object): number[] => (partner === gio ? teams : teams.slice(0, 1));
  const hooks = town.hooks.map((hook) => ({
    ...hook,
    since: others.hooksSince,
    teams: teamsOf(hook.partner),
  }));
  return [
    ...restProblems({ items, now, answers, hostBank, bank: others.bank, cloud: others.cloud }),
    ...untakenProblems(hostBank),
    ...shownProblems(items, answers, town),
    ...feedProblems(quiet, others.readers, ({ who }) => teamsOf(who)),
    ...webhookProblems(items, hooks, others.received, now),
    ...mailProblems(items, others.mails),
    ...linkProblems(answers, town.bookings, others.mails),
  ];
};
