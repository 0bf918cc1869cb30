import { describe, expect, it } from 'vitest';
import { type Operation, ownAnswers, type Schema } from '../../../shared/platform/http/openapi-document.ts';
import { publishedDocument } from '../../support/api-document.ts';

const document = publishedDocument();

/** Places of objects with fields of their own that no component names. */
const unnamed = (schema: Schema, place: string): string[] => [
  ...(schema.properties ? [place] : []),
  ...fieldsOf(schema).flatMap(([name, field]) => unnamed(field, `${place}.${name}`)),
];

const fieldsOf = ({ properties, items, anyOf = [], oneOf = [] }: Schema): [string, Schema][] => [
  ...Object.entries(properties ?? {}),
  ...(items ? [['[]', items] as [string, Schema]] : []),
  ...[...anyOf, ...oneOf].map((schema, position): [string, Schema] => [`|${position}`, schema]),
];

const contents = (operation: Operation): [string, Schema][] =>
  [operation.requestBody, ...ownAnswers(operation).map(([, answer]) => answer)].flatMap((holder) =>
    Object.values(holder?.content ?? {}).map(({ schema }): [string, Schema] => [
      operation.operationId,
      schema,
    ]),
  );

describe('the OpenAPI document', () => {
  const { paths, webhooks, components } = document;
  const operations = [paths, webhooks!].flatMap((all) =>
    Object.values(all).flatMap((methods) => Object.values(methods)),
  );
  const names = Object.keys(components.schemas);

  it('names every body, reply and item as a component, of requests, answers, errors and webhooks', () => {
    const errors = Object.entries(components.responses).flatMap(([name, { content = {} }]) =>
      Object.values(content).map(({ schema }): [string, Schema] => [name, schema]),
    );
    const all = [...operations.flatMap(contents), ...errors];
    expect(all.flatMap(([id, schema]) => unnamed(schema, id))).toEqual([]);
  });

  it('names every object within a component', () => {
    const within = Object.entries(components.schemas).flatMap(([name, schema]) =>
      fieldsOf(schema).flatMap(([field, part]) => unnamed(part, `${name}.${field}`)),
    );
    expect(within).toEqual([]);
  });

  it('has a component for every reference', () => {
    const references = JSON.stringify(document).match(/#\/components\/schemas\/\w+/g) ?? [];
    const missing = references.filter((link) => !names.includes(link.split('/').at(-1)!));
    expect(missing).toEqual([]);
  });

  it('numbers no name, and has none that differs from another in its case alone', () => {
    expect(names.filter((name) => !/^([A-Z][a-z]+)+$/.test(name))).toEqual([]);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  });

  it('holds the canonical values of an enum alone', () => {
    const twice = [...JSON.stringify(document).matchAll(/"enum":\[([^\]]*)\]/g)].filter(([, values = '']) => {
      const all = values.split(',');
      return new Set(all.map((value) => value.toLowerCase())).size < all.length;
    });
    expect(twice.map(([text]) => text)).toEqual([]);
  });
});
