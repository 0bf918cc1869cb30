import { describe, expect, it } from 'vitest';
import { shapeOf } from '../../infra/docs/record-shapes.ts';
import { entities } from '../../shared/entities.ts';
import { events } from '../../shared/events.ts';
import { personalData, personalEventData } from '../../shared/personal-data.ts';
import { classesOf, type ClassifiedFields } from '../../shared/platform/table/personal-data.ts';

/** Returns the paths that can hold a text. Numbers, booleans and named values say nothing of a person by themselves. */
const textsOf = (shape: Record<string, string>): string[] =>
  Object.entries(shape)
    .filter(([, types]) => types.split(' | ').some((type) => ['string', 'binary', 'any'].includes(type)))
    .map(([path]) => path.replace(/\?$/, ''));

const wordsOf = (fields: ClassifiedFields): string[] =>
  Object.values(fields).flatMap((paths) => paths.split(/\s+/).filter(Boolean));

describe('every stored text has one class of personal data', () => {
  const rows = [
    ...entities.map(({ name, record }) => ({ name, schema: record(), fields: personalData[name] })),
    ...Object.entries(events).map(([name, { data }]) => ({
      ...{ name: `the data of ${name}`, schema: data, fields: personalEventData[name] },
    })),
  ];

  it.each(rows)('in $name', ({ schema, fields }) => {
    const texts = textsOf(shapeOf(schema));
    expect(wordsOf(fields ?? {}).sort()).toEqual(texts.sort());
    expect(fields).toBeDefined();
  });

  it('and no record that does not exist has one', () => {
    expect(Object.keys(personalData).sort()).toEqual(entities.map(({ name }) => name).sort());
    expect(Object.keys(personalEventData).sort()).toEqual(Object.keys(events).sort());
  });

  it('which is looked up by path', () => {
    const classes = classesOf({ none: 'a b[].c', personal: 'd\n  e' });
    expect([...classes]).toEqual([
      ['a', 'none'],
      ['b[].c', 'none'],
      ['d', 'personal'],
      ['e', 'personal'],
    ]);
  });
});
