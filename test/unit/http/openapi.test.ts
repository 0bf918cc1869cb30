import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { routeGroups } from '../../../functions/routes.ts';
import { errorCatalogue } from '../../../shared/platform/errors.ts';
import { openApiDocument } from '../../../shared/platform/http/openapi.ts';
import { defineRoutes, errorsOf, isDocument } from '../../../shared/platform/http/route.ts';

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

  it('are told apart where a request may leave out what an answer has, wherever they are nested', () => {
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
