import { randomInt } from 'node:crypto';
import { reason } from '../../infra/local/log.ts';
import { withProgress } from '../../infra/local/progress.ts';
import { startTable } from '../../infra/local/table/index.ts';
import { localAwsEnvironment } from '../support/aws-env.ts';
import { stormsOverHttp } from './http/all-storms.ts';
import { compareHistories } from './memory/compare.ts';
import { admitCrowd, crowds, type Way, ways } from './memory/crowds.ts';
import { embeddedStage } from './memory/embedded-stage.ts';
import { dynamoDbLocal, openEngine } from './memory/engines.ts';
import { proveHistories } from './ical/prove-histories.ts';
import { calendarBugs } from './ical/seeded-bugs.ts';
import { moneyBugs } from './money/planted.ts';
import { proveMoney } from './money/prove-money.ts';
import { cpuMsSince } from './cpu-time.ts';
import { optionsGiven } from './options.ts';
import { type Proof, prove, type ProveOptions } from './prove.ts';
import { seededBugs } from './seeded-bugs.ts';
import { parseLess } from './service/less.ts';
import { serviceBugs } from './service/planted.ts';
import { reportService } from './service/report.ts';

const values = optionsGiven();

const say = (line: string): void => console.log(line);
/** Progress goes to standard error. */
const log = (line: string): void => console.error(line);

if (values.mutants) {
  const { runGate } = await import('./mutants/gate.ts');
  process.exit((await runGate({ ...values, say, log })) ? 0 : 1);
}

if (values.long !== undefined) {
  const { runLong } = await import('./long.ts');
  const holds = await runLong({ hours: Number(values.long), stops: values.stop, say, log });
  process.exit(holds ? 0 : 1);
}

const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
if (values.calendars !== undefined) {
  const { reportCalendars } = await import('./ical/reading/report.ts');
  const { calendars, record, histories } = values;
  const asked = { calendars, records: record, cases: Number(histories), seed, say, log };
  process.exit((await reportCalendars(asked)) ? 0 : 1);
}
if (values.bugs) {
  const { listBugs } = await import('./bugs.ts');
  const most = {
    schedules: Number(values.schedules),
    histories: Number(values.service),
    money: Number(values.money),
  };
  process.exit((await listBugs({ seed, most, say, log })) ? 0 : 1);
}
const bug = seededBugs.find(({ name }) => name === values.bug);
const calendarBug = calendarBugs.find(({ name }) => name === values.bug);
const moneyBug = moneyBugs.find(({ name }) => name === values.bug);
const serviceBug = serviceBugs.find(({ name }) => name === values.bug);
if (values.bug !== undefined && !bug && !calendarBug && !moneyBug && !serviceBug) {
  const names = [...seededBugs, ...calendarBugs, ...moneyBugs, ...serviceBugs].map(({ name }) => `  ${name}`);
  say(`No such bug; there are:\n${names.join('\n')}`);
  process.exit(2);
}

const report = (what: string, { failure, coverage, schedules, ms, cpuMs }: Proof): boolean => {
  const perSecond = (of: number): string => ((1000 * schedules) / of).toFixed(0);
  say(`\n${what}: ${schedules} schedules in ${(ms / 1000).toFixed(1)} s, seed ${seed}`);
  say(`  ${perSecond(cpuMs)} a second of CPU, ${perSecond(ms)} a second`);
  for (const line of coverage.lines()) say(`  ${line}`);
  if (!failure) {
    say('  No violation.');
    return true;
  }
  say(`\nVIOLATED, the shortest history found (${failure.shrinks} steps of shrinking):`);
  for (const line of failure.history) say(`  ${line}`);
  for (const problem of failure.problems) say(`  => ${problem}`);
  const flags = bug ? ` --bug '${bug.name}'` : '';
  say(
    `Play it again: npm run prove -- --seed ${seed} --path ${failure.path}${flags} --no-storm --embedded 0`,
  );
  return false;
};

