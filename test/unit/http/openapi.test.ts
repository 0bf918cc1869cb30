import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { routeGroups } from '../../../functions/routes.ts';
import { errorCatalogue } from '../../../shared/platform/errors.ts';
import { openApiDocument } from '../../../shared/platform/http/openapi.ts';
import { defineRoutes, errorsOf, isDocument, takesTeam } from '../../../shared/platform/http/route.ts';

interface Media {
  schema?: unknown;
  example?: unknown;
  examples?: Record<string, { $ref: string }>;
}
interface Response {
  headers: object;
  content: Record<string, Media>;
}
interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  security: object[];
  parameters: { $ref?: string; name?: string; in?: string; required?: boolean; schema?: object }[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, Response | { $ref: string }>;
}
interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: {
    responses: Record<string, Response>;
    schemas: Record<string, { required?: string[] }>;
    parameters: Record<string, Media>;
    examples: Record<string, { value: unknown }>;
  };
}

const documentOf = (groups: Parameters<typeof openApiDocument>[0]['groups']): OpenApi =>
  openApiDocument({ groups, title: 'Nightlatch', version: '0.0.0' }) as unknown as OpenApi;

/** A response, followed to where it stands. */
const responseOf = (
  found: OpenApi,
  operation: Operation | undefined,
  status: number,
): Response | undefined => {
  const response = operation?.responses[String(status)];
  if (!response || !('$ref' in response)) return response;
  return found.components.responses[response.$ref.slice('#/components/responses/'.length)];
};

/** A schema of the document as something that judges a value, with the components it refers to. */
const judgeOf = (found: OpenApi, schema: unknown): z.ZodType => {
  const text = JSON.stringify({ ...(schema as object), $defs: found.components.schemas });
  return z.fromJSONSchema(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')) as never);
};

/** The problems of a media type's or parameter's example by its own schema, as a reader's validator sees them. */
const exampleIssues = (found: OpenApi, { schema, example }: Media) =>
  judgeOf(found, schema).safeParse(example).error?.issues;

const rows = routeGroups.flatMap(({ routes }) => Object.entries(routes));
const document = documentOf(routeGroups);

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
    for (const code of Object.keys(errorCatalogue))
      expect(document.components.examples[code]?.value).toMatchObject({
        code,
        message: expect.any(String) as string,
      });
  });

  it('gives each error of each group of codes an example that its schema accepts', () => {
    for (const [name, { content }] of Object.entries(document.components.responses))
      for (const { schema, examples = {} } of Object.values(content))
        for (const code of Object.keys(examples)) {
          const example = document.components.examples[code]?.value;
          expect(exampleIssues(document, { schema, example }), `${code} of ${name}`).toBeUndefined();
        }
  });

  it('gives the shared parameters examples that their schemas accept', () => {
    for (const parameter of Object.values(document.components.parameters))
      expect(exampleIssues(document, parameter)).toBeUndefined();
  });

  it('documents that the same external booking again is answered with 200 (D52)', () => {
    const { responses } = document.paths['/api/v1/external/bookings']!['post']!;
    const [made, again] = [responses['201'], responses['200']] as [Response, Response];
    expect(again.content).toEqual(made.content);
    expect(again).toMatchObject({ description: expect.stringContaining('before') as string });
    const twofold = rows.filter(([, { status, repeated }]) => repeated !== undefined && status !== 201);
    expect(twofold).toEqual([]);
  });

  it('declares itself an object', () => {
    const operation = document.paths['/openapi.json']?.['get'];
    const media = responseOf(document, operation, 200)?.content['application/json'];
    expect(media?.schema).toEqual({ type: 'object' });
    expect(media?.example).toMatchObject({ openapi: '3.1.1' });
  });

  it('shows property types in either case, as they are accepted', () => {
    const { ListingCreate } = document.components.schemas as Record<
      string,
      { properties: Record<string, { enum: string[] }> }
    >;
    const type = ListingCreate?.properties['property_type'];
    expect(type?.enum).toEqual(expect.arrayContaining(['VILLA', 'villa', 'APARTMENT', 'apartment']));
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
    for (const { name, schema } of operation?.parameters ?? []) {
      const { examples = [], example } = (schema ?? {}) as { examples?: unknown[]; example?: unknown };
      for (const value of example === undefined ? examples : [...examples, example])
        expect(exampleIssues(document, { schema, example: value }), name).toBeUndefined();
    }
  });

  it('declares VALIDATION_ERROR where the team may be named, whatever else it takes (D14)', () => {
    const team = operation?.parameters.some(({ $ref }) => $ref?.endsWith('/X-Team-ID')) ?? false;
    expect(team).toBe(takesTeam(route));
    if (team) expect(errorsOf(route)).toContain('VALIDATION_ERROR');
  });

  it('lists every error it can answer with', () => {
    for (const code of errorsOf(route)) {
      const { status } = errorCatalogue[code];
      const response = responseOf(document, operation, status);
      const media = response?.content['application/json'];
      expect(media?.examples?.[code], `${code} at ${status}`).toBeDefined();
      expect(response?.headers).toHaveProperty('X-Request-Id');
    }
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
    const required = operation?.parameters.map(({ $ref, name, required }) => $ref ?? `${name}:${required}`);
    expect(required).toEqual([
      'room_id:true',
      'coats:false',
      'by:true',
      '#/components/parameters/X-Team-ID',
      '#/components/parameters/Idempotency-Key',
    ]);
    expect(operation?.security).toEqual([{ Bearer: [] }]);
    expect(responseOf(test, operation, 200)?.headers).toHaveProperty('Idempotent-Replayed');
    expect(responseOf(test, operation, 429)?.headers).toHaveProperty('Retry-After');
  });
});
