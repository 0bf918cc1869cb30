import { routeGroups } from '../../functions/routes.ts';
import { accessPatternChart } from '../../shared/access-patterns.ts';
import { partnerData, partnerExampleOf } from '../../shared/domain/webhook/model.ts';
import { entities } from '../../shared/entities.ts';
import { events, publicEventTypes } from '../../shared/events.ts';
import { errorCatalogue, type ErrorCode } from '../../shared/platform/errors.ts';
import type { Route } from '../../shared/platform/http/route.ts';
import { settingRows } from '../../shared/platform/settings.ts';
import { LocalEnv } from '../local/settings.ts';
import { errorRemedies } from './error-remedies.ts';
import { markdownTable } from './markdown.ts';

const routeTables = (): string => {
  const byTag = new Map<string, Route[]>();
  for (const route of routeGroups.flatMap(({ routes }) => Object.values<Route>(routes)))
    byTag.set(route.tag, [...(byTag.get(route.tag) ?? []), route]);
  return [...byTag]
    .map(
      ([tag, routes]) =>
        `## ${tag}\n\n${markdownTable(
          ['route', 'who', 'what'],
          routes.map(({ method, path, access, scope, summary }) => [
            `\`${method} ${path}\``,
            scope === undefined ? access : `${access}: \`${scope}\``,
            summary,
          ]),
        )}`,
    )
    .join('\n\n');
};

const errorTable = (): string =>
  markdownTable(
    ['code', 'status', 'meaning', 'what to do'],
    Object.entries(errorCatalogue).map(([code, { status, meaning }]) => [
      `\`${code}\``,
      String(status),
      meaning,
      errorRemedies[code as ErrorCode],
    ]),
  );

const eventTable = (): string =>
  markdownTable(
    ['event', 'when', '`data.id`', 'also in `data`'],
    publicEventTypes.map((type) => {
      const { id, ...others } = partnerData[type].shape;
      const fields = Object.keys(others).map((field) => `\`${field}\``);
      return [`\`${type}\``, events[type].meaning, id.description ?? '', fields.join(', ')];
    }),
  );

const eventExamples = (): string =>
  publicEventTypes.map((type) => `${type} ${JSON.stringify(partnerExampleOf(type))}`).join('\n');

const settingTable = (): string =>
  markdownTable(
    ['variable', 'default', 'values', 'meaning'],
    [
      ...settingRows().map(({ name, byDefault, values, meaning }) => [
        `\`${name}\``,
        byDefault,
        values,
        meaning,
      ]),
      ...Object.entries(LocalEnv.shape).map(([name, schema]) => {
        const { byDefault, values, description = '' } = schema.meta() ?? {};
        return [`\`${name}\``, String(byDefault), String(values), description];
      }),
    ],
  );

const generated = (title: string, opening: string, body: string): string =>
  `<!-- Made by \`npm run generate\`: change what it is made from, not this page. -->\n\n# ${title}\n\n${opening}\n\n${body}\n`;

/** The pages of docs/reference, generated as whole files. */
export const referencePages: Record<string, () => string> = {
  'docs/reference/routes.md': () =>
    generated(
      'Routes',
      'Every operation of the API, from the route table. `who` is the credential that it takes: `partner` an API key with the scope behind it (`book` includes `read`), `publishable` a publishable key, `guest` the token of a link, `customer` and `host` an access token, `public` none. Bodies, answers and errors are in the OpenAPI document at `/openapi.json` and on `/docs`.',
      routeTables(),
    ),
  'docs/reference/errors.md': () =>
    generated(
      'Errors',
      'Every error is `{code, message, details, request_id}`. Program against `code`; `message` names the field and what to do; `details.issues` lists every problem of a request at once, and an unknown field gets a suggestion. What a caller may read but not do is 403.',
      errorTable(),
    ),
  'docs/reference/events.md': () =>
    generated(
      'Events',
      'What webhooks and the feed of events carry. How to receive them: [partners.md](../partners.md#webhooks-and-the-feed-of-events).',
      `${eventTable()}\n\n## Examples\n\nThe \`data\` of each event, as it may look:\n\n\`\`\`text\n${eventExamples()}\n\`\`\``,
    ),
  'docs/reference/settings.md': () =>
    generated(
      'Settings',
      `Every setting. Each of the first ${settingRows().length} is a variable on a laptop, and a field of \`settings\` in a [stage file](../operate.md#deploy): \`"settings": { "SOFT_LOCK_MINUTES": 20 }\`. An invalid value stops \`npm start\`, or synthesis, with a message that names it.`,
      settingTable(),
    ),
  'docs/reference/table.md': () =>
    generated(
      'The table',
      'Every item of the one DynamoDB table: its keys, its places in the indexes, whether it expires, the version of its record, and the questions it answers. Items of version 1 have no attribute `sv`; the fields of every version are in [records.json](records.json).',
      accessPatternChart(entities),
    ),
};
