interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  schema?: { $ref?: string; default?: unknown };
  example?: unknown;
}
interface Operation {
  operationId: string;
  security: Record<string, unknown>[];
  parameters: Parameter[];
  requestBody?: { content: Record<string, { example?: unknown }> };
}
export interface ApiDocument {
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, unknown>>;
}

/** A request as a page makes it that shows the document and sends it as it is shown. */
export interface PrefilledCall {
  id: string;
  method: string;
  url: string;
  credential: 'ApiKey' | 'Bearer' | 'GuestLink' | 'PublishableKey' | undefined;
  headers: Record<string, string>;
  body: string | undefined;
}

const resolved = <T extends { $ref?: string }>(document: ApiDocument, given: T): T => {
  if (given.$ref === undefined) return given;
  const [kind = '', name = ''] = given.$ref.slice('#/components/'.length).split('/');
  return document.components[kind]?.[name] as T;
};

/** The value that a page shows in a field: the example, else the default; an optional field without either stays empty. */
const shown = (document: ApiDocument, parameter: Parameter): string | undefined => {
  const value = parameter.example ?? resolved(document, parameter.schema ?? {}).default;
  if (value === undefined && parameter.required) throw new Error(`${parameter.name} has no example`);
  return value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value);
};

/** Returns every operation of a document as a call, filled in as the document shows it. */
export const prefilledCalls = (document: ApiDocument): PrefilledCall[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => prefilled(document, path, method, operation)),
  );

const prefilled = (
  document: ApiDocument,
  path: string,
  method: string,
  operation: Operation,
): PrefilledCall => {
  const values = operation.parameters
    .map((given) => resolved(document, given))
    .flatMap((parameter) => {
      const value = shown(document, parameter);
      return value === undefined ? [] : [{ ...parameter, value }];
    });
  const inPlace = (place: string) =>
    values
      .filter(({ in: where }) => where === place)
      .map(({ name, value }): [string, string] => [name, value]);
  const filled = inPlace('path').reduce(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  );
  const query = new URLSearchParams(inPlace('query')).toString();
  const example = operation.requestBody?.content['application/json']?.example;
  const [credential] = operation.security.flatMap((scheme) => Object.keys(scheme));
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    url: `${document.servers[0]?.url ?? ''}${filled}${query === '' ? '' : `?${query}`}`,
    credential: credential as PrefilledCall['credential'],
    headers: {
      ...Object.fromEntries(inPlace('header')),
      ...(example === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    body: example === undefined ? undefined : JSON.stringify(example),
  };
};
