import { Arn, type Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IndexName } from '../../shared/platform/table/entity.ts';
import { resourceName, type Stage } from './stage.ts';

/** What a function may do with the table. Nothing may scan it. */
export interface TableGrant {
  items: 'none' | 'read' | 'write';
  /** The indexes it reads; none when left out. */
  indexes?: readonly IndexName[];
  /** Whether it asks which table it is. */
  identity?: true;
}

const readActions = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'];
const writeActions = [
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
  'dynamodb:DeleteItem',
  'dynamodb:ConditionCheckItem',
];

/** The table's address, by name: a function is not tied to the export of another stack. */
export const tableArn = (stack: Stack, stage: Stage): string =>
  Arn.format({ service: 'dynamodb', resource: 'table', resourceName: resourceName(stage) }, stack);

/** The statements of a grant: items and indexes are named one by one. */
export const tableStatements = (arn: string, grant: TableGrant): PolicyStatement[] => {
  const statements: PolicyStatement[] = [];
  if (grant.items !== 'none') {
    const actions = grant.items === 'write' ? [...readActions, ...writeActions] : readActions;
    statements.push(new PolicyStatement({ sid: 'Items', actions, resources: [arn] }));
  }
  if (grant.indexes && grant.indexes.length > 0)
    statements.push(
      new PolicyStatement({
        sid: 'Indexes',
        actions: ['dynamodb:Query'],
        resources: grant.indexes.map((index) => `${arn}/index/${index}`),
      }),
    );
  if (grant.identity)
    statements.push(
      new PolicyStatement({ sid: 'Identity', actions: ['dynamodb:DescribeTable'], resources: [arn] }),
    );
  return statements;
};
