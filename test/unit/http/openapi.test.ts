import { isDeepStrictEqual } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { routeGroups } from '../../../functions/routes.ts';
import { type ErrorCode, errorCatalogue } from '../../../shared/platform/errors.ts';
import {
  type Answer,
  type Media,
  nameIn,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  resolved,
} from '../../../shared/platform/http/openapi-document.ts';
import { answerExample } from '../../../shared/platform/http/openapi-operation.ts';
import { sampleOf } from '../../../shared/platform/http/openapi-sample.ts';
import { documentedRows, openApiDocument } from '../../../shared/platform/http/openapi.ts';
import {
  defineRoutes,
  errorsOf,
  isDocument,
  type Route,
  takesTeam,
} from '../../../shared/platform/http/route.ts';
import { publicEventTypes } from '../../../shared/events.ts';
import { publishedDocument } from '../../support/api-document.ts';

const documentOf = (groups: Parameters<typeof openApiDocument>[0]['groups']): OpenApiDocument =>
  openApiDocument({ groups, title: 'Nightlatch', version: '0.0.0' });

/** A response, followed to where it stands. */
const responseOf = (
  { components }: OpenApiDocument,
  operation: Operation | undefined,
  status: number,
): Answer | undefined => {
  const response = operation?.responses[String(status)];
  return response && resolved<Answer>(components.responses, response);
};

