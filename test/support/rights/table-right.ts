import { tableStatements, type TableStatement } from '../../../infra/cloud/table-policy.ts';
import { matches } from '../../../infra/rights/partitions.ts';

/** What IAM asks of a request: an action on the table or an index, and its leading keys. */
interface TableAccess {
  action: string;
  resource: string;
  keys: readonly string[];
}

type Key = Record<string, unknown>;

interface TransactItem {
  Put?: { Item: Key };
  Update?: { Key: Key };
  Delete?: { Key: Key };
  ConditionCheck?: { Key: Key };
}

/** The parts of requests that say what is read or written. */
interface Input {
  Key?: Key;
  Item?: Key;
  RequestItems?: Record<string, { Keys: Key[] }>;
  TransactItems?: TransactItem[];
  IndexName?: string;
  KeyConditionExpression?: string;
  ExpressionAttributeValues?: Record<string, unknown>;
}

const table = 'table';

/** Returns the value of a partition key, plain or as DynamoDB's JSON writes it. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : (value as { S: string }).S);

const access = (action: string, ...keys: Key[]): TableAccess => ({
  action: `dynamodb:${action}`,
  resource: table,
  keys: keys.map(({ pk }) => textOf(pk)),
});

/** Every condition on a key starts with its partition. */
const queried = ({ KeyConditionExpression, ExpressionAttributeValues, IndexName }: Input): TableAccess => {
  const [, value = ''] = /^#\w+ = (:\w+)/.exec(KeyConditionExpression ?? '') ?? [];
  return {
    action: 'dynamodb:Query',
    resource: IndexName === undefined ? table : `${table}/index/${IndexName}`,
    keys: [textOf(ExpressionAttributeValues?.[value])],
  };
};

/** Each item of a transaction needs a right of its own. */
const written = ({ Put, Update, Delete, ConditionCheck }: TransactItem): TableAccess[] => [
  ...(Put ? [access('PutItem', Put.Item)] : []),
  ...(Update ? [access('UpdateItem', Update.Key)] : []),
  ...(Delete ? [access('DeleteItem', Delete.Key)] : []),
  ...(ConditionCheck ? [access('ConditionCheckItem', ConditionCheck.Key)] : []),
];

const accesses: Record<string, (input: Input) => TableAccess[]> = {
  GetItem: ({ Key }) => [access('GetItem', Key ?? {})],
  BatchGetItem: ({ RequestItems }) =>
    Object.values(RequestItems ?? {}).map(({ Keys }) => access('BatchGetItem', ...Keys)),
  Query: (input) => [queried(input)],
  PutItem: ({ Item }) => [access('PutItem', Item ?? {})],
  UpdateItem: ({ Key }) => [access('UpdateItem', Key ?? {})],
  DeleteItem: ({ Key }) => [access('DeleteItem', Key ?? {})],
  TransactWriteItems: ({ TransactItems }) => (TransactItems ?? []).flatMap(written),
  DescribeTable: () => [{ action: 'dynamodb:DescribeTable', resource: table, keys: [] }],
};

const allows = ({ actions, resources, conditions }: TableStatement, wanted: TableAccess): boolean =>
  actions.includes(wanted.action) &&
  resources.includes(wanted.resource) &&
  wanted.keys.every(
    (key) =>
      !conditions ||
      conditions['ForAllValues:StringLike']['dynamodb:LeadingKeys'].some((pattern) => matches(pattern, key)),
  );

/** Returns what a policy does not allow of a request to the table, as IAM decides it. */
export const missingOf = (
  policy: readonly TableStatement[],
  operation: string,
  input: object,
): { action: string; resource: string; keys: readonly string[] }[] => {
  const asked = accesses[operation]?.(input) ?? [
    { action: `dynamodb:${operation}`, resource: table, keys: [] },
  ];
  return asked.filter((one) => !policy.some((statement) => allows(statement, one)));
};

const policies = new Map<string, TableStatement[]>();

/** Returns what a function may not do of a request to the table. */
export const missingTableRights = (folder: string, operation: string, input: object): string[] => {
  const policy = policies.get(folder) ?? tableStatements(folder, table);
  policies.set(folder, policy);
  return missingOf(policy, operation, input).map(
    ({ action, resource, keys }) =>
      `functions/${folder} may not ${action} on ${resource}: ${keys.join(', ')}`,
  );
};
