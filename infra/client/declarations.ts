import * as z from 'zod';
import { errorDetails } from '../../shared/error-details.ts';
import { errorCatalogue, type ErrorCode } from '../../shared/platform/errors.ts';
import {
  namesIn,
  type OpenApiDocument,
  ownAnswers,
  resolved,
  type Schema,
  type Schemas,
  withReferred,
} from '../../shared/platform/http/openapi-document.ts';
import { type Route, takesTeam } from '../../shared/platform/http/route.ts';
import type { ClientOperation } from './operations.ts';
import { comment, type Field, fieldsType, typeOf } from './typescript-types.ts';

/** The parts of the OpenAPI document that types are made from. */
type ApiDocument = Pick<OpenApiDocument, 'paths' | 'components'>;

/** Returns `index.d.ts` of the client: a type for each schema, error code and operation. */
export const declarations = (
  { paths, components }: ApiDocument,
  operations: readonly ClientOperation[],
  ownTypes: readonly string[],
): string => {
  const details = detailsByCode();
  const document = {
    paths,
    components: { ...components, schemas: { ...details.schemas, ...components.schemas } },
  };
  const methods = operations.map((operation) => methodOf(document, operation));
  const used = withReferred(document.components.schemas, [
    ...methods.flatMap(({ names }) => names),
    ...details.names,
    ...sentTypes,
  ]);
  const clashing = used.filter((name) => ownTypes.includes(name));
  if (clashing.length > 0) throw new Error(`${clashing.join(', ')}: schema and type of the client`);
  return [
    `import type {\n${ownTypes.map((name) => `  ${name},\n`).join('')}} from './types.js';`,
    `export type * from './types.js';`,
    ...used.map((name) => schemaType(name, document.components.schemas[name] ?? {})),
    `/** The \`details\` of each error code. */\nexport interface ErrorDetails ${details.type}`,
    errorTypes,
    webhookFunctions,
    ...clients.map(({ name, summary, takes, feed }) =>
      clientType(name, comment(summary), [
        ...methods.filter(({ access }) => takes.includes(access)).map(({ text }) => text),
        ...(feed ? [feedMethod] : []),
      ]),
    ),
    values,
  ].join('\n\n');
};

const clients: { name: string; summary: string; takes: readonly Route['access'][]; feed?: boolean }[] = [
  { name: 'PublicClient', summary: 'What needs no credential.', takes: ['public'] },
  { name: 'PartnerClient', summary: 'What an API key may call.', takes: ['public', 'partner'], feed: true },
  {
    name: 'PageClient',
    summary: 'What a publishable key may call.',
    takes: ['public', 'publishable'],
  },
  { name: 'UserClient', summary: 'What an access token may call.', takes: ['public', 'customer', 'host'] },
];

const schemaType = (name: string, schema: Schema): string => {
  const type = typeOf(schema);
  const head = comment(schema['description']);
  return type.startsWith('{') && type.indexOf('\n}') === type.length - 2
    ? `${head}export interface ${name} ${type}`
    : `${head}export type ${name} = ${type};`;
};

interface MethodText {
  access: Route['access'];
  text: string;
  names: string[];
}

const methodOf = (document: ApiDocument, { id, route }: ClientOperation): MethodText => {
  const operation = document.paths[route.path]?.[route.method.toLowerCase()];
  if (!operation) throw new Error(`the document lacks ${id}`);
  const parameters: Field[] = operation.parameters
    .map((given) => resolved(document.components.parameters, given))
    .filter(({ in: place }) => place === 'path' || place === 'query')
    // The client reads JSON alone.
    .filter(({ name }) => !route.alternative || (name !== 'format' && name !== 'language'))
    .map(({ name, required = false, description, schema }) => ({
      name,
      schema,
      isRequired: required,
      description: description ?? schema['description'],
    }));
  const body = operation.requestBody?.content['application/json']?.schema;
  if (route.query && body) throw new Error(`${id} has a query and a body: the client sends one of them`);
  if (body) requireFlat(id, parameters, fieldsIn(document, body));
  const { content = {} } = Object.fromEntries(ownAnswers(operation))[route.status] ?? {};
  const answer = content['application/json']?.schema ?? {};
  const parts = [
    ...(parameters.length > 0 ? [fieldsType(parameters)] : []),
    ...(body ? [route.bodyOptional ? `Partial<${typeOf(body)}>` : typeOf(body)] : []),
  ];
  const needsInput =
    parameters.some(({ isRequired }) => isRequired) || (body !== undefined && !route.bodyOptional);
  const input =
    parts.length === 0
      ? 'input?: Record<string, never>'
      : `input${needsInput ? '' : '?'}: ${parts.join(' & ')}`;
  const text = `${comment(route.summary)}${id}(${input}, options?: ${optionsOf(route)}): ${callType(document, route, answer)};`;
  return { access: route.access, text, names: namesIn([parameters, body ?? {}, answer]) };
};