const overlapping = async (): Promise<boolean> => {
  say('\nCrowds over a hostile table (a read takes 8 ms, a transaction 25 ms, simulated):');
  let holds = true;
  for (const crowd of crowds)
    for (const way of Object.keys(ways) as Way[]) {
      const { name, answers, manners, p50_ms, p99_ms, problems } = await admitCrowd(crowd, way, seed);
      say(`  ${name}, ${way}: ${JSON.stringify(answers)}, p50 ${p50_ms} ms, p99 ${p99_ms} ms`);
      say(`    ${JSON.stringify(manners)}`);
      for (const problem of problems) say(`  => ${problem}`);
      holds &&= problems.length === 0;
    }
  return holds;
};

const histories = async (): Promise<boolean> => {
  say(`\nTwo-way calendars: histories of platforms that export what they import, seed ${seed}`);
  let played = 0;
  const line = (seconds: number): string => `${played} of ${values.histories} histories, ${seconds} s`;
  const { failure, counts, tolerated, ...proof } = await withProgress({ log, line }, (tick) =>
    proveHistories({
      histories: Number(values.histories),
      seed,
      ...(values.history === undefined ? {} : { only: Number(values.history) }),
      bug: calendarBug,
      kind: values.linked ? 'linked' : 'apart',
      onProgress: (done) => {
        played = done;
        tick();
      },
    }),
  );
  say(`  ${proof.histories} histories in ${(proof.ms / 1000).toFixed(1)} s: ${JSON.stringify(counts)}`);
  const { hidden, joined, twins, explained } = tolerated;
  say(`  Tolerated: ${hidden} missing nights, sold twice as exactly what the platform was given last;`);
  say(`  ${joined} nights taken too many, behind one event of a platform's own booking and given time;`);
  say(`  ${twins} conflicts with nights cancelled there, of which exactly the same ones are echoed;`);
  say(`  ${explained} nights and conflicts of a house that was sold there beside one of its rooms`);
  if (!failure) {
    say('  No phantom, no missing night.');
    return true;
  }
  for (const line of failure.story) say(`  ${line}`);
  for (const problem of failure.problems) say(`  => ${problem}`);
  const flags = calendarBug ? ` --bug '${calendarBug.name}'` : '';
  say(`Play it again: npm run prove -- --seed ${seed} --history ${failure.history}${flags}`);
  return false;
};

const money = async (): Promise<boolean> => {
  say(`\nMoney: histories of a booking against a ledger that shares no code with the folio, seed ${seed}`);
  let played = 0;
  const line = (seconds: number): string => `${played} of ${values.money} histories, ${seconds} s`;
  const { failure, histories, counts, ms } = await withProgress({ log, line }, (tick) =>
    proveMoney({
      histories: Number(values.money),
      seed,
      ...(values['money-history'] === undefined ? {} : { only: Number(values['money-history']) }),
      bug: moneyBug,
      onProgress: (done) => {
        played = done;
        tick();
      },
    }),
  );
  const perSecond = ((1000 * histories) / ms).toFixed(0);
  say(`  ${histories} histories, ${perSecond} a second: ${JSON.stringify(counts)}`);
  if (!failure) {
    say('  No difference.');
    return true;
  }
  for (const line of failure.lines) say(`  ${line}`);
  for (const problem of failure.problems) say(`  => ${problem}`);
  const flags = moneyBug ? ` --bug '${moneyBug.name}'` : '';
  say(`Play it again: npm run prove -- --seed ${seed} --money-history ${failure.history}${flags}`);
  return false;
};

const embedded = async (): Promise<boolean> => {
  const table = await startTable({ log: say });
  Object.assign(process.env, localAwsEnvironment(table.endpoint));
  try {
    const stage = () => embeddedStage(table.endpoint);
    const proof = await prove({ schedules: Number(values.embedded), seed, stage, log });
    return report('On the embedded table, every answer compared with the table in memory', proof);
  } finally {
    await table.stop();
  }
};

