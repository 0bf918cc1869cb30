import {
  type OpenApiDocument,
  type Operation,
  ownAnswers,
  type Parameter,
  resolved,
} from '../../../shared/platform/http/openapi-document.ts';
import { clientOperations } from '../../client/operations.ts';
import type { PlacedOperation } from './document.ts';
import { escaped, inlineHtml } from './markdown.ts';
import { type ShownRequest, snippets, urlOf } from './snippets.ts';
import type { Types } from './types.ts';

/** What a caller has, by the security scheme. */
export const callers: Readonly<Record<string, string>> = {
  ApiKey: 'API key',
  Bearer: 'Access token',
  GuestLink: 'Link of a guest',
  PublishableKey: 'Publishable key',
};
const callable = new Set(clientOperations().map(({ id }) => id));

/** Returns the credential that an operation takes, if any. */
const credentialOf = ({ security }: Operation): string => Object.keys(security[0] ?? {})[0] ?? '';

/** Returns what the form shows at first: the example, else the default. */
const shownIn = ({ components }: OpenApiDocument, { example, schema }: Parameter): string => {
  const value = example ?? resolved(components.schemas, schema).default;
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

const bodyOf = ({ requestBody }: Operation): unknown => requestBody?.content['application/json']?.example;

/** Returns an operation: its text, tables, form and examples; that of its answer is given. */
export const operationHtml = (
  document: OpenApiDocument,
  placed: PlacedOperation,
  types: Types,
  answer: unknown,
): string => {
  const { operation, method, path } = placed;
  const { operationId: id, summary, description } = operation;
  const credential = credentialOf(operation);
  const text = description === `${summary}.` ? '' : `<p>${inlineHtml(description)}</p>`;
  return `<section class="op" id="${id}"><h2>${inlineHtml(summary)} <a class="anchor" href="#${id}" aria-label="Link to ${escaped(id)}">#</a></h2>
<p class="call"><span class="method ${method.toLowerCase()}">${method}</span> <code>${escaped(path)}</code> <span class="who">${callers[credential] ?? 'No credentials'}</span></p>
<div class="columns"><div>${text}${parameterTable(document, operation, types)}${bodyTable(operation, types)}${answers(operation, types)}${errors(document, operation)}</div>
<div class="aside">${form(document, placed)}${exampleAnswer(operation, answer)}</div></div></section>`;
};

const parametersOf = ({ components }: OpenApiDocument, { parameters }: Operation): Parameter[] =>
  parameters.map((given) => resolved(components.parameters, given));

const parameterTable = (document: OpenApiDocument, operation: Operation, types: Types): string => {
  const rows = parametersOf(document, operation).map((parameter) => {
    const { name, in: place, required, description, schema } = parameter;
    const mark = required ? ' <span class="need">required</span>' : '';
    const meaning = types.meaning({ ...schema, ...(description === undefined ? {} : { description }) });
    return `<tr><th scope="row"><code>${escaped(name)}</code>${mark}</th><td>${place}: ${types.of(schema)}</td><td>${meaning}</td></tr>`;
  });
  if (rows.length === 0) return '';
  return `<table class="fields"><caption>Parameters</caption><thead><tr><th scope="col">Name</th><th scope="col">Place and type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
};

const bodyTable = ({ requestBody }: Operation, types: Types): string => {
  const schema = requestBody?.content['application/json']?.schema;
  return schema ? types.table(schema, requestBody.required ? 'Body' : 'Body (may be left out)') : '';
};

const answers = (operation: Operation, types: Types): string => {
  const items = ownAnswers(operation).map(([status, { description, content = {}, headers = {} }]) => {
    const [[contentType, { schema }] = ['', { schema: {} }]] = Object.entries(content);
    const type = contentType === 'application/json' ? types.of(schema) : escaped(contentType);
    const names = Object.keys(headers).map((name) => `<code>${name}</code>`);
    const also = names.length === 0 ? '' : `, with ${names.join(', ')}`;
    return `<li><b>${status}</b> ${type}${also}. ${description === 'The answer.' ? '' : inlineHtml(description)}</li>`;
  });
  return `<h3>Answer</h3><ul>${items.join('')}</ul>`;
};

const errors = (document: OpenApiDocument, { responses }: Operation): string => {
  const rows = Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, response]) =>
      [...resolved(document.components.responses, response).description.matchAll(/^`(\w+)`: (.*)$/gm)].map(
        ([, code = '', meaning = '']) =>
          `<li><b>${status}</b> <a href="errors#${code}"><code>${code}</code></a> ${inlineHtml(meaning)}</li>`,
      ),
    );
  return rows.length === 0
    ? ''
    : `<details><summary>Errors (${rows.length})</summary><ul class="errors">${rows.join('')}</ul></details>`;
};

const form = (document: OpenApiDocument, placed: PlacedOperation): string => {
  const { operation, method, path } = placed;
  const { operationId: id } = operation;
  const fields = parametersOf(document, operation).map((parameter) => {
    const { name, in: place, required } = parameter;
    const value = escaped(shownIn(document, parameter));
    return `<label>${escaped(name)} <small>${place}</small><input name="${escaped(name)}" data-in="${place}"${isText(document, parameter) ? '' : ' data-json'}${isDefault(parameter) ? ' data-default' : ''} value="${value}" autocomplete="off"${required ? ' required' : ''}></label>`;
  });
  const body = bodyOf(operation);
  const text = body === undefined ? '' : escaped(JSON.stringify(body, undefined, 2));
  const lines = Math.min(text.split('\n').length + 1, 22);
  const area = operation.requestBody
    ? `<label>Body <small>JSON</small><textarea name="body" rows="${lines}" spellcheck="false">${text}</textarea></label>`
    : '';
  const request = exampleRequest(document, placed);
  return `<pre class="snippet"><code>${escaped(snippets['curl']?.(request) ?? '')}</code></pre>
<details class="try"><summary>Try it</summary><form data-id="${id}" data-method="${method}" data-path="${escaped(path)}" data-credential="${request.credential}" data-answer="${request.answer}"${request.isOfClient ? ' data-client' : ''}>${fields.join('')}${area}<button>Send</button><div class="result" role="status"></div></form></details>`;
};

/** Returns the request of the form as it is shown at first. */
export const exampleRequest = (
  document: OpenApiDocument,
  { operation, method, path }: PlacedOperation,
): ShownRequest => {
  const parameters = parametersOf(document, operation)
    .map((parameter) => ({
      name: parameter.name,
      in: parameter.in,
      value: shownIn(document, parameter),
      isText: isText(document, parameter),
      isDefault: isDefault(parameter),
    }))
    .filter(({ value }) => value !== '');
  const body = bodyOf(operation);
  const baseUrl = document.servers[0]?.url ?? '';
  const credential = credentialOf(operation);
  return {
    ...{ id: operation.operationId, method, baseUrl, parameters, answer: answerOf(operation) },
    url: urlOf(baseUrl, path, parameters),
    credential,
    isOfClient: callable.has(operation.operationId) && credential !== 'GuestLink',
    body: body === undefined ? undefined : JSON.stringify(body),
  };
};

const isDefault = ({ example }: Parameter): boolean => example === undefined;

/** Whether a value of a parameter is a text; numbers, flags and lists are JSON. */
const isText = ({ components }: OpenApiDocument, { schema }: Parameter): boolean =>
  !['integer', 'number', 'boolean'].includes(String(resolved(components.schemas, schema).type));

const answerOf = (operation: Operation): ShownRequest['answer'] => {
  const [[, { content }] = ['', {}]] = ownAnswers(operation);
  if (content === undefined) return 'none';
  return 'application/json' in content ? 'json' : 'text';
};

/** An example of more lines is opened by the reader. */
const mostLines = 45;

const exampleAnswer = (operation: Operation, example: unknown): string => {
  const [[status] = ['']] = ownAnswers(operation);
  if (example === undefined || example === '') return '';
  const text = typeof example === 'string' ? example : JSON.stringify(example, undefined, 2);
  const open = text.split('\n').length > mostLines ? '' : ' open';
  return `<details${open}><summary>Example of the answer (${status})</summary><pre><code>${escaped(text)}</code></pre></details>`;
};
