import { type JsonServer, startJsonServer } from '../../../infra/local/json-server.ts';
import type { TableStatement } from '../../../infra/cloud/table-policy.ts';
import { listOf } from '../cloud/synthesized.ts';

/** A request to the table. */
interface TableRequest {
  operation: string;
  input: object;
}

const ofTheConnection = ['host', 'connection', 'content-length'];

export interface Recorder extends JsonServer {
  /** What was asked for since the last call. */
  taken: () => TableRequest[];
}

/** DynamoDB's endpoint with a pair of eyes: it passes everything on and notes each request. */
export const recordRequests = async (endpoint: string): Promise<Recorder> => {
  const requests: TableRequest[] = [];
  const server = await startJsonServer(
    async ({ headers, body }) => {
      const target = String(headers['x-amz-target']);
      requests.push({ operation: target.split('.')[1] ?? '', input: body as object });
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
  return { ...server, taken: () => requests.splice(0) };
};

/** A policy of a role, as the template has it. */
export interface Policy {
  Roles: unknown[];
  PolicyDocument: {
    Statement: {
      Sid?: string;
      Action: string | string[];
      Resource: unknown;
      Condition?: TableStatement['conditions'];
    }[];
  };
}

/** Returns the statements of a policy about the table and its indexes. */
export const tableStatementsOf = ({ PolicyDocument }: Policy): TableStatement[] =>
  PolicyDocument.Statement.flatMap(({ Sid = '', Action, Resource, Condition }) => {
    const resources = listOf(Resource).flatMap((resource) => {
      const place = /table\/[\w-]+(?:\/(index\/\w+))?"/.exec(JSON.stringify(resource));
      return place ? [place[1] === undefined ? 'table' : `table/${place[1]}`] : [];
    });
    if (resources.length === 0) return [];
    const conditions = Condition && {
      'ForAllValues:StringLike': {
        'dynamodb:LeadingKeys': listOf(
          Condition['ForAllValues:StringLike']['dynamodb:LeadingKeys'],
        ) as string[],
      },
    };
    return [{ sid: Sid, actions: listOf(Action) as string[], resources, ...(conditions && { conditions }) }];
  });
