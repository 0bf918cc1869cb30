import { BatchWriteCommand, DeleteCommand, TransactGetCommand } from '@aws-sdk/lib-dynamodb';
import {
  BatchGetCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '../../../shared/platform/dynamodb/index.ts';
import { seeded } from '../schedule/virtual.ts';
import { type Feature, rejectedRequests } from './rejected-requests.ts';
import type { Command } from './simulated-table.ts';
import type { Item } from './values.ts';

const TableName = 'prove';

type Key = { pk: string; sk: string };
type Terms = {
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, unknown>;
};

/** Draws commands over a few items, so that they meet each other. */
export class RandomHistory {
  readonly #random: () => number;
  readonly #prefix: string;
  readonly #skipped: ReadonlySet<Feature>;
  readonly #tokens: TransactWriteCommand[] = [];
  #queries: { command: QueryCommand; last: Item }[] = [];
  #count = 0;
  #names = new Map<string, string>();
  #values: Record<string, unknown> = {};

  /** Two histories of different prefixes have no item in common. */
  constructor(seed: number, prefix: string, skipped: ReadonlySet<Feature>) {
    this.#random = seeded(seed);
    this.#prefix = prefix;
    this.#skipped = skipped;
  }

  /** Returns the next command. */
  next(): Command {
    this.#count++;
    const draw = this.#random();
    if (draw < 0.2) return this.#put();
    if (draw < 0.38) return this.#update();
    if (draw < 0.42) return this.#delete();
    if (draw < 0.6) return this.#transact();
    if (draw < 0.66) return new GetCommand({ TableName, Key: this.#key(), ...this.#reading() });
    if (draw < 0.72) return this.#batchGet();
    if (draw < 0.75) return this.#batchWrite();
    if (draw < 0.79) return this.#transactGet();
    if (draw < 0.95) return this.#query();
    return this.#rejected();
  }

  /** Takes note of a reply, to continue its page. */
  heard(command: Command, reply: object): void {
    const { LastEvaluatedKey: last } = reply as { LastEvaluatedKey?: Item };
    if (command instanceof QueryCommand && last) this.#queries.push({ command, last });
  }

  #below(below: number): number {
    return Math.floor(this.#random() * below);
  }

  #chance(rate: number): boolean {
    return this.#random() < rate;
  }

  #pick<Value>(...values: readonly Value[]): Value {
    return values[this.#below(values.length)]!;
  }

  #key(): Key {
    return { pk: this.#prefix + this.#pick('A', 'B'), sk: this.#pick('s', 's1', 's10', 's2', 'é', 'z') };
  }

  #item(key = this.#key()): Item {
    const item: Item = { ...key };
    const optional = (name: string, value: () => unknown): void => {
      if (this.#chance(0.6)) item[name] = value();
    };
    optional('n', () => this.#number());
    optional('t', () => this.#text());
    optional('m', () => ({ x: this.#number(), ...(this.#chance(0.5) ? { y: { z: this.#text() } } : {}) }));
    optional('l', () => [this.#number(), this.#text(), null].slice(0, this.#below(4)));
    optional('s', () => this.#set());
    optional('b', () => this.#pick<unknown>(true, false, null, Uint8Array.of(1, 2), Uint8Array.of(1)));
    if (this.#chance(0.1)) item['d'] = 'x'.repeat(500 + this.#below(4000));
    // Sort keys of the index are unique: the order of equal ones is not defined.
    if (this.#chance(0.5))
      Object.assign(item, { team_pk: this.#team(), team_sk: `${key.pk}#${key.sk}#${this.#below(3)}` });
    return item;
  }

  #team(): string {
    return this.#prefix + this.#pick('T', 'U');
  }

  #number(): number {
    return this.#pick(0, 1, 2, -1, 10, 0.5, 1e9, 12345678);
  }

  #text(): string {
    return this.#pick('', 'a', 'ab', 'b', 'Đà Lạt');
  }

  #set(): Set<string> {
    return new Set(['x', 'y', 'z'].slice(0, 1 + this.#below(3)));
  }

  #value(): unknown {
    const draw = this.#below(8);
    if (draw < 3) return this.#number();
    if (draw < 6) return this.#text();
    return draw === 6 ? this.#pick<unknown>(true, null, Uint8Array.of(1), [1], { x: 1 }) : this.#set();
  }

  // Expressions

  #name(attribute: string): string {
    if (this.#chance(0.5)) return attribute;
    const known = this.#names.get(attribute) ?? `#n${this.#names.size}`;
    this.#names.set(attribute, known);
    return known;
  }

  #path(): string {
    const path = this.#pick(
      'n',
      'n',
      't',
      't',
      'm',
      'm.x',
      'm.y.z',
      'l',
      'l[0]',
      's',
      'b',
      'zz',
      'zz.q',
      'n.x',
    );
    return path.replace(/[a-z]+/g, (step) => this.#name(step));
  }

  #bind(value: unknown): string {
    const name = `:v${Object.keys(this.#values).length}`;
    this.#values[name] = value;
    return name;
  }

  #condition(depth = 2): string {
    const draw = this.#below(depth > 0 ? 14 : 9);
    const ordered = (): string =>
      this.#bind(this.#pick<unknown>(this.#number(), this.#text(), Uint8Array.of(1)));
    switch (draw) {
      case 0:
        return `attribute_exists(${this.#path()})`;
      case 1:
        return `attribute_not_exists(${this.#path()})`;
      case 2:
        return `${this.#path()} ${this.#pick('<', '<=', '>', '>=')} ${ordered()}`;
      case 3:
        return `begins_with(${this.#path()}, ${this.#bind(this.#text())})`;
      case 4:
        return `contains(${this.#path()}, ${this.#bind(this.#pick<unknown>(this.#text(), this.#number()))})`;
      case 5:
        return `attribute_type(${this.#path()}, ${this.#bind(this.#pick('S', 'N', 'M', 'L', 'SS', 'NULL', 'BOOL', 'B'))})`;
      case 6:
        return `size(${this.#path()}) ${this.#pick('<', '=', '>')} ${this.#bind(this.#below(4))}`;
      case 7:
        return `${this.#path()} IN (${this.#bind(this.#value())}, ${this.#bind(this.#value())})`;
      case 8:
        return `${this.#path()} BETWEEN ${this.#bind(0)} AND ${this.#bind(this.#below(3))}`;
      case 9:
        return `NOT ${this.#condition(0)}`;
      case 10:
        return `(${this.#condition(0)}) AND (${this.#condition(0)})`;
      case 11:
        return `${this.#condition(0)} OR ${this.#condition(0)} AND ${this.#condition(0)}`;
      default:
        return `${this.#path()} ${this.#pick('=', '<>')} ${this.#bind(this.#value())}`;
    }
  }

  #updateExpression(): string {
    const left = ['n', 't', 'm.x', 'l', 's', 'zz', 'fresh', 'zz2.q'].filter(() => this.#chance(0.4));
    const sets: string[] = [];
    const [removes, adds, deletes]: [string[], string[], string[]] = [[], [], []];
    for (const attribute of left.length > 0 ? left : ['n']) {
      const path = attribute.replace(/[a-z0-9]+/g, (step) => this.#name(step));
      const isNested = attribute.includes('.');
      const draw = this.#below(isNested ? 2 : 4);
      if (attribute === 's' && draw > 0)
        (draw === 1 ? adds : deletes).push(`${path} ${this.#bind(this.#set())}`);
      else if (attribute === 'n' && draw === 1) adds.push(`${path} ${this.#bind(this.#number())}`);
      else if (draw === 1 && (!isNested || !this.#skipped.has('removal below nothing'))) removes.push(path);
      else sets.push(`${path} = ${this.#operand(attribute, path)}`);
    }
    const section = (name: string, clauses: string[]): string[] =>
      clauses.length > 0 ? [`${name} ${clauses.join(', ')}`] : [];
    return [
      ...section('SET', sets),
      ...section('REMOVE', removes),
      ...section('ADD', adds),
      ...section('DELETE', deletes),
    ].join(' ');
  }

  #operand(attribute: string, path: string): string {
    if (attribute === 'n' || attribute === 'm.x') {
      if (this.#chance(0.4)) return this.#bind(this.#number());
      const from = this.#chance(0.4) ? `if_not_exists(${path}, ${this.#bind(0)})` : path;
      return `${from} ${this.#pick('+', '-')} ${this.#bind(this.#number())}`;
    }
    if (attribute === 'l' && this.#chance(0.5)) return `list_append(${path}, ${this.#bind([this.#text()])})`;
    if (attribute === 't' && this.#chance(0.2)) return this.#name('n');
    return this.#bind(this.#value());
  }

  /** Returns the names and values that the expressions since the last call have used. */
  #terms(): Terms {
    const names = Object.fromEntries([...this.#names].map(([name, placeholder]) => [placeholder, name]));
    const values = this.#values;
    this.#names = new Map();
    this.#values = {};
    return {
      ...(Object.keys(names).length > 0 ? { ExpressionAttributeNames: names } : {}),
      ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {}),
    };
  }

  #conditional(rate = 0.5): Terms & { ConditionExpression?: string } {
    const condition = this.#chance(rate) ? { ConditionExpression: this.#condition() } : {};
    const returns = this.#chance(0.5) ? { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const } : {};
    return { ...condition, ...this.#terms(), ...returns };
  }

  #capacity(): { ReturnConsumedCapacity?: 'INDEXES' } {
    return this.#chance(0.3) && !this.#skipped.has('capacity') ? { ReturnConsumedCapacity: 'INDEXES' } : {};
  }

  // Commands

  #put(): PutCommand {
    const ReturnValues = this.#pick(undefined, undefined, 'ALL_OLD' as const);
    return new PutCommand({
      ...{ TableName, Item: this.#item(), ...this.#conditional(), ...this.#capacity() },
      ...(ReturnValues ? { ReturnValues } : {}),
    });
  }

  #update(): UpdateCommand {
    const returns = ['NONE', 'ALL_OLD', 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW'] as const;
    const UpdateExpression = this.#updateExpression();
    const isNested = /[.[]/.test(UpdateExpression);
    const allowed = isNested && this.#skipped.has('updated parts of maps') ? returns.slice(0, 3) : returns;
    return new UpdateCommand({
      ...{ TableName, Key: this.#key(), UpdateExpression, ...this.#conditional(), ...this.#capacity() },
      ReturnValues: this.#pick(...allowed),
    });
  }

  #delete(): DeleteCommand {
    const ReturnValues = this.#pick('NONE', 'ALL_OLD');
    return new DeleteCommand({ TableName, Key: this.#key(), ReturnValues, ...this.#conditional(0.4) });
  }

  #transact(): TransactWriteCommand {
    const before = this.#chance(0.1) ? this.#pick(...this.#tokens) : undefined;
    if (before) {
      const { ClientRequestToken, TransactItems } = before.input;
      const other = [{ Put: { TableName, Item: this.#item() } }];
      return new TransactWriteCommand({
        ClientRequestToken,
        TransactItems: this.#chance(0.7) ? TransactItems : other,
      });
    }
    const TransactItems = Array.from({ length: 1 + this.#below(4) }, () => this.#action());
    const ClientRequestToken = `${this.#prefix}-${this.#count}`;
    const command = new TransactWriteCommand({ TransactItems, ClientRequestToken, ...this.#capacity() });
    this.#tokens.push(command);
    return command;
  }

  #action(): NonNullable<TransactWriteCommand['input']['TransactItems']>[number] {
    const draw = this.#below(10);
    if (draw < 4) return { Put: { TableName, Item: this.#item(), ...this.#conditional(0.3) } };
    const Key = this.#key();
    if (draw < 7) {
      const UpdateExpression = this.#updateExpression();
      return { Update: { TableName, Key, UpdateExpression, ...this.#conditional(0.3) } };
    }
    if (draw === 7) return { Delete: { TableName, Key, ...this.#conditional(0.3) } };
    const ConditionExpression = this.#condition(0);
    return { ConditionCheck: { TableName, Key, ConditionExpression, ...this.#terms() } };
  }

  #reading(): { ConsistentRead: boolean; ProjectionExpression?: string } & Terms {
    const ProjectionExpression = this.#chance(0.3)
      ? `${this.#name('n')}, ${this.#name('m')}.${this.#name('x')}, sk`
      : undefined;
    return {
      ...{ ConsistentRead: this.#chance(0.5), ...this.#terms(), ...this.#capacity() },
      ...(ProjectionExpression === undefined ? {} : { ProjectionExpression }),
    };
  }

  #keys(): Key[] {
    const keys = Array.from({ length: 1 + this.#below(5) }, () => this.#key());
    return this.#chance(0.1) ? keys : [...new Map(keys.map((key) => [`${key.pk} ${key.sk}`, key])).values()];
  }

  #batchGet(): BatchGetCommand {
    return new BatchGetCommand({
      RequestItems: { [TableName]: { Keys: this.#keys() } },
      ...this.#capacity(),
    });
  }

  #batchWrite(): BatchWriteCommand {
    const requests = this.#keys().map((Key) =>
      this.#chance(0.7) ? { PutRequest: { Item: this.#item(Key) } } : { DeleteRequest: { Key } },
    );
    return new BatchWriteCommand({ RequestItems: { [TableName]: requests }, ...this.#capacity() });
  }

  #transactGet(): TransactGetCommand {
    const TransactItems = this.#keys().map((Key) => ({ Get: { TableName, Key } }));
    return new TransactGetCommand({ TransactItems });
  }

  #query(): QueryCommand {
    const open = this.#chance(0.5) ? this.#queries.pop() : undefined;
    if (open) return new QueryCommand({ ...open.command.input, ExclusiveStartKey: open.last });
    const isIndex = this.#chance(0.4);
    const [pk, sk] = isIndex ? ['team_pk', 'team_sk'] : ['pk', 'sk'];
    const partition = isIndex ? this.#team() : this.#key().pk;
    const conditions = [`${this.#name(pk)} = ${this.#bind(partition)}`];
    if (this.#chance(0.6))
      conditions.push(this.#range(this.#name(sk), isIndex ? `${this.#key().pk}#s` : this.#key().sk));
    const KeyConditionExpression = conditions.join(' AND ');
    const FilterExpression = this.#chance(0.4) ? this.#condition(1) : undefined;
    return new QueryCommand({
      ...{ TableName, KeyConditionExpression, ...this.#terms(), ...this.#capacity() },
      ...(FilterExpression === undefined ? {} : { FilterExpression }),
      ...(isIndex ? { IndexName: 'by_team' } : { ConsistentRead: this.#chance(0.5) }),
      ...(this.#chance(0.5) ? { Limit: 1 + this.#below(4) } : {}),
      ...(this.#chance(0.5) ? { ScanIndexForward: this.#chance(0.5) } : {}),
      ...(this.#chance(0.1) ? { Select: 'COUNT' as const } : {}),
    });
  }

  #range(sk: string, from: string): string {
    const operator = this.#pick('=', '<', '<=', '>', '>=', 'BETWEEN', 'begins_with');
    if (operator === 'BETWEEN') return `${sk} BETWEEN ${this.#bind(from)} AND ${this.#bind(`${from}~`)}`;
    if (operator === 'begins_with') return `begins_with(${sk}, ${this.#bind(from)})`;
    return `${sk} ${operator} ${this.#bind(from)}`;
  }

  #rejected(): Command {
    const possible = rejectedRequests.filter(
      ({ feature }) => feature === undefined || !this.#skipped.has(feature),
    );
    return this.#pick(...possible).command({ TableName, key: this.#key() });
  }
}
