import { type IndexName, tableIndexes } from '../../shared/platform/table/entity.ts';
import { grantOf } from './grants.ts';
import { tableRightsOf } from './table-rights.ts';

/** A statement of a policy: actions on the table or an index, for the partitions of its conditions. */
export interface TableStatement {
  sid: string;
  actions: string[];
  resources: string[];
  conditions?: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': string[] } };
}

const readActions = [
  'dynamodb:BatchGetItem',
  'dynamodb:ConditionCheckItem',
  'dynamodb:GetItem',
  'dynamodb:Query',
];
const writeActions = ['dynamodb:DeleteItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'];

const indexSids: Record<IndexName, string> = { by_team: 'ByTeam', by_audience: 'ByAudience' };

/**
 * Returns what the role of a function may do with the table: reads, writes, and queries of each index, each for its partitions.
 * Scan is never granted. A transaction needs the right of each of its items.
 */
export const tableStatements = (folder: string, tableArn: string): TableStatement[] => {
  const { without = {}, tableIdentity } = grantOf(folder);
  const rights = tableRightsOf(folder);
  const statement = (sid: string, access: keyof typeof rights, actions: string[], resource: string) => {
    const keys = rights[access].filter((pattern) => !without[access]?.includes(pattern));
    // Each of these actions has a leading key, so a request without one, which `ForAllValues` would allow, does not exist.
    const conditions = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys } };
    return keys.length === 0 ? [] : [{ sid, actions, resources: [resource], conditions }];
  };
  return [
    ...statement('Read', 'reads', readActions, tableArn),
    ...statement('Write', 'writes', writeActions, tableArn),
    ...(Object.keys(tableIndexes) as IndexName[]).flatMap((index) =>
      statement(indexSids[index], index, ['dynamodb:Query'], `${tableArn}/index/${index}`),
    ),
    ...(tableIdentity
      ? [{ sid: 'Identity', actions: ['dynamodb:DescribeTable'], resources: [tableArn] }]
      : []),
  ];
};
