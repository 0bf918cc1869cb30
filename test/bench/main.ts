import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildFunctions } from '../../infra/local/functions.ts';
import { reason } from '../../infra/local/log.ts';
import { readLocalEnv } from '../../infra/local/settings.ts';
import { instantText, systemClock } from '../../shared/platform/time/clock.ts';
import { measureFloor } from './floor/measure-floor.ts';
import { measureLoad } from './measure-load.ts';
import { pageOf } from './page.ts';
import { columnsOf, markdownOf, type Report, sectionsOf } from './report.ts';
import { measureStartUp } from './start-up.ts';

const usage = `npm run bench -- [options]

  --only PARTS     load, raw-loop, start-up; comma-separated (all)
  --listings N     listings, 1,000 a city (20000)
  --stays N        stays of each before the bench (12)
  --seconds N      of a round (4)
  --rounds N       of each operation and service (3)
  --drain N        seconds that the workers are given for the bookings of the run (60)
  --requests N     of a block beside the raw loop, of which there are five (200)
  --starts N       of each bundle (5)
  --page FILE      the page (.local/bench.html)
  --table          prints Markdown tables for the README
  --help           this text`;

const parts = ['load', 'raw-loop', 'start-up'];

const given = () => {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: 'string', default: parts.join() },
        listings: { type: 'string', default: '20000' },
        stays: { type: 'string', default: '12' },
        seconds: { type: 'string', default: '4' },
        rounds: { type: 'string', default: '3' },
        drain: { type: 'string', default: '60' },
        requests: { type: 'string', default: '200' },
        starts: { type: 'string', default: '5' },
        page: { type: 'string' },
        table: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    const wrong = values.only.split(',').filter((part) => !parts.includes(part));
    if (wrong.length > 0) throw new Error(`There is no part ${wrong.join()}.`);
    return values;
  } catch (error) {
    console.error(`${reason(error)}\n\n${usage}`);
    process.exit(2);
  }
};

const options = given();
if (options.help) {
  console.log(usage);
  process.exit();
}

const log = (line: string): void => console.error(line);
// The bench runs an emulator of its own.
Reflect.deleteProperty(process.env, 'AWS_ENDPOINT_URL_DYNAMODB');
const { LOCAL_DIR = '.local' } = readLocalEnv();
const folder = mkdtempSync(join(tmpdir(), 'nightlatch-bench-'));
// PostgreSQL runs as another user.
chmodSync(folder, 0o755);
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

const wanted = (part: string): boolean => options.only.split(',').includes(part);
const { folder: functions } = await buildFunctions(resolve(LOCAL_DIR), log);
const today = instantText(systemClock.now()).slice(0, 10);
const common = { folder, functions, today, log };
const [listings, stays] = [Number(options.listings), Number(options.stays)];
const requests = Number(options.requests);
const report: Report = {
  date: today,
  command: ['npm run bench --', ...process.argv.slice(2)].join(' ').replace(/ --$/, ''),
  listings,
  stays,
  startUp: wanted('start-up')
    ? await measureStartUp({ folder, functions, runs: Number(options.starts), log })
    : undefined,
  floor: wanted('raw-loop')
    ? await measureFloor({ ...common, requests, blocks: 5, listings: Math.max(60, requests) })
    : undefined,
  load: wanted('load')
    ? await measureLoad({
        ...{ ...common, listings, stays },
        seconds: Number(options.seconds),
        rounds: Number(options.rounds),
        drainSeconds: Number(options.drain),
      })
    : undefined,
};

const print = options.table ? markdownOf : columnsOf;
for (const section of sectionsOf(report))
  console.log(options.table ? `\n${section.title}\n\n${print(section)}` : print(section));
const page = resolve(options.page ?? join(LOCAL_DIR, 'bench.html'));
mkdirSync(resolve(LOCAL_DIR), { recursive: true });
writeFileSync(page, pageOf(report));
console.log(`\nThe page: ${page}`);
process.exit();