/** A schema of the document as something that judges a value, with the components it refers to. */
const judgeOf = (found: OpenApiDocument, schema: unknown): z.ZodType => {
  const text = JSON.stringify({ ...(schema as object), $defs: found.components.schemas });
  return z.fromJSONSchema(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')) as never);
};

/** The example of a media type as readers have it: its own, one that it shares, or one that follows from its schema. */
const shownIn = ({ components }: OpenApiDocument, { schema, example, examples }: Media): unknown => {
  const [shared] = Object.values(examples ?? {});
  if (shared) return components.examples[nameIn(shared.$ref)]?.value;
  return example ?? sampleOf(schema, components.schemas);
};

/** An example with a word for each id that it has. */
const withoutIds = (example: unknown) => {
  const text = JSON.stringify(example, (name, value: unknown) =>
    /(?:^|_)id$/.test(name) && value !== null ? 'id' : value,
  );
  return JSON.parse(text) as Record<string, unknown>;
};

/** The problems of a media type's example by its own schema, as a reader's validator sees them. */
const exampleIssues = (found: OpenApiDocument, media: Media) =>
  judgeOf(found, media.schema).safeParse(shownIn(found, media)).error?.issues;

/** The parameters of an operation, followed to where they stand. */
const parametersOf = (found: OpenApiDocument, route: Pick<Route, 'path' | 'method'>): Parameter[] =>
  (found.paths[route.path]?.[route.method.toLowerCase()]?.parameters ?? []).map((given) =>
    resolved(found.components.parameters, given),
  );

const rows = documentedRows(routeGroups);
const document = publishedDocument();

describe('the OpenAPI document', () => {
  it('validates as OpenAPI 3.1', async () => {
    const validator = new Validator();
    const result = await validator.validate(document as never);
    expect(result).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('names every operation once', () => {
    const names = rows.map(([id]) => id);
    expect(new Set(names).size).toBe(names.length);
    const places = rows.map(([, route]) => `${route.method} ${route.path}`);
    expect(new Set(places).size).toBe(places.length);
  });

  it('gives every error code an example in the documented shape', () => {
    const answered = new Set(rows.flatMap(([, route]) => errorsOf(route)));
    expect(Object.keys(document.components.examples)).toEqual(expect.arrayContaining([...answered]));
    for (const code of answered)
      expect(document.components.examples[code]?.value).toMatchObject({
        code,
        message: expect.any(String) as string,
        request_id: expect.any(String) as string,
      });
  });

  it('gives each error of each group of codes an example that its schema accepts', () => {
    for (const [name, { content }] of Object.entries(document.components.responses))
      for (const { schema, examples = {} } of Object.values(content ?? {}))
        for (const code of Object.keys(examples)) {
          const example = document.components.examples[code]?.value;
          expect(exampleIssues(document, { schema, example }), `${code} of ${name}`).toBeUndefined();
        }
  });

  it('gives the parameters examples that their schemas accept, and those that are required one', () => {
    for (const parameter of rows.flatMap(([, route]) => parametersOf(document, route))) {
      if (parameter.required) expect(parameter, parameter.name).toHaveProperty('example');
      if ('example' in parameter) expect(exampleIssues(document, parameter), parameter.name).toBeUndefined();
    }
  });

  it('documents that the same external booking again is answered with 200 (D52)', () => {
    const { responses } = document.paths['/api/v1/external/bookings']!['post']!;
    const [made, again] = [responses['201'], responses['200']] as [Answer, Answer];
    expect(again.content).toEqual(made.content);
    expect(again).toMatchObject({ description: expect.stringContaining('before') as string });
    const twofold = rows.filter(([, { status, repeated }]) => repeated !== undefined && status !== 201);
    expect(twofold).toEqual([]);
  });

  it('declares itself an object', () => {
    const operation = document.paths['/openapi.json']?.['get'];
    const media = responseOf(document, operation, 200)?.content?.['application/json'];
    expect(media?.schema).toEqual({ type: 'object' });
    expect(media?.example).toMatchObject({ openapi: '3.1.1' });
  });

  it('says which field decides between alternatives', () => {
    const schemas = document.components.schemas as Record<
      string,
      { oneOf?: unknown[]; discriminator?: { propertyName: string; mapping: object } }
    >;
    const decided = Object.entries(schemas).flatMap(([name, { oneOf, discriminator }]) =>
      oneOf ? [[name, discriminator?.propertyName, Object.keys(discriminator?.mapping ?? {}).length]] : [],
    );
    expect(decided.toSorted()).toEqual([
      ['ListingAvailability', 'granularity', 2],
      ['PartnerEvent', 'event_type', publicEventTypes.length],
    ]);
  });

  it('says for each status of an operation which codes it may have', () => {
    const { responses, schemas } = document.components;
    const sets = Object.entries(responses).map(([name, { content }]) => {
      const { schema, examples = {} } = content!['application/json']!;
      const codes = Object.keys(examples);
      const schemaName = nameIn(schema.$ref!);
      const statuses = codes.map((code) => errorCatalogue[code as ErrorCode].status);
      expect(new Set(statuses).size, name).toBe(1);
      expect([schemaName, String(statuses[0])], name).toContain(name);
      expect(schemas[schemaName]?.properties?.['code']?.enum).toEqual(codes);
      return codes.join();
    });
    expect(new Set(sets).size).toBe(sets.length);
  });

  it('has a webhook for every public event, with an example that its schema accepts', () => {
    expect(Object.keys(document.webhooks!)).toEqual([...publicEventTypes, 'webhook.test']);
    for (const [type, { post }] of Object.entries(document.webhooks!)) {
      const media = post!.requestBody!.content['application/json']!;
      expect(exampleIssues(document, media), type).toBeUndefined();
      expect(shownIn(document, media)).toMatchObject({ event_type: type });
    }
  });

  it('has what the rules of Redocly and Spectral ask for', () => {
    const { info, servers, tags } = document;
    expect(info).toMatchObject({ contact: { name: 'Nightlatch' }, license: { identifier: 'Apache-2.0' } });
    expect(servers).toEqual([
      { url: expect.stringMatching(/^http.*[^/]$/) as string, description: expect.anything() as string },
    ]);
    for (const tag of tags) expect(tag.description, tag.name).toMatch(/\.$/);
    const operations = [document.paths, document.webhooks!].flatMap((all) =>
      Object.values(all).flatMap((one) => Object.values(one)),
    );
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { operationId, tags: used, description, responses } of operations) {
      expect(
        tags.map(({ name }) => name),
        operationId,
      ).toEqual(expect.arrayContaining(used));
      expect(description, operationId).toMatch(/./);
      expect(
        Object.keys(responses).some((status) => status.startsWith('2')),
        operationId,
      ).toBe(true);
      expect(
        Object.keys(responses).some((status) => status.startsWith('4')),
        operationId,
      ).toBe(true);
    }
  });

  it('refers to every component', () => {
    const text = JSON.stringify(document);
    const unused = Object.entries(document.components)
      .filter(([kind]) => kind !== 'securitySchemes')
      .flatMap(([kind, all]) => Object.keys(all).map((name) => `#/components/${kind}/${name}`))
      .filter((link) => !text.includes(`"${link}"`));
    expect(unused).toEqual([]);
  });

  it('has no extensions', () => {
    expect(JSON.stringify(document)).not.toMatch(/"x-[^"]*":/);
  });

  it('has at most 630 KB', () => {
    expect(Buffer.byteLength(JSON.stringify(document))).toBeLessThanOrEqual(630_000);
  });

  it('refers only to components that exist', () => {
    const links = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      ([, path]) => path ?? '',
    );
    for (const link of links) {
      const found = link
        .split('/')
        .reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], document);
      expect(found, link).toBeDefined();
    }
  });
});

