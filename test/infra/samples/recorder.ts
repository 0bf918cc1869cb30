import { type JsonServer, startJsonServer } from '../../../infra/local/json-server.ts';
import { listOf } from '../cloud/synthesized.ts';

type Json = Record<string, unknown>;

/** A right that a request to DynamoDB takes: an action, on the table itself or on an index. */
export type Right = `dynamodb:${string} ${string}`;

const partsOf: Record<string, string> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

const rightsOf = (operation: string, body: Json): Right[] => {
  if (operation === 'TransactWriteItems')
    return (body['TransactItems'] as Json[]).flatMap((item) =>
      Object.keys(item).map((part): Right => `dynamodb:${partsOf[part] ?? part} table`),
    );
  const index = body['IndexName'];
  return [`dynamodb:${operation} ${typeof index === 'string' ? `index/${index}` : 'table'}`];
};

const ofTheConnection = ['host', 'connection', 'content-length'];

export interface Recorder extends JsonServer {
  /** What was asked for since the last call. */
  taken: () => Right[];
}

/** DynamoDB's endpoint with a pair of eyes: it passes everything on and notes the right that each request takes. */
export const recordRights = async (endpoint: string): Promise<Recorder> => {
  const rights = new Set<Right>();
  const server = await startJsonServer(
    async ({ headers, body }) => {
      const target = String(headers['x-amz-target']);
      for (const right of rightsOf(target.split('.')[1] ?? '', body as Json)) rights.add(right);
      const passed = Object.entries(headers).filter(([name]) => !ofTheConnection.includes(name));
      const reply = await fetch(endpoint, {
        method: 'POST',
        headers: passed.map(([name, value]): [string, string] => [name, String(value)]),
        body: JSON.stringify(body),
      });
      return { status: reply.status, body: await reply.json(), headers: { 'x-amzn-requestid': 'recorded' } };
    },
    () => undefined,
  );
  return {
    ...server,
    taken: () => {
      const taken = [...rights].sort();
      rights.clear();
      return taken;
    },
  };
};

/** A policy of a role, as the template has it. */
export interface Policy {
  Roles: unknown[];
  PolicyDocument: { Statement: { Action: string | string[]; Resource: unknown }[] };
}

/** The rights that the statements of a policy give on the table and its indexes. */
export const rightsGiven = ({ PolicyDocument }: Policy): Right[] =>
  PolicyDocument.Statement.flatMap(({ Action, Resource }) =>
    listOf(Resource).flatMap((resource) => {
      const place = /table\/[\w-]+(?:\/(index\/\w+))?"/.exec(JSON.stringify(resource));
      if (!place) return [];
      return (listOf(Action) as string[]).map((action) => `${action} ${place[1] ?? 'table'}` as Right);
    }),
  );
