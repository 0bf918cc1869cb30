import { routeGroups } from '../../../functions/routes.ts';
import { commandGroups } from '../../../infra/operator/operate.ts';

/** Races of owners are forced one by one, in test/api/team-keys.test.ts. */
const ownersAlone = 'no other party writes these items';

/** The order of a quote is held and booked by the writes of a checkout; its races are forced in test/table/quotes.test.ts. */
const likeCheckout = 'the same writes as those of a checkout';

/** Races of these are forced in test/table/team-settings-at-once.test.ts. */
const settingsOfTeam = 'no stay reads them, and new listings alone have the defaults';

/** Races and mails are forced in test/api/correct-guest.test.ts and test/events/corrected-guests.test.ts. */
const ofTheGuest = 'name and contact of a guest, which neither nights nor money read';

/** Those at once are forced in test/api/team-mails.test.ts. */
const wordsOfTeam = 'words of mails, which no stay reads';

/** Verbs that histories do not ask, with the reason. */
const leftOut: Readonly<Record<string, string>> = {
  getRoot: 'answers the same always',
  getHealth: 'answers the same always',
  getOpenApiDocument: 'answers the same always',
  getDocs: 'answers the same always',
  getDocsAsset: 'answers the same always',
  createQuote: likeCheckout,
  holdQuote: likeCheckout,
  extendQuote: likeCheckout,
  releaseQuote: likeCheckout,
  rotateTeamKey: 'the operator rotates keys with the same writes',
  revokeTeamKey: ownersAlone,
  getInvitationPage: 'answers the same always',
  getTeam: settingsOfTeam,
  updateTeam: settingsOfTeam,
  getGuestPage: 'answers the same always',
  listTeamMails: wordsOfTeam,
  setTeamMail: wordsOfTeam,
  removeTeamMail: wordsOfTeam,
  previewTeamMail: wordsOfTeam,
  readTeamEvents: 'reads what `readEvents` reads',
  correctGuest: ofTheGuest,
  correctExternalGuest: ofTheGuest,
  createTeam: 'the town has its teams from the start',
};

/** Commands of the operator's tool that histories do not run, with the reason. */
const commandsLeftOut: Readonly<Record<string, string>> = {
  'team create': 'the town has its teams from the start',
  'team update': 'a name, which no history reads',
  'member add': 'the operator of the newcomers calls what it runs',
  'member remove': 'the operator of the newcomers calls what it runs',
  'member list': 'reads alone',
  'key create': 'partners have their keys from the start; rotation makes others',
  'user promote': 'makes administrators, whom the town does not have',
  'catalog seed': 'writes the same always',
  'stage check': 'asks an AWS account, which the town does not have',
};

const verbs = routeGroups.flatMap(({ routes }) => Object.keys(routes)).filter((verb) => !(verb in leftOut));

const commands = Object.entries(commandGroups)
  .flatMap(([noun, all]) => Object.keys(all).map((verb) => `${noun} ${verb}`))
  .filter((command) => !(command in commandsLeftOut));

type Answers = ReadonlyMap<string, number>;

/** Returns the verbs of the route table, and the operator's commands, that were never asked and are not left out. */
export const unreached = (answers: Answers): string[] => {
  const all = [...answers.keys()];
  const asked = new Set(all.map((name) => name.split(' ')[0]));
  return [
    ...verbs.filter((verb) => !asked.has(verb)),
    ...commands
      .map((command) => `operator ${command}`)
      .filter((command) => !all.some((name) => name.startsWith(`${command} `))),
  ];
};

/** Returns the verbs that were asked and never succeeded. */
export const unsuccessful = (answers: Answers): string[] => {
  const all = [...answers.keys()].map((name) => name.split(' '));
  const asked = new Set(all.map(([verb]) => verb));
  const done = new Set(all.flatMap(([verb, status]) => (/^[23]\d\d$/.test(status ?? '') ? [verb] : [])));
  return verbs.filter((verb) => asked.has(verb) && !done.has(verb));
};