describe.each(rows)('the row %s', (id, route) => {
  const operation = document.paths[route.path]?.[route.method.toLowerCase()];

  it('has a summary, a tag and its schemas', () => {
    expect(operation).toMatchObject({ operationId: id, summary: route.summary, tags: [route.tag] });
    expect(route.summary.length).toBeGreaterThan(5);
    const success = Object.values(responseOf(document, operation, route.status)?.content ?? {})[0];
    expect(success?.schema).toBeDefined();
    if (route.body) expect(operation?.requestBody?.content['application/json']?.schema).toBeDefined();
  });

  it('has examples that its own schemas accept', () => {
    if (isDocument(route.reply)) expect(route.examples.reply).toEqual(expect.any(String));
    else expect(route.reply.safeParse(route.examples.reply).error?.issues).toBeUndefined();
    if (!route.body) return;
    expect(route.examples.body).toBeDefined();
    expect(route.body.safeParse(route.examples.body).error?.issues).toBeUndefined();
  });

  it('has examples that the published schemas accept', () => {
    const media = [
      ...Object.values(operation?.requestBody?.content ?? {}),
      ...Object.values(responseOf(document, operation, route.status)?.content ?? {}),
    ];
    for (const shown of media) expect(exampleIssues(document, shown)).toBeUndefined();
  });

  it('shows its example: what is different from that of its schema, ids aside, is in words', () => {
    const { description, content = {} } = responseOf(document, operation, route.status)!;
    const shown = withoutIds(shownIn(document, Object.values(content)[0]!));
    const example = answerExample(route) as Record<string, unknown>;
    const written = withoutIds(example);
    const different = Object.keys({ ...shown, ...written }).filter(
      (name) => !isDeepStrictEqual(shown[name], written[name]),
    );
    for (const name of different)
      expect(description).toContain(`\`${name}\`: \`${JSON.stringify(example[name])}\``);
  });

  it('declares VALIDATION_ERROR where the team may be named, whatever else it takes (D14)', () => {
    const team = parametersOf(document, route).some(({ name }) => name === 'X-Team-ID');
    expect(team).toBe(takesTeam(route));
    if (team) expect(errorsOf(route)).toContain('VALIDATION_ERROR');
  });

  it('lists the errors it can answer with, and no other', () => {
    const listed = Object.keys(operation?.responses ?? {}).flatMap((status) => {
      const response = responseOf(document, operation, Number(status));
      if (Number(status) < 400) return [];
      expect(response?.headers).toHaveProperty('X-Request-Id');
      const codes = Object.keys(response?.content?.['application/json']?.examples ?? {});
      return codes.map((code) => `${status} ${code}`);
    });
    const answered = new Set<ErrorCode>([...errorsOf(route), 'RATE_LIMIT_EXCEEDED']);
    const stated = [...answered].map((code) => `${errorCatalogue[code].status} ${code}`);
    expect(listed.toSorted()).toEqual(stated.toSorted());
  });

  it('declares each placeholder of its path, and no other', () => {
    const placeholders = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(route.params?.shape ?? {}).sort()).toEqual(placeholders.sort());
  });
});

describe('schemas with an id', () => {
  const Lamp = z.object({ watts: z.int().default(7) }).meta({ id: 'Lamp' });
  const Room = z.object({ lamp: Lamp }).meta({ id: 'Room' });
  const Colour = z.enum(['RED', 'BLUE']).meta({ id: 'Colour' });
  const groups = [
    defineRoutes('test', {
      paintRoom: {
        method: 'POST',
        path: '/rooms/{room_id}',
        access: 'host',
        permission: 'manage',
        tag: 'Test',
        summary: 'Paints a room',
        params: z.strictObject({ room_id: z.int() }),
        query: z.strictObject({ coats: z.int().default(1), by: z.string() }),
        body: z.strictObject({ room: Room, colour: Colour }),
        status: 200,
        reply: z.object({ room: Room, colour: Colour }),
        errors: [],
        idempotent: true,
        examples: { body: {}, reply: {} },
      },
    }),
  ];
  const test = documentOf(groups);
  const operation = test.paths['/rooms/{room_id}']?.['post'];

  it('are shared by requests and answers that agree', () => {
    const text = JSON.stringify(operation);
    expect(text.match(/schemas\/Colour"/g)).toHaveLength(2);
    expect(test.components.schemas).not.toHaveProperty('ColourInput');
  });

  it('are distinguished where a request may omit what an answer has, at any depth', () => {
    expect(test.components.schemas).toMatchObject({ Lamp: { required: ['watts'] } });
    expect(test.components.schemas['LampInput']?.required).toBeUndefined();
    expect(JSON.stringify(test.components.schemas['RoomInput'])).toContain('schemas/LampInput');
    expect(JSON.stringify(operation?.requestBody)).toContain('schemas/RoomInput');
  });

  it('says which parameters may be left out, and takes the team and the idempotency key', () => {
    const found = parametersOf(test, { path: '/rooms/{room_id}', method: 'POST' });
    expect(found.map(({ name, required = false }) => `${name}:${required}`)).toEqual([
      'room_id:true',
      'coats:false',
      'by:true',
      'X-Team-ID:false',
      'Idempotency-Key:false',
    ]);
    expect(operation?.security).toEqual([{ Bearer: [] }]);
    expect(responseOf(test, operation, 200)?.headers).toHaveProperty('Idempotent-Replayed');
    expect(responseOf(test, operation, 429)?.headers).toHaveProperty('Retry-After');
  });
});