const storms = async (): Promise<boolean> => {
  say('\nOver HTTP, against the local service:');
  const line = (seconds: number): string => `storms, ${seconds} s`;
  try {
    const reports = await withProgress({ log, line }, () => stormsOverHttp(seed));
    for (const { problems, ...figures } of reports) {
      say(`  ${JSON.stringify(figures)}`);
      for (const problem of problems) say(`  => ${problem}`);
    }
    return reports.every(({ problems }) => problems.length === 0);
  } catch (error) {
    say(`  => ${reason(error)}`);
    return false;
  }
};

const comparison = async (endpoint: string): Promise<boolean> => {
  Object.assign(process.env, localAwsEnvironment(endpoint));
  const backend = await openEngine(endpoint);
  say(`The simulated table and DynamoDB Local at ${endpoint}: ${values.histories} histories, seed ${seed}`);
  let played = 0;
  const line = (seconds: number): string => `${played} of ${values.histories} histories, ${seconds} s`;
  const { differences, commands, rejected, tolerated } = await withProgress({ log, line }, (tick) =>
    compareHistories({
      ...{ engine: dynamoDbLocal, backend, histories: Number(values.histories), seed },
      onProgress: () => {
        played++;
        tick();
      },
    }),
  );
  backend.close();
  say(`  ${commands} commands, of which ${rejected} are answered with an error`);
  for (const [deviation, times] of Object.entries(tolerated)) say(`  ${times} times: ${deviation}`);
  for (const difference of differences) say(`  => ${difference}`);
  return differences.length === 0;
};

const service = (): Promise<boolean> =>
  reportService({
    histories: Number(values.service),
    seed,
    ...(values['service-history'] === undefined ? {} : { only: Number(values['service-history']) }),
    less: values.less === undefined ? undefined : parseLess(values.less),
    bug: serviceBug,
    say,
    log,
  });

const options: ProveOptions = {
  schedules: Number(values.schedules),
  seed,
  log,
  ...(values.path === undefined ? {} : { path: values.path }),
  ...(bug ? { bug } : {}),
};
if (values.compare !== undefined) {
  const isSame = await comparison(values.compare);
  say(isSame ? '\nBoth answer the same.' : '\nThe two differ.');
  process.exit(isSame ? 0 : 1);
}
say(`Random schedules of real requests, seed ${seed}`);
const ofCalendars = calendarBug !== undefined || values.history !== undefined;
const ofService = serviceBug !== undefined || values['service-history'] !== undefined;
const ofMoney = moneyBug !== undefined || values['money-history'] !== undefined;
const isOnePart = ofCalendars || ofMoney || ofService;
const parts = [
  ...(isOnePart ? [] : [async () => report('In memory', await prove(options))]),
  ...(bug || ofMoney || ofService || Number(values.histories) === 0 ? [] : [histories]),
  ...(bug || ofCalendars || ofService || Number(values.money) === 0 ? [] : [money]),
  ...(bug || ofCalendars || ofMoney || Number(values.service) === 0 ? [] : [service]),
  ...(bug || isOnePart ? [] : [overlapping]),
  ...(bug || isOnePart || Number(values.embedded) === 0 ? [] : [embedded]),
  ...(bug || isOnePart || values['no-storm'] ? [] : [storms]),
];
let holds = true;
const timeText = (since: number, cpuBefore?: NodeJS.CpuUsage): string => {
  const seconds = (ms: number): string => (ms / 1000).toFixed(1);
  // Without what other processes took: the local service, the embedded table.
  const cpu = seconds(cpuMsSince(cpuBefore ?? { user: 0, system: 0 }));
  return `${seconds(performance.now() - since)} s elapsed, ${cpu} s of CPU in this process`;
};
const startedAt = performance.now();
for (const part of parts) {
  const [since, before] = [performance.now(), process.cpuUsage()];
  holds = (await part()) && holds;
  say(`  ${timeText(since, before)}`);
}
say(`\n${timeText(startedAt)}`);
say(holds ? '\nThe promise holds.' : '\nThe promise is broken.');
process.exitCode = holds ? 0 : 1;
