import { Arn, type Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IndexName } from '../../shared/platform/table/entity.ts';
import { resourceName, type Stage } from './stage.ts';

/** The table permissions of a function. Scan is never granted. */
export interface TableGrant {
  items: 'none' | 'read' | 'write';
  /** The partition to which alone it may put items; default none. */
  ownPartition?: string;
  /** The indexes it reads; default none. */
  indexes?: readonly IndexName[];
  /** Whether it reads the identity of the table. */
  identity?: true;
}

const readActions = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'];
const writeActions = [
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
  'dynamodb:DeleteItem',
  'dynamodb:ConditionCheckItem',
];

/** Returns the table's ARN, made from its name, so that stacks do not depend on each other. */
export const tableArn = (stack: Stack, stage: Stage): string =>
  Arn.format({ service: 'dynamodb', resource: 'table', resourceName: resourceName(stage) }, stack);

/** Returns the statements of a grant: items and indexes are named one by one. */
export const tableStatements = (arn: string, grant: TableGrant): PolicyStatement[] => {
  const statements: PolicyStatement[] = [];
  if (grant.items !== 'none') {
    const actions = grant.items === 'write' ? [...readActions, ...writeActions] : readActions;
    statements.push(new PolicyStatement({ sid: 'Items', actions, resources: [arn] }));
  }
  if (grant.ownPartition !== undefined)
    statements.push(
      new PolicyStatement({
        sid: 'OwnPartition',
        actions: ['dynamodb:PutItem'],
        resources: [arn],
        conditions: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [grant.ownPartition] } },
      }),
    );
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
