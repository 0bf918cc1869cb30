import { describe, expect, it } from 'vitest';
import { readStageFile } from '../../infra/cloud/stage-file.ts';
import { textOf } from '../support/docs.ts';
import { leastFile, restoredTable, stageWith } from './cloud/stages.ts';
import { synthesize } from './cloud/synthesized.ts';

const table = restoredTable('staging', 2);
const limits = { reads_per_second: 2000 };
const fileWith = (fields: object) => () =>
  readStageFile('stages/staging.json', JSON.stringify({ ...leastFile, ...fields }));

describe('a stage file with a restored table', () => {
  it.each([
    ['a later generation without its stream', { table: { generation: 2 } }, 'table.stream_arn: is required'],
    ['a stream of the first table', { table: { ...table, generation: 1 } }, 'table.stream_arn: is for a'],
    [
      'another region',
      { table: { ...table, stream_arn: table.stream_arn.replace('ap-southeast-1', 'eu-west-1') } },
      'table.stream_arn: must be in ap-southeast-1',
    ],
    ['no stream', { table: { generation: 2, stream_arn: 'x' } }, 'must be the ARN of the stream'],
  ])('is refused with %s', (_, fields, message) => {
    expect(fileWith(fields)).toThrow(message);
  });

  it.each([
    ['another stage', restoredTable('production', 2)],
    ['another generation', { ...table, generation: 3 }],
  ])('is refused with the stream of %s', (_, other) => {
    expect(() => stageWith('staging', { table: other })).toThrow('table.stream_arn is not of nightlatch-');
  });
});

describe('the stacks of a restored table', () => {
  const first = synthesize(stageWith('staging', { table: limits, dashboard: true }));
  const restored = synthesize(stageWith('staging', { table: { ...table, ...limits }, dashboard: true }));

  it('import it under another logical id, with every setting of the first one, and keep it', () => {
    const [before, ...others] = first.all('AWS::DynamoDB::GlobalTable');
    const [now, ...more] = restored.all('AWS::DynamoDB::GlobalTable');
    expect([...others, ...more]).toEqual([]);
    expect(now?.id).not.toBe(before?.id);
    expect(now?.deletionPolicy).toBe('Retain');
    expect(before?.deletionPolicy).toBe('Retain');
    expect(now?.properties).toEqual({ ...before?.properties, TableName: 'nightlatch-staging-g2' });
  });

  it('let go of it where the stage has become disposable', () => {
    const [going] = synthesize(stageWith('staging', { table, disposable: true })).all(
      'AWS::DynamoDB::GlobalTable',
    );
    expect(going?.id).toBe(restored.all('AWS::DynamoDB::GlobalTable')[0]?.id);
    expect(going?.deletionPolicy).toBe('Delete');
    expect(JSON.stringify(going?.properties)).toContain('"DeletionProtectionEnabled":false');
  });

  it('name it and no other in every function, policy and graph', () => {
    const named = (cloud: typeof restored) => {
      const { data, ...others } = cloud.templates;
      const text = JSON.stringify(others);
      return {
        variables: text.split('"TABLE_NAME":"nightlatch-staging-g2"').length - 1,
        first: text.split('"TABLE_NAME":"nightlatch-staging"').length - 1,
        rightsOfFirst: /table\/nightlatch-staging(?!-g2)/.test(text),
        graphsOfFirst: /TableName\\*",\\*"nightlatch-staging\\*"/.test(text),
      };
    };
    const functions = restored.all('AWS::Lambda::Function').length;
    expect(named(restored)).toEqual({
      ...{ variables: functions, first: 0 },
      ...{ rightsOfFirst: false, graphsOfFirst: false },
    });
    expect(named(first)).toEqual({
      ...{ variables: 0, first: functions },
      ...{ rightsOfFirst: true, graphsOfFirst: true },
    });
  });

  it('with functions are those that the guide deploys first', () => {
    const withTable = Object.entries(restored.templates).flatMap(([name, template]) =>
      JSON.stringify(template).includes('"TABLE_NAME"') ? [name] : [],
    );
    const guide = textOf('docs/operate.md');
    const command = /cdk deploy --exclusively ((?:nightlatch-production-\w+ )+)-c/.exec(guide)?.[1] ?? '';
    expect(command.trim().split(' ').sort()).toEqual(
      withTable.map((name) => `nightlatch-production-${name}`).sort(),
    );
  });

  it('read its stream by its name, so that they move to it before the data stack is deployed', () => {
    const events = JSON.stringify(restored.templates['events']);
    const mappings = restored
      .all<{ EventSourceArn: unknown; Enabled?: boolean }>('AWS::Lambda::EventSourceMapping')
      .filter(({ properties }) => JSON.stringify(properties).includes(':dynamodb:'));
    expect(mappings.map(({ properties }) => properties.EventSourceArn)).toEqual([table.stream_arn]);
    const imported = (text: string) => /Fn::ImportValue[^}]*Table/.test(text);
    expect(imported(events)).toBe(false);
    expect(imported(JSON.stringify(restored.templates['api']))).toBe(false);
    expect(imported(JSON.stringify(first.templates['events']))).toBe(true);
  });
});
