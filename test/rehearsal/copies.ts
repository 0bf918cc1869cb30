import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { projectRoot } from '../../infra/bundling.ts';
import { playBrokenRecord } from './broken-record.ts';
import type { House, Scene } from './play.ts';
import { stagePath } from './stage.ts';

/** A change of the source, as a developer would make it. */
interface Edit {
  file: string;
  /** What stands there now, once. Absent: the file is new. */
  from?: string;
  to: string;
}

/** Copies the project as it stands, with the stage file and some edits, and returns the folder. */
export const copyWith = (edits: readonly Edit[]): string => {
  const folder = mkdtempSync(join(tmpdir(), 'rehearsal-copy-'));
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: projectRoot });
  const files = listed.toString().trim().split('\n');
  for (const file of [...files, stagePath]) cpSync(join(projectRoot, file), join(folder, file));
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  for (const { file, from, to } of edits) {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    if (from === undefined) writeFileSync(path, to);
    else {
      const parts = readFileSync(path, 'utf8').split(from);
      if (parts.length !== 2) throw new Error(`${file} has "${from}" ${parts.length - 1} times.`);
      writeFileSync(path, parts.join(to));
    }
  }
  return folder;
};

/** The next release: a changed function, a new route and a new consumer of events. */
export const nextRelease: readonly Edit[] = [
  { file: 'package.json', from: '"version": "0.1.0"', to: '"version": "0.1.1"' },
  {
    file: 'functions/system/routes.ts',
    from: '  getOpenApiDocument: {',
    to: `  getRehearsal: {
    method: 'GET',
    path: '/rehearsal',
    access: 'public',
    tag: 'System',
    summary: 'Only the next release has it',
    status: 200,
    reply: Health,
    errors: [],
    examples: { reply: { status: 'ok', version: '0.1.0', commit } },
  },
  getOpenApiDocument: {`,
  },
  {
    file: 'functions/system/index.ts',
    from: '{ getRoot, getHealth,',
    to: '{ getRoot, getHealth, getRehearsal: getHealth,',
  },
  {
    file: 'shared/subscriptions.ts',
    from: 'const rows = [',
    to: `const rows = [
  {
    consumer: 'rehearsal',
    event_types: ['booking.created'],
    impact: 'Nothing: it is rehearsed.',
    batchSize: 10,
    timeoutSeconds: 30,
    maxReceives: 5,
  },`,
  },
  {
    file: 'functions/workers/rehearsal/index.ts',
    to: `export const handler = async ({ Records }) => {
  for (const { body } of Records)
    console.log(JSON.stringify({ rehearsal: JSON.parse(body).detail.event_type }));
  return { batchItemFailures: [] };
};
`,
  },
  {
    file: 'infra/cloud/grants.ts',
    from: "  'workers/chat': {},",
    to: "  'workers/chat': {},\n  'workers/rehearsal': {},",
  },
  {
    file: 'infra/cloud/table-rights.json',
    from: '{\n  "account"',
    to: '{\n  "workers/rehearsal": {},\n  "account"',
  },
];

/** A canary every minute that reaches the API at its address of the emulator, which a change of a route replaces. */
export const canaryAt = (api: string): readonly Edit[] => [
  {
    file: 'infra/cloud/stacks/api-stack.ts',
    from: "url: addressVariables(stage)['API_URL'] ?? this.url,",
    to: `url: '${api}/',`,
  },
  {
    file: 'infra/cloud/constructs/canary.ts',
    from: 'const everyMinutes = 5;',
    to: 'const everyMinutes = 1;',
  },
];

/** A mistake that the rehearsal has to find, and what it has to name. */
export interface Fault {
  what: string;
  edits: readonly Edit[];
  names: RegExp;
  /** How it is found; default: by playing everything. */
  play?: (scene: Scene, house: House) => Promise<void>;
}

export const faults: readonly Fault[] = [
  {
    what: 'a right on the table is missing',
    edits: [
      {
        file: 'infra/cloud/table-rights.json',
        from: '"writes": ["CALENDAR#*", "CHECKOUTS#*", "DUE_BOOKINGS*", "DUE_PAYMENTS*", "EMAIL#*"',
        to: '"writes": ["CHECKOUTS#*", "DUE_BOOKINGS*", "DUE_PAYMENTS*", "EMAIL#*"',
      },
    ],
    names: /checkout.*dynamodb:(Put|Update)Item/s,
  },
  {
    what: 'the pattern of a rule takes no event',
    edits: [
      {
        file: 'infra/cloud/constructs/fan-out.ts',
        from: 'eventPattern: { source: [eventSource]',
        to: "eventPattern: { source: ['another']",
      },
    ],
    names: /rule .* does not take/,
  },
  {
    what: 'a variable of the environment is missing',
    edits: [{ file: 'infra/cloud/environment.ts', from: '  TABLE_NAME: stage.tableName,\n', to: '' }],
    names: /TABLE_NAME/,
  },
  {
    what: 'the gateway may not invoke a function',
    edits: [
      {
        file: 'infra/cloud/constructs/gateway.ts',
        from: '    for (const { group } of groups)\n      this.#permit',
        to: "    for (const { group } of groups.filter((one) => one.group !== 'checkout'))\n      this.#permit",
      },
    ],
    names: /checkout/,
  },
  {
    what: 'a record of the stream cannot be published',
    // As for a day at AWS.
    edits: [
      {
        file: 'infra/cloud/constructs/outbox.ts',
        from: 'maxRecordAge: Duration.hours(24)',
        to: 'maxRecordAge: Duration.minutes(1)',
      },
    ],
    names: /MaxRecordAgeExceeded.*is no event: evt_rehearsal/s,
    play: playBrokenRecord,
  },
];