/** A method takes one object: path parameters and the fields of query or body, so they may not share a name. */
const requireFlat = (id: string, parameters: readonly Field[], body: Schemas): void => {
  if (Object.keys(body).length === 0) throw new Error(`${id} has a body that is no object`);
  const shared = parameters.filter(({ name }) => name in body);
  if (shared.length > 0) throw new Error(`${id} has ${shared[0]?.name} twice`);
};

/** Returns the fields of an object, of all of its parts and alternatives. */
const fieldsIn = (document: ApiDocument, schema: Schema): Schemas => {
  const { $ref, allOf = [], anyOf = [], oneOf = [], properties = {} } = schema;
  const referred = $ref === undefined ? [] : [document.components.schemas[typeOf({ $ref })] ?? {}];
  const parts = [...referred, ...allOf, ...anyOf, ...oneOf].map((part) => fieldsIn(document, part));
  return Object.assign({}, ...parts, properties) as Schemas;
};

const optionsOf = (route: Route): string => {
  const options = route.idempotent ? 'WriteOptions' : 'CallOptions';
  return takesTeam(route) ? `${options} & TeamOptions` : options;
};

/** A list that takes a cursor is paged: its call has the items of all pages. */
const callType = (document: ApiDocument, { query }: Route, answer: Schema): string => {
  const type = typeOf(answer);
  if (!query || !('cursor' in query.shape)) return `Call<${type}>`;
  const { items: list = answer } = fieldsIn(document, answer);
  const item = list['items'];
  if (!item) throw new Error(`${type} has a cursor and no items`);
  return `PagedCall<${type}, ${typeOf(item)}>`;
};

/** Returns the type of all details, and the schemas that it refers to. */
const detailsByCode = (): { type: string; names: string[]; schemas: Schemas } => {
  const known: Partial<Record<ErrorCode, z.ZodObject>> = errorDetails;
  const schemas: Schemas = {};
  const fields = (Object.keys(errorCatalogue) as ErrorCode[]).map((code): Field => {
    const details = known[code];
    const { $defs, ...schema } = (
      details ? z.toJSONSchema(details, { unrepresentable: 'any' }) : { properties: {} }
    ) as Schema & { $defs?: Schemas };
    Object.assign(schemas, $defs);
    return { name: code, schema, isRequired: true, description: errorCatalogue[code].meaning };
  });
  const unexpected: Field = {
    name: 'UNEXPECTED_ANSWER',
    schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    isRequired: true,
    description: 'The answer is not one of the service, but for example of a proxy.',
  };
  return { type: fieldsType([...fields, unexpected]), names: namesIn(fields), schemas };
};

const clientType = (name: string, head: string, methods: readonly string[]): string =>
  `${head}export interface ${name} {\n${methods.map((text) => text.replaceAll(/^(?=.)/gm, '  ')).join('\n')}\n}`;

const feedMethod = `/** The events of the feed, for \`for await\`: waits for new ones and through outages. */
events(options?: EventsOptions): AsyncGenerator<PartnerEvent, void, undefined>;`;

const errorTypes = `export type ErrorCode = keyof ErrorDetails;

/** An error answer of the service: \`code\` narrows \`details\`. */
export type NightlatchError = ErrorOf<ErrorDetails>;
export declare const NightlatchError: ErrorClass<NightlatchError>;

/** No answer arrived: whether the service has done what was asked is unknown. */
export declare class NightlatchConnectionError extends Error {
  readonly isTimeout: boolean;
}

/** A request that is not a webhook of the service, or not one of now. */
export declare class WebhookVerificationError extends Error {
  readonly problem: WebhookProblem;
}`;

/** What the service sends. */
const sentTypes = ['PartnerEvent', 'WebhookTest'];

const webhookFunctions = `/**
 * Returns the event of a webhook after its signature and its time were checked as Standard Webhooks says; throws
 * WebhookVerificationError. The body must be as it was received.
 */
export declare const verifyWebhook: (
  secret: string,
  headers: WebhookHeaders,
  rawBody: string | Uint8Array | ArrayBuffer,
  options?: VerifyOptions,
) => Promise<PartnerEvent | WebhookTest>;

/** Returns the headers of a signed webhook, for tests of an endpoint. */
export declare const signWebhook: (
  secret: string,
  webhook: { id: string; body: string; now?: (() => number) | undefined },
) => Promise<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>>;`;

const values = `/** Makes a client; its methods are the operations that the credential may call. */
export declare const Nightlatch: {
  new (options: PartnerOptions): PartnerClient;
  new (options: PageOptions): PageClient;
  new (options: UserOptions): UserClient;
  new (options: PublicOptions): PublicClient;
};
`;
