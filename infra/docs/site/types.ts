import {
  type Field,
  fieldsOf,
  nameIn,
  resolved,
  type Schema,
  type Schemas,
} from '../../../shared/platform/http/openapi-document.ts';
import { escaped, inlineHtml } from './markdown.ts';

const literal = (value: unknown): string => `<code>${escaped(JSON.stringify(value))}</code>`;
const variantsOf = ({ anyOf, oneOf }: Schema): Schema[] => anyOf ?? oneOf ?? [];

/** Shows the types of fields, and collects the objects that they refer to. */
export class Types {
  readonly #schemas: Schemas;
  readonly #wanted = new Set<string>();

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  /** Returns the type of a value in words; objects are links to their tables. */
  of(schema: Schema): string {
    if (schema.$ref !== undefined) return this.#named(schema);
    const variants = variantsOf(schema);
    if (variants.length > 0) return variants.map((one) => this.of(one)).join(' or ');
    const [only, ...others] = schema.allOf ?? [];
    if (only && others.length === 0) return this.of(only);
    if (schema.const !== undefined) return literal(schema.const);
    if (schema.enum) return schema.enum.map(literal).join(' · ');
    if (schema.items) return `list of ${this.of(schema.items)}`;
    if (typeof schema.additionalProperties === 'object')
      return `map of ${this.of(schema.additionalProperties)}`;
    return [schema.type ?? 'any'].flat().join(' or ');
  }

  /** Returns the table of an object's fields; objects in it that have no name are shown in place. */
  table(schema: Schema, caption: string): string {
    const rows = this.#rows(schema, '');
    if (rows.length === 0) return `<p>${this.of(schema)}</p>`;
    return `<table class="fields"><caption>${caption}</caption><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
  }

  /** Returns the tables of the objects that were referred to, and of those that these refer to. */
  objects(): string {
    const shown: string[] = [];
    for (const name of this.#wanted) {
      const schema = this.#schemas[name] ?? {};
      const about = schema.description === undefined ? '' : `<p>${inlineHtml(schema.description)}</p>`;
      const variants = variantsOf(schema);
      const body =
        variants.length > 0
          ? `<p>One of ${variants.map((one) => this.of(one)).join(', ')}.</p>`
          : this.table(schema, `Fields of ${name}`);
      shown.push(`<section id="type-${name}" class="type"><h3>${name}</h3>${about}${body}</section>`);
    }
    return shown.length === 0 ? '' : `<h2 id="objects">Objects</h2>${shown.join('')}`;
  }

  #named(reference: Schema): string {
    const schema = resolved(this.#schemas, reference);
    const name = nameIn(reference.$ref ?? '');
    if (fieldsOf(this.#schemas, schema).length === 0 && schema.type !== 'object' && !schema.oneOf)
      return this.of(schema);
    this.#wanted.add(name);
    return `<a href="#type-${name}">${name}</a>`;
  }

  #rows(schema: Schema, prefix: string): string[] {
    return fieldsOf(this.#schemas, schema).flatMap((field) => {
      const name = `${prefix}${field.name}`;
      const inner = field.schema.items ?? field.schema;
      const nested =
        inner.properties === undefined ? [] : this.#rows(inner, `${name}${field.schema.items ? '[]' : ''}.`);
      return [this.#row(name, field), ...nested];
    });
  }

  #row(name: string, { schema, isRequired }: Field): string {
    const mark = isRequired ? ' <span class="need">required</span>' : '';
    return `<tr><th scope="row"><code>${escaped(name)}</code>${mark}</th><td>${this.of(schema)}</td><td>${this.meaning(schema)}</td></tr>`;
  }

  /** Returns the description of a value with its limits. */
  meaning(given: Schema): string {
    const target = resolved(this.#schemas, given);
    const text = given.description ?? target.description;
    return [text === undefined ? '' : inlineHtml(text), limitsOf({ ...target, ...given })]
      .filter((part) => part !== '')
      .join(' ');
  }
}

const range = (from: number | undefined, to: number | undefined, unit: string): string => {
  if (from === undefined && to === undefined) return '';
  if (to === undefined) return `at least ${from}${unit}`;
  return from === undefined || (from === 0 && unit !== '')
    ? `at most ${to}${unit}`
    : `${from} to ${to}${unit}`;
};

const limitsOf = (schema: Schema): string => {
  const all = [schema, ...variantsOf(schema)];
  const parts = all.flatMap((one) => [
    range(one.minimum, one.maximum, ''),
    range(one.minLength, one.maxLength, ' characters'),
    range(one.minItems, one.maxItems, ' items'),
  ]);
  if (schema.default !== undefined) parts.push(`default ${literal(schema.default)}`);
  const shown = parts.filter((part) => part !== '');
  return shown.length === 0 ? '' : `<span class="limits">${shown.join('; ')}</span>`;
};
