import { parseArgs } from 'node:util';
import { parseLess } from './service/less.ts';

const usage = `npm run prove -- [options]

  --schedules N   random schedules in memory (2000)
  --seed S        the seed of everything; a random one unless given
  --path P        plays one counterexample again, with its seed
  --bug NAME      plants a bug that the proof has to find
  --embedded N    schedules that also run on the embedded table (25)
  --histories N   random two-way histories of calendars (400; 0 leaves them out)
    --linked      of platforms that link their calendars of a house and its rooms
  --history I     plays one of them again, with its seed
  --money N       random histories of the money of a booking (1000; 0 leaves them out)
  --money-history I     plays one of them again, with its seed
  --service N     histories of the whole service in a hostile world (8; 0 leaves them out)
  --service-history I   plays one of them again, with its seed
    --less JSON   leaves out actors, faults and requests, as a shortened history says
  --bugs          plants each bug in turn and lists after how many schedules or histories it is found
  --long HOURS    plays on for so long with fresh seeds; stopped with Ctrl-C, it continues when it is called again
    --stop        ends at the first failure
  --no-storm      leaves out the storms over HTTP
  --compare URL   compares the simulated table with DynamoDB Local at this address on random histories, and nothing else;
                  --histories says how many
  --calendars DIR compares our reader of calendars with an independent one over the .ics files below a folder, and nothing
                  else; "random": over as many random calendars as --histories says, in three zones of the process
    --record      writes what the independent one takes into the folder
  --mutants       drops conditions and turns comparisons of the product, one at a time: a test has to fail
    --only TEXT   mutants whose id holds the text, or of kinds (when,create,limit,move,money)
    --shard 1/8   a part of them
    --since REF   mutants of files that have changed since a git reference
    --tests PATHS parts of paths: only these tests, comma-separated
    --fresh       forgets what earlier runs have found
  --help          this text`;

const refuse = (message: string): never => {
  console.error(`${message}\n\n${usage}`);
  process.exit(2);
};

const parsed = () => {
  try {
    return parseArgs({
      options: {
        schedules: { type: 'string', default: '2000' },
        seed: { type: 'string' },
        linked: { type: 'boolean', default: false },
        path: { type: 'string' },
        bug: { type: 'string' },
        embedded: { type: 'string', default: '25' },
        histories: { type: 'string', default: '400' },
        history: { type: 'string' },
        money: { type: 'string', default: '1000' },
        'money-history': { type: 'string' },
        service: { type: 'string', default: '8' },
        'service-history': { type: 'string' },
        less: { type: 'string' },
        bugs: { type: 'boolean', default: false },
        long: { type: 'string' },
        stop: { type: 'boolean', default: false },
        'no-storm': { type: 'boolean', default: false },
        mutants: { type: 'boolean', default: false },
        only: { type: 'string' },
        shard: { type: 'string' },
        since: { type: 'string' },
        tests: { type: 'string' },
        fresh: { type: 'boolean', default: false },
        compare: { type: 'string' },
        calendars: { type: 'string' },
        record: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    return refuse((error as Error).message);
  }
};

/** Returns the options of the command; prints the usage and exits if they are wrong or it is asked for. */
export const optionsGiven = () => {
  const values = parsed();
  if (values.help) {
    console.log(usage);
    process.exit(0);
  }
  for (const name of [
    'schedules',
    'seed',
    'embedded',
    'histories',
    'history',
    'money',
    'money-history',
    'service',
    'service-history',
  ] as const)
    if (!/^\d+$/.test(values[name] ?? '0')) refuse(`--${name} takes a whole number`);

  if (values.long !== undefined && !(Number(values.long) > 0)) refuse('--long takes a number of hours');
  if (values.shard !== undefined && !/^[1-9]\d*\/[1-9]\d*$/.test(values.shard))
    refuse('--shard takes a part, such as 1/8');

  if (values.record && values.calendars === undefined) refuse('--record belongs to --calendars');
  if (values.less !== undefined && !parseLess(values.less))
    refuse('--less takes what a shortened history says');
  return values;
};
